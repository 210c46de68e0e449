package com.example.visits;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Services of an organization, asked for with the HTTP client of the JDK. */
public final class Services implements AutoCloseable {
    private final HttpClient client = HttpClient.newHttpClient();
    private final URI organization;
    private final String authorization;

    public Services(URI organization, String authorization) {
        this.organization = organization;
        this.authorization = authorization;
    }

    public String create(String name) throws IOException, InterruptedException {
        return send(request("/services")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"name\": \"" + name + "\"}")));
    }

    public String list() throws IOException, InterruptedException {
        return send(request("/services"));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(organization + path)).header("Authorization", authorization);
    }

    private String send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException("The API answered " + answer.statusCode() + ": " + answer.body());
        }
        return answer.body();
    }

    @Override
    public void close() {
        client.close();
    }
}
