package io.pilothouse.pipes.worker.formats;

import io.pilothouse.pipes.worker.formats.SchemaRegistry.Written;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.BadData;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Messages whose schemas are in a registry. A zero and four bytes before a message are the number of its schema; one
 * without them has the schema that the pipe's URL names. For one thread.
 */
final class RegisteredMessages<S> implements MessageFormat {
    private static final int MAX_SCHEMAS = 1000;
    private static final int HEAD = 1 + Integer.BYTES;
    /** How long the latest version of a subject is taken for the latest. */
    private static final long LATEST_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final SchemaRegistry registry;
    private final SchemaLanguage<S> language;
    /** Those used last are at the end. */
    private final Map<Integer, Kept<S>> kept = new LinkedHashMap<>(16, 0.75f, true);

    private @Nullable S named;
    private long namedAt;

    /** A schema, or why there is none. */
    private record Kept<S>(Optional<S> schema, String fault) {}

    RegisteredMessages(SchemaRegistry registry, SchemaLanguage<S> language) {
        this.registry = registry;
        this.language = language;
    }

    @Override
    public void begin() {
        kept.values().removeIf(schema -> schema.schema().isEmpty());
    }

    @Override
    public List<byte[]> rows(byte[] message) throws Trouble {
        return List.of(row(message));
    }

    byte[] row(byte[] message) throws Trouble {
        if (message.length < HEAD || message[0] != 0) {
            if (!registry.namesOne()) {
                throw new BadData("The message does not begin with the number of a schema, and the URL of the"
                        + " schema registry names no schema.");
            }
            return language.row(named(), message, 0);
        }
        Kept<S> known = known(ByteBuffer.wrap(message).getInt(1));
        if (known.schema().isPresent()) {
            return language.row(known.schema().get(), message, HEAD);
        }
        if (registry.namesOne()) {
            // The zero may as well be the first byte of a message without a number.
            return language.row(named(), message, 0);
        }
        throw new BadData(known.fault());
    }

    private Kept<S> known(int id) throws Trouble {
        Kept<S> known = kept.get(id);
        if (known == null) {
            known = find(id);
            kept.put(id, known);
            if (kept.size() > MAX_SCHEMAS) {
                Iterator<Integer> oldest = kept.keySet().iterator();
                oldest.next();
                oldest.remove();
            }
        }
        return known;
    }

    private Kept<S> find(int id) throws Trouble {
        Optional<Written> written = registry.find(id);
        if (written.isEmpty()) {
            return new Kept<>(Optional.empty(), "The schema registry has no schema with the number " + id + ".");
        }
        try {
            return new Kept<>(Optional.of(read(written.get())), "");
        } catch (BadData fault) {
            return new Kept<>(Optional.empty(), "The schema with the number " + id + ": " + fault.sentence());
        }
    }

    private S named() throws Trouble {
        S now = named;
        if (now == null || System.nanoTime() - namedAt > LATEST_NANOS) {
            Written written = registry.findNamed()
                    .orElseThrow(() -> new Owner("The schema registry has no schema at the URL of the source."));
            try {
                now = read(written);
            } catch (BadData fault) {
                throw new Owner("The schema at the URL of the source: " + fault.sentence());
            }
            named = now;
            namedAt = System.nanoTime();
        }
        return now;
    }

    private S read(Written written) throws Trouble {
        if (!written.type().equals(language.type())) {
            throw new BadData("It is of the type " + written.type() + ", and the pipe's format is not.");
        }
        return language.read(written, registry);
    }
}
