package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A client of one service: speaks TLS, trusts the control plane's own authority only, and logs in as default. */
final class ServiceClient implements AutoCloseable {
    private static final Pattern HTTPS =
            Pattern.compile("\"protocol\":\"https\",\"host\":\"([^\"]+)\",\"port\":(\\d+)");

    private final HttpClient client;
    private final URI address;
    private final String password;

    /** {@code created} is the answer to the request that made the service. */
    ServiceClient(Path authority, String created) throws IOException, GeneralSecurityException {
        this(authority, created, TestProgram.field(created, "password"));
    }

    ServiceClient(Path authority, String created, String password) throws IOException, GeneralSecurityException {
        Matcher endpoint = HTTPS.matcher(created);
        assertThat(endpoint.find()).as(created).isTrue();
        this.address = URI.create("https://" + endpoint.group(1) + ":" + endpoint.group(2) + "/");
        this.password = password;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(trusting(authority))
                .build();
    }

    private static SSLContext trusting(Path authority) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream in = Files.newInputStream(authority)) {
            store.setCertificateEntry(
                    "authority", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    int port() {
        return address.getPort();
    }

    HttpResponse<String> send(String sql) throws IOException, InterruptedException {
        byte[] pair = ("default:" + password).getBytes(StandardCharsets.UTF_8);
        return client.send(
                HttpRequest.newBuilder(address)
                        .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(pair))
                        .timeout(Duration.ofSeconds(60))
                        .POST(HttpRequest.BodyPublishers.ofString(sql))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** The answer of a query that must work. */
    String query(String sql) throws IOException, InterruptedException {
        HttpResponse<String> answer = send(sql);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body().strip();
    }

    /** Lets go of its connections. */
    @Override
    public void close() {
        client.shutdownNow();
        client.close();
    }
}
