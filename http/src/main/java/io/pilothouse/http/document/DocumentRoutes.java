package io.pilothouse.http.document;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.Tree;
import io.pilothouse.http.json.JsonReader;
import io.pilothouse.http.json.TreeJson;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.EntityTags;
import io.pilothouse.http.wire.Exchange;
import io.pilothouse.http.wire.RequestField;
import io.pilothouse.http.wire.Shown;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** The OpenAPI document of a listener as the running edition has it, for anybody who asks; made when somebody does. */
public final class DocumentRoutes {
    private final String resource;
    private final RuleBook rules;
    private volatile @Nullable Shown read;

    private DocumentRoutes(String resource, RuleBook rules) {
        this.resource = resource;
        this.rules = rules;
    }

    public static DocumentRoutes ofManagement(RuleBook rules) {
        return new DocumentRoutes("/openapi.json", rules);
    }

    public static DocumentRoutes ofAlerts(RuleBook rules) {
        return new DocumentRoutes("/alerts-openapi.json", rules);
    }

    public Answer get(Exchange exchange) {
        Shown document = document();
        boolean known = EntityTags.noneMatchNames(exchange.field(RequestField.IF_NONE_MATCH), document.entityTag());
        return document.tag(known ? Answer.notModified() : Answer.json(document.json()));
    }

    Shown document() {
        Shown document = read;
        if (document == null) {
            Tree.Members written = JsonReader.readObject(load(resource), new Faults());
            document = Shown.of(new MarkedDocument(rules).served(written), TreeJson::write);
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
