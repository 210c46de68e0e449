package io.pilothouse.http;

import io.pilothouse.core.domain.SecretHash;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/** The OpenAPI document of a listener, for anybody who asks. */
public final class DocumentRoutes {
    private static final int TAG_BYTES = 8;

    private final byte[] document;
    private final String entityTag;

    private DocumentRoutes(String resource) {
        this.document = load(resource);
        byte[] digest = SecretHash.sha256(new String(document, StandardCharsets.UTF_8));
        this.entityTag = HexFormat.of().formatHex(digest, 0, TAG_BYTES);
    }

    public static DocumentRoutes ofManagement() {
        return new DocumentRoutes("/openapi.json");
    }

    public static DocumentRoutes ofAlerts() {
        return new DocumentRoutes("/alerts-openapi.json");
    }

    public List<PublicRoute> routes() {
        return List.of(new PublicRoute("openapiGet", Verb.GET, "/openapi.json", this::get));
    }

    private Answer get(Exchange exchange) {
        boolean known = EntityTags.noneMatchNames(exchange.field(RequestField.IF_NONE_MATCH), entityTag);
        Answer answer = known ? Answer.notModified() : Answer.json(document);
        return answer.with("ETag", EntityTags.quote(entityTag));
    }

    private static byte[] load(String resource) {
        try (InputStream in = DocumentRoutes.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException(resource + " is not part of this program");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
