package io.pilothouse.server;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

/** The first key of a program that runs as a child, by the credentials that its last start wrote into its data folder. */
record FirstKey(Path data) {
    String credential(String name) throws IOException {
        return TestProgram.field(Files.readString(data.resolve("credentials.json")), name);
    }

    /** A request about its organization. */
    HttpRequest.Builder request(String method, String path, String body) throws IOException {
        return toProgram(method, "/v1/organizations/" + credential("organization_id") + path, body);
    }

    /** A request about anything. */
    HttpRequest.Builder toProgram(String method, String path, String body) throws IOException {
        String pair = credential("key_id") + ":" + credential("key_secret");
        return HttpRequest.newBuilder(URI.create(credential("base_url") + path))
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)))
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body));
    }
}
