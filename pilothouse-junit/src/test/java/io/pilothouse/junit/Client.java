package io.pilothouse.junit;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** A user's client, which knows an organization only by what the extension hands out. */
final class Client {
    private Client() {}

    static HttpResponse<String> get(PilothouseOrganization organization, String path)
            throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(organization.url() + path))
                .header("Authorization", organization.authorization()));
    }

    static HttpResponse<String> post(PilothouseOrganization organization, String path, String body)
            throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(organization.url() + path))
                .header("Authorization", organization.authorization())
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    static HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }
}
