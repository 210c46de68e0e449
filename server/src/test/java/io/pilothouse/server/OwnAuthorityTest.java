package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pilothouse.testkit.Trusting;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Listeners whose certificate is of the program's own authority. */
class OwnAuthorityTest {
    @TempDir
    private Path folder;

    @Test
    void everyListenerSpeaksTlsThatClientsOfTheAuthorityTrustAlsoAfterARestart()
            throws GeneralSecurityException, IOException, InterruptedException, StartRefused {
        X509Certificate authority = null;
        for (int start = 0; start < 2; start++) {
            try (TestProgram program = TestProgram.start(
                    folder, "--tls-names", "api.example.org,192.0.2.7", "--console-listen", "127.0.0.1:0")) {
                X509Certificate shown = authority();
                assertThat(authority).isIn(null, shown);
                authority = shown;
                Urls urls = program.running().urls();
                try (HttpClient client = trusting(shown)) {
                    String console = urls.console().orElseThrow();
                    for (String url : List.of(urls.base(), console, urls.alerts(), urls.query(), urls.admin())) {
                        assertThat(url).startsWith("https://");
                        SSLSession session = get(client, url).sslSession().orElseThrow();
                        assertThat(session.getProtocol()).isEqualTo("TLSv1.3");
                        X509Certificate leaf = (X509Certificate) session.getPeerCertificates()[0];
                        assertThat(leaf.getSubjectAlternativeNames().stream()
                                        .<Object>map(List::getLast)
                                        .toList())
                                .contains("api.example.org", "192.0.2.7", "localhost", "127.0.0.1");
                    }
                    assertThat(get(client, urls.admin() + "/healthz").statusCode())
                            .isEqualTo(200);
                }
                assertThat(program.running().welcome()).contains("ca_file", "ca.crt");
            }
        }
    }

    @Test
    void whoDoesNotTrustTheAuthorityIsNotServed()
            throws GeneralSecurityException, IOException, InterruptedException, StartRefused {
        try (TestProgram program = TestProgram.start(folder, "--tls-names", "localhost");
                HttpClient client = HttpClient.newHttpClient()) {
            assertThatExceptionOfType(SSLHandshakeException.class)
                    .isThrownBy(() -> get(client, program.running().urls().base()));
        }
    }

    private X509Certificate authority() throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(LocalProgram.authority(folder))) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    private static HttpClient trusting(X509Certificate authority) throws IOException, GeneralSecurityException {
        return HttpClient.newBuilder().sslContext(Trusting.only(authority)).build();
    }

    private static HttpResponse<Void> get(HttpClient client, String url) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.discarding());
    }
}
