package io.pilothouse.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;

/** Asks a server of tests that stands in for a service of AWS, and believes every signature. */
record AwsQuestions(HttpClient client, String address, String keyId, String service, String json, String prefix) {
    private static final ObjectMapper JSON = new ObjectMapper();

    static String authorization(String keyId, String service) {
        return "AWS4-HMAC-SHA256 Credential=" + keyId + "/20260101/us-east-1/" + service
                + "/aws4_request, SignedHeaders=host, Signature=x";
    }

    JsonNode ask(String operation, Map<String, ?> question) throws IOException, InterruptedException {
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(URI.create(address))
                        .header("Authorization", authorization(keyId, service))
                        .header("X-Amz-Date", "20260101T000000Z")
                        .header("Content-Type", "application/x-amz-json-" + json)
                        .header("X-Amz-Target", prefix + operation)
                        .POST(HttpRequest.BodyPublishers.ofByteArray(JSON.writeValueAsBytes(question)))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException(operation + ": " + answer.statusCode() + " " + answer.body());
        }
        return answer.body().isEmpty() ? JSON.createObjectNode() : JSON.readTree(answer.body());
    }
}
