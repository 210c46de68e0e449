package io.pilothouse.pipes.worker.formats;

import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.FoundFields.Field;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.BadData;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The fields of messages that have schemas: those of every schema that one of them has. For one thread. */
public final class SchemaSample {
    private final MessageFormat messages;
    private final Set<List<Field>> schemas = new LinkedHashSet<>();

    public SchemaSample(Assignment assignment) throws Owner {
        this.messages = AvroContainers.has(assignment) ? AvroContainers.of(schemas::add) : registered(assignment);
    }

    private MessageFormat registered(Assignment assignment) throws Owner {
        return switch (assignment.source().text("format").orElse("")) {
            case "Avro", "AvroConfluent" ->
                new RegisteredMessages<>(SchemaRegistry.of(assignment, ""), new AvroFields(schemas::add));
            case "Protobuf" ->
                new RegisteredMessages<>(
                        SchemaRegistry.of(assignment, ProtobufSchemas.BINARY), new ProtobufFields(schemas::add));
            default -> throw new Owner("No worker of this server looks at messages of this format.");
        };
    }

    /** An Owner's trouble where none of them has a schema that can be had. */
    public void add(List<byte[]> sample) throws Trouble, InterruptedException {
        String fault = "";
        for (byte[] message : sample) {
            try {
                messages.rows(message);
            } catch (BadData unread) {
                fault = unread.sentence();
            }
        }
        if (schemas.isEmpty()) {
            throw new Owner(fault);
        }
    }

    /** Each with the type that the last schema gives it; one that a schema lacks is optional. */
    public List<Field> fields() {
        Map<String, Field> last = new LinkedHashMap<>();
        Map<String, Integer> seen = new LinkedHashMap<>();
        for (List<Field> schema : schemas) {
            for (Field field : schema) {
                Field before = last.get(field.name());
                boolean optional = field.optional() || (before != null && before.optional());
                last.put(field.name(), new Field(field.name(), field.type(), optional));
                seen.merge(field.name(), 1, Integer::sum);
            }
        }
        List<Field> fields = new ArrayList<>();
        for (Field field : last.values()) {
            boolean everywhere = seen.getOrDefault(field.name(), 0) == schemas.size();
            fields.add(new Field(field.name(), field.type(), field.optional() || !everywhere));
        }
        return fields;
    }
}
