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
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The OpenAPI document of a listener as the running edition has it, for anybody who asks; made when somebody does. */
public final class DocumentRoutes {
    private static final String MANAGEMENT = "/openapi.json";

    private final String resource;
    private final Optional<String> lender;
    private final RuleBook rules;
    private volatile @Nullable Shown read;

    private DocumentRoutes(String resource, Optional<String> lender, RuleBook rules) {
        this.resource = resource;
        this.lender = lender;
        this.rules = rules;
    }

    public static DocumentRoutes ofManagement(RuleBook rules) {
        return new DocumentRoutes(MANAGEMENT, Optional.empty(), rules);
    }

    public static DocumentRoutes ofAlerts(RuleBook rules) {
        return new DocumentRoutes("/alerts-openapi.json", Optional.empty(), rules);
    }

    /** That of the emulator's controls, which says of refusals what the management API says. */
    public static DocumentRoutes ofEmulator(RuleBook rules) {
        return new DocumentRoutes("/emulator-openapi.json", Optional.of(MANAGEMENT), rules);
    }

    public Answer get(Exchange exchange) {
        Shown document = document();
        boolean known = EntityTags.noneMatchNames(exchange.field(RequestField.IF_NONE_MATCH), document.entityTag());
        return document.tag(known ? Answer.notModified() : Answer.json(document.json()));
    }

    Shown document() {
        Shown document = read;
        if (document == null) {
            Tree.Members served = served(resource);
            Tree.Members whole = lender.map(other -> new BorrowedParts(served(other)).completing(served))
                    .orElse(served);
            document = Shown.of(whole, TreeJson::write);
            read = document;
        }
        return document;
    }

    private Tree.Members served(String from) {
        return new MarkedDocument(rules).served(JsonReader.readObject(load(from), new Faults()));
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
