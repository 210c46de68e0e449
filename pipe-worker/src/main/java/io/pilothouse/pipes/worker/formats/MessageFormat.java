package io.pilothouse.pipes.worker.formats;

import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import java.util.List;

/** How the messages of a pipe are written. For one thread. */
public interface MessageFormat {
    /** Another batch begins: a schema that could not be had for the one before may be there now. */
    void begin();

    /** The message as JSON objects, which the database reads; BadData if it is not what the format says. */
    List<byte[]> rows(byte[] message) throws Trouble, InterruptedException;

    /** The format that the pipe names. */
    static MessageFormat of(Assignment assignment) throws Owner {
        String format = assignment.source().text("format").orElse("JSONEachRow");
        Columns columns = new Columns(assignment.target().structure());
        if (AvroContainers.has(assignment)) {
            return AvroContainers.of(columns);
        }
        return switch (format) {
            case "JSONEachRow" -> new JsonMessages();
            case "CSV" -> new CsvMessages(columns);
            case "Avro", "AvroConfluent" ->
                new RegisteredMessages<>(SchemaRegistry.of(assignment, ""), new AvroSchemas(columns));
            case "Protobuf" ->
                new RegisteredMessages<>(
                        SchemaRegistry.of(assignment, ProtobufSchemas.BINARY), new ProtobufSchemas(columns));
            default -> throw new Owner("No worker of this server reads " + format + ".");
        };
    }
}
