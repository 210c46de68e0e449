package io.pilothouse.server;

import io.pilothouse.testkit.NodePackage;
import io.pilothouse.testkit.PrintedPort;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A real server of Azure's blobs on this machine (Azurite), with one container. Fetched once for all runs with npm; where
 * that cannot be, its tests are skipped.
 */
final class AzureServer implements AutoCloseable {
    /** The key that every Azurite has. */
    static final String KEY =
            "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

    private static final String ACCOUNT = "devstoreaccount1";
    private static final String VERSION = "3.10.0";
    private static final String API = "2020-04-08";
    private static final int CREATED = 201;
    private static final Pattern LISTENING = Pattern.compile("successfully listens on http://0\\.0\\.0\\.0:(\\d+)");
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private final HttpClient client = HttpClient.newHttpClient();
    private final Process process;
    private final int port;

    private AzureServer(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static AzureServer start(Path folder) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        NodePackage.program("azurite", VERSION)
                                .resolveSibling("azurite-blob")
                                .toString(),
                        // On every address, so that one can be allowed to databases and another not.
                        "--blobHost=0.0.0.0",
                        "--blobPort=0",
                        "--silent",
                        // The database's library is newer than the newest version of the API that it knows.
                        "--skipApiVersionCheck",
                        "--location=" + Files.createDirectories(folder.resolve("blobs")))
                .redirectErrorStream(true)
                .start();
        AzureServer server = new AzureServer(process, PrintedPort.await(process, LISTENING));
        server.send("", "\nrestype:container", "?restype=container", new byte[0]);
        return server;
    }

    /** As the operator names it to the databases. */
    String place() {
        return "127.0.0.1:" + port;
    }

    void put(String key, String text) throws IOException, InterruptedException {
        put(key, text.getBytes(StandardCharsets.UTF_8));
    }

    void put(String key, byte[] content) throws IOException, InterruptedException {
        String path = URLEncoder.encode(key, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%2F", "/");
        send("/" + path, "", "", content);
    }

    private void send(String path, String signedQuery, String query, byte[] content)
            throws IOException, InterruptedException {
        String whole = "/" + ACCOUNT + "/landing" + path;
        String time = TIME.format(Instant.now());
        String text = "PUT\n\n\n" + (content.length == 0 ? "" : content.length) + "\n".repeat(9)
                + "x-ms-blob-type:BlockBlob\nx-ms-date:" + time + "\nx-ms-version:" + API + "\n/" + ACCOUNT + whole
                + signedQuery;
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(URI.create("http://" + place() + whole + query))
                        .header("x-ms-blob-type", "BlockBlob")
                        .header("x-ms-date", time)
                        .header("x-ms-version", API)
                        .header("Authorization", "SharedKey " + ACCOUNT + ":" + hmac(text))
                        .PUT(HttpRequest.BodyPublishers.ofByteArray(content))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != CREATED) {
            throw new IOException("Azurite answers " + answer.statusCode() + " " + answer.body());
        }
    }

    private static String hmac(String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(KEY), "HmacSHA256"));
            return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** A pipe of JSON files into a table with an id and a name. */
    String pipe(String path, boolean continuous) {
        return """
            {"name": "Blobs", "source": {"objectStorage": {"type": "azureblobstorage", "path": "%s",
              "azureContainerName": "landing", "isContinuous": %s, "authentication": "CONNECTION_STRING",
              "connectionString": "AccountName=%s;AccountKey=%s;BlobEndpoint=http://%s/%s"}},
             "destination": {"table": "events", "managedTable": true,
               "tableDefinition": {"engine": {"type": "MergeTree"}, "sortingKey": ["id"]},
               "columns": [{"name": "id", "type": "UInt64"}, {"name": "name", "type": "String"}]},
             "settings": {"object_storage_polling_interval_ms": 500}}""".formatted(path, continuous, ACCOUNT, KEY, place(), ACCOUNT);
    }

    @Override
    public void close() {
        client.close();
        process.destroyForcibly();
    }
}
