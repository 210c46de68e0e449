package io.pilothouse.http.api;

import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.EntityTags;
import io.pilothouse.http.wire.Exchange;
import io.pilothouse.http.wire.RequestField;
import io.pilothouse.http.wire.Shown;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** The OpenAPI document of a listener, for anybody who asks; read when first asked for. */
public final class DocumentRoutes {
    private final String resource;
    private volatile @Nullable Shown read;

    private DocumentRoutes(String resource) {
        this.resource = resource;
    }

    public static DocumentRoutes ofManagement() {
        return new DocumentRoutes("/openapi.json");
    }

    public static DocumentRoutes ofAlerts() {
        return new DocumentRoutes("/alerts-openapi.json");
    }

    public Answer get(Exchange exchange) {
        Shown document = document();
        boolean known = EntityTags.noneMatchNames(exchange.field(RequestField.IF_NONE_MATCH), document.entityTag());
        return document.tag(known ? Answer.notModified() : Answer.json(document.json()));
    }

    private Shown document() {
        Shown document = read;
        if (document == null) {
            byte[] json = load(resource);
            document = new Shown(json, EntityTags.of(json));
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
