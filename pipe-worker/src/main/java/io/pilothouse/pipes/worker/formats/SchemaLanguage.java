package io.pilothouse.pipes.worker.formats;

import io.pilothouse.pipes.worker.formats.SchemaRegistry.Written;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.BadData;

/** A language of schemas, {@code S} being a schema that was understood. For one thread. */
interface SchemaLanguage<S> {
    /** How a registry names it. */
    String type();

    /** Understands a schema and those that it refers to; BadData if it cannot be understood. */
    S read(Written written, SchemaRegistry registry) throws Trouble;

    /** A message as a JSON object; {@code from} is where it begins, 0 where no number of a schema is before it. */
    byte[] row(S schema, byte[] message, int from) throws BadData;
}
