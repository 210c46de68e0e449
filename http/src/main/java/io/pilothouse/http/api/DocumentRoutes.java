package io.pilothouse.http.api;

import io.pilothouse.core.secret.SecretHash;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.EntityTags;
import io.pilothouse.http.wire.Exchange;
import io.pilothouse.http.wire.PublicRoute;
import io.pilothouse.http.wire.RequestField;
import io.pilothouse.http.wire.Verb;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The OpenAPI document of a listener, for anybody who asks; read when somebody does. */
public final class DocumentRoutes {
    private static final int TAG_BYTES = 8;

    private final String resource;
    private volatile @Nullable Document read;

    private DocumentRoutes(String resource) {
        this.resource = resource;
    }

    private record Document(Answer answer, String entityTag) {}

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
        Document document = document();
        boolean known = EntityTags.noneMatchNames(exchange.field(RequestField.IF_NONE_MATCH), document.entityTag());
        Answer answer = known ? Answer.notModified() : document.answer();
        return answer.with("ETag", EntityTags.quote(document.entityTag()));
    }

    private Document document() {
        Document document = read;
        if (document == null) {
            byte[] bytes = load(resource);
            byte[] digest = SecretHash.sha256(new String(bytes, StandardCharsets.UTF_8));
            document = new Document(Answer.json(bytes), HexFormat.of().formatHex(digest, 0, TAG_BYTES));
            read = document;
        }
        return document;
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
