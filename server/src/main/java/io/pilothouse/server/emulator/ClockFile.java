package io.pilothouse.server.emulator;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.emulator.ClockState;
import io.pilothouse.http.json.JsonReader;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.server.client.CommandRefused;
import io.pilothouse.server.secret.PrivateFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/** How the emulator's time goes, beside the store, so that no start of the program takes it back. */
record ClockFile(Path file) {
    static ClockFile in(Path folder) {
        return new ClockFile(folder.resolve("emulator-clock.json"));
    }

    /** Empty where time was never moved. */
    Optional<ClockState> read() throws CommandRefused {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            Tree.Members kept = JsonReader.readObject(Files.readAllBytes(file), new Faults());
            return Optional.of(new ClockState(
                    moment(kept, "machine"),
                    moment(kept, "shown"),
                    kept.number("rate").orElseThrow(() -> new DateTimeException("no rate"))));
        } catch (IOException | Refused | DateTimeException e) {
            throw new CommandRefused(
                    "The file " + file + " does not say which time it is: put it back, or start with another folder",
                    e);
        }
    }

    private static Instant moment(Tree.Members kept, String name) {
        return Instant.parse(kept.text(name).orElse(""));
    }

    void write(ClockState state) {
        byte[] document = JsonWriter.document(out -> {
            out.startObject();
            out.time("machine", state.machine());
            out.time("shown", state.shown());
            out.number("rate", state.rate());
            out.endObject();
        });
        try {
            PrivateFile.write(file, document);
        } catch (IOException e) {
            throw new UncheckedIOException("The emulator's time cannot be kept", e);
        }
    }
}
