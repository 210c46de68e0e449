package io.pilothouse.bench;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** One HTTP request, in the forms of the tools that send it. */
record Request(String method, String path, List<String> fields, String body) {
    static Request get(String path, String authorization) {
        return new Request("GET", path, List.of("Authorization: " + authorization), "");
    }

    static Request create(String path, String authorization) {
        return new Request(
                "POST",
                path,
                List.of("Authorization: " + authorization, "Content-Type: application/json"),
                "{\"name\": \"Measured\", \"provider\": \"aws\", \"region\": \"us-east-1\"}");
    }

    Request with(String field) {
        return new Request(
                method, path, Stream.concat(fields.stream(), Stream.of(field)).toList(), body);
    }

    Request at(String other) {
        return new Request(method, other, fields, body);
    }

    byte[] bytes(String authority) {
        StringBuilder text = new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: " + authority + "\r\n");
        fields.forEach(field -> text.append(field).append("\r\n"));
        if (!body.isEmpty()) {
            text.append("Content-Length: ").append(body.length()).append("\r\n");
        }
        return text.append("\r\n").append(body).toString().getBytes(StandardCharsets.US_ASCII);
    }
}
