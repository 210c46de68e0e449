package io.pilothouse.server.api;

import io.pilothouse.http.wire.AnyRoute;
import io.pilothouse.testkit.api.ApiJson;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** An OpenAPI document as it is in the program: its words about an operation, and the example of its body. */
@SuppressWarnings("ArrayRecordComponent")
record ApiDocument(byte[] bytes, JsonNode json) {
    static final ApiDocument MANAGEMENT = read("/openapi.json");
    static final ApiDocument ALERTS = read("/alerts-openapi.json");

    private static ApiDocument read(String name) {
        try (InputStream in = Objects.requireNonNull(AnyRoute.class.getResourceAsStream(name), name)) {
            byte[] bytes = in.readAllBytes();
            return new ApiDocument(bytes, ApiJson.read(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The document's entry of an operation; missing when it has none of this id. */
    JsonNode operation(String operationId) {
        return json.path("paths")
                .valueStream()
                .flatMap(JsonNode::valueStream)
                .filter(operation -> operation.path("operationId").asString("").equals(operationId))
                .findFirst()
                .orElse(json.path("no operation"));
    }

    /** A body that is taken; null for an operation without one. */
    @Nullable
    String example(String operationId) {
        JsonNode example = operation(operationId).at("/requestBody/content/application~1json/example");
        return example.isMissingNode() ? null : example.toString();
    }
}
