package io.pilothouse.core.pipe;

import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.WordRule;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The commands that a caller can give a pipe. */
public enum PipeCommand {
    START,
    STOP,
    RESYNC;

    /** The words of the wire. */
    public static final WordRule WORDS = WordRule.of(values(), PipeCommand::word);

    static final String TARGET = "targetTable";

    private String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<PipeCommand> find(@Nullable String word) {
        for (PipeCommand command : values()) {
            if (command.word().equals(word)) {
                return Optional.of(command);
            }
        }
        return Optional.empty();
    }

    /** The pipe after this command; the same pipe where it changes nothing, refused where it is impossible. */
    public Pipe on(Pipe pipe, Instant now) {
        PipeState state = pipe.state();
        return switch (this) {
            case START ->
                switch (state) {
                    case STOPPED, PAUSED, FAILED, STOPPING, PAUSING ->
                        pipe.withWant(Pipe.Wish.RUN, pipe.want().resyncs(), now);
                    case COMPLETED -> throw refusal("ClickPipe has completed and cannot be started again");
                    // A phrase that clients look for, to take it for success.
                    case UNKNOWN, PROVISIONING, SETUP, SNAPSHOT, RUNNING, DEGRADED, MODIFYING, RESYNC, INTERNAL_ERROR ->
                        throw refusal("ClickPipe is already running");
                };
            case STOP -> {
                if (state == PipeState.COMPLETED) {
                    throw refusal("ClickPipe has completed and cannot be stopped");
                }
                yield pipe.want().wish() == Pipe.Wish.STOP
                        ? pipe
                        : pipe.withWant(Pipe.Wish.STOP, pipe.want().resyncs(), now);
            }
            case RESYNC -> {
                requireTables(pipe);
                yield pipe.withWant(Pipe.Wish.RUN, pipe.want().resyncs() + 1, now);
            }
        };
    }

    /** The pipe that is to read one table again, named by its target, while it goes on with the others. */
    static Pipe resync(Pipe pipe, String target, Instant now) {
        requireTables(pipe);
        if (pipe.replicationMode().equals("cdc_only")) {
            throw Refused.badRequest(TARGET, "is not for a ClickPipe that reads only changes (cdc_only)");
        }
        boolean known = pipe.source().objects("tableMappings").stream()
                .anyMatch(mapping -> mapping.text("targetTable").orElse("").equals(target));
        if (!known) {
            throw Refused.badRequest(TARGET, "must be the targetTable of one of the pipe's tableMappings");
        }
        return pipe.withTableAgain(target, now);
    }

    private static void requireTables(Pipe pipe) {
        if (pipe.kind() != PipeKind.POSTGRES && pipe.kind() != PipeKind.MYSQL) {
            throw refusal("Only a ClickPipe from PostgreSQL or MySQL can be resynced");
        }
    }

    private static Refused refusal(String message) {
        return Refused.badRequest("command", message);
    }
}
