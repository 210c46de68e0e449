package io.pilothouse.pipes.worker.formats;

import io.pilothouse.pipes.worker.formats.SchemaRegistry.Reference;
import io.pilothouse.pipes.worker.formats.SchemaRegistry.Written;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.BadData;
import java.util.HashSet;
import java.util.Set;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;

/** Schemas of Avro. */
final class AvroSchemas implements SchemaLanguage<AvroRow> {
    private static final int MAX_REFERENCES = 100;

    private final Columns columns;

    AvroSchemas(Columns columns) {
        this.columns = columns;
    }

    @Override
    public String type() {
        return "AVRO";
    }

    @Override
    public AvroRow read(Written written, SchemaRegistry registry) throws Trouble {
        return AvroRow.of(parsed(written, registry), columns);
    }

    static Schema parsed(Written written, SchemaRegistry registry) throws Trouble {
        try {
            // Names and defaults were the registry's to judge.
            Schema.Parser parser = new Schema.Parser(NameValidator.NO_VALIDATION).setValidateDefaults(false);
            addReferences(written, registry, parser, new HashSet<>());
            return parser.parse(written.text());
        } catch (RuntimeException unreadable) {
            throw new BadData("It cannot be understood: " + unreadable.getMessage());
        }
    }

    /** What a schema refers to has to be known before it. */
    private static void addReferences(
            Written written, SchemaRegistry registry, Schema.Parser parser, Set<Reference> known) throws Trouble {
        for (Reference reference : written.references()) {
            if (known.size() >= MAX_REFERENCES) {
                throw new BadData("It refers to more than " + MAX_REFERENCES + " others.");
            }
            if (known.add(reference)) {
                Written other = registry.find(reference);
                addReferences(other, registry, parser, known);
                parser.parse(other.text());
            }
        }
    }

    @Override
    public byte[] row(AvroRow schema, byte[] message, int from) throws BadData {
        return schema.json(message, from);
    }
}
