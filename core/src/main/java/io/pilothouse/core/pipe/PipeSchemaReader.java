package io.pilothouse.core.pipe;

import io.pilothouse.core.service.Service;
import java.util.List;
import java.util.Map;

/**
 * Looks at the records of a source and says which fields they have. A request asks it, outside of every transaction;
 * a source that cannot be looked at throws {@link Unreadable}.
 */
@FunctionalInterface
public interface PipeSchemaReader {
    /** Of a server that reads no source, with the reason. */
    static PipeSchemaReader none(String sentence) {
        return (_, _) -> {
            throw new Unreadable(sentence);
        };
    }

    /** Looks for this service, whose database runs. May refuse when too many ask at once. */
    Schema read(Service service, PipeDesign.Source source) throws Unreadable;

    /**
     * Looks at the source of a pipe that is not kept yet, and tries what it finds against the pipe's columns. Where no
     * source is ever read, every pipe fits.
     */
    default void check(Service service, PipeDesign.Designed wanted) throws Unreadable {}

    /**
     * Holds the table of a pipe that is not kept yet to what the pipe says of it. A database that does not answer now
     * holds no pipe up: the pipe says it later.
     */
    default void checkTable(Service service, Pipe wanted) throws Unreadable {}

    /** One field of the records: its type as the database has it, and whether some records are without it. */
    record Field(String name, String type, boolean optional) {}

    /** The fields in the order in which they were met, and what else the source says about itself. */
    record Schema(List<Field> fields, Map<String, String> meta) {
        public Schema {
            fields = List.copyOf(fields);
            meta = Map.copyOf(meta);
        }
    }

    /** The source cannot be looked at, with a sentence for a person that holds no secret. */
    final class Unreadable extends Exception {
        private static final long serialVersionUID = 1L;

        private final String sentence;

        public Unreadable(String sentence) {
            super(sentence, null, false, false);
            this.sentence = sentence;
        }

        public String sentence() {
            return sentence;
        }
    }
}
