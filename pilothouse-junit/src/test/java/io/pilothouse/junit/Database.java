package io.pilothouse.junit;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Asks a database over HTTP, trusting what the extension says is to be trusted and nothing else. */
final class Database {
    private Database() {}

    static String ask(RunningClickHouse database, String sql)
            throws IOException, InterruptedException, GeneralSecurityException {
        String login = database.user() + ":" + database.password();
        HttpRequest request = HttpRequest.newBuilder(database.url())
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8)))
                .POST(HttpRequest.BodyPublishers.ofString(sql))
                .build();
        try (HttpClient client =
                HttpClient.newBuilder().sslContext(trusting(database)).build()) {
            return client.send(request, HttpResponse.BodyHandlers.ofString())
                    .body()
                    .strip();
        }
    }

    private static SSLContext trusting(RunningClickHouse database) throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        try (InputStream file = Files.newInputStream(database.certificate())) {
            trusted.setCertificateEntry(
                    "authority", CertificateFactory.getInstance("X.509").generateCertificate(file));
        }
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }
}
