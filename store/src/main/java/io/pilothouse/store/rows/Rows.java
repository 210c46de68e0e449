package io.pilothouse.store.rows;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Stored;
import java.io.StringWriter;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;

/**
 * How one kind of thing becomes a row and comes back: what finds it, what it is counted under, and its document. What
 * columns hold is not repeated in the document. Reading takes rows that older and newer programs wrote: a member it
 * does not know is passed over, a missing one has a fallback.
 */
public record Rows<T extends Stored>(
        Kind<T> kind,
        Function<T, @Nullable String> reference,
        Function<T, @Nullable String> label,
        Shape<T> shape,
        boolean history) {
    // All ASCII: half a surrogate pair or a database of another encoding cannot change what comes back.
    private static final JsonFactory JSON =
            JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    /** A document, and the row as it comes back from it. */
    public record Written<T>(String document, T row) {}

    /** Those of every kind that the store keeps as documents. */
    public static List<Rows<?>> all() {
        return List.of(
                OrganizationRows.ORGANIZATIONS,
                OrganizationRows.API_KEYS,
                OrganizationRows.ALERTS_TOKENS,
                OrganizationRows.ACTIVITIES,
                OrganizationRows.ITEMS,
                OrganizationRows.CONSOLE_SESSIONS,
                ServiceRows.SERVICES,
                ServiceRows.PARTS,
                ServiceRows.PRIVATE_ENDPOINT_USES,
                ServiceRows.BACKUPS,
                ServiceRows.BACKUP_BUCKETS,
                ServiceRows.HOSTS,
                UsageRows.METERS,
                UsageRows.SPANS,
                PipeRows.PIPES,
                PipeRows.CDC_SCALINGS,
                PipeRows.RANGES,
                PipeRows.REVERSE_PRIVATE_ENDPOINTS,
                AlertRows.ALERTS,
                AlertRows.EVALUATIONS,
                AlertRows.WEBHOOKS,
                AlertRows.DASHBOARDS,
                AlertRows.DELIVERIES);
    }

    /** Rows that are found by their owner and id alone, and not counted. */
    static <T extends Stored> Rows<T> of(Kind<T> kind, Shape<T> shape) {
        return new Rows<>(kind, _ -> null, _ -> null, shape, false);
    }

    Rows<T> foundBy(Function<T, @Nullable String> by) {
        return new Rows<>(kind, by, label, shape, history);
    }

    Rows<T> countedUnder(Function<T, @Nullable String> under) {
        return new Rows<>(kind, reference, under, shape, history);
    }

    /** Rows that are never written again. */
    Rows<T> writtenOnce() {
        return new Rows<>(kind, reference, label, shape, true);
    }

    public T read(Head head, byte[] document) {
        return shape.read(Document.of(document), head);
    }

    /** Writes a row as this version of it. */
    public Written<T> write(T row, long version) {
        if (history && version > 1) {
            throw new IllegalStateException("A line of history is never rewritten");
        }
        StringWriter text = new StringWriter(1_024);
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
            json.writeStartObject();
            Head head = new Head(row.id(), row.ownerId(), row.createdAt(), version);
            T written = shape.pass(new Fields.Writing<>(row, head, json));
            json.writeEndObject();
            json.flush();
            return new Written<>(text.toString(), written);
        }
    }
}
