package io.pilothouse.testkit;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeKind;
import io.pilothouse.core.pipe.PipePhase;
import io.pilothouse.core.pipe.PipeScaling;
import io.pilothouse.core.pipe.PipeSeen;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Pipes that run. */
public final class PipeSample {
    private PipeSample() {}

    public static Pipe running(UUID id, UUID organizationId, UUID serviceId, PipeKind kind, Instant now) {
        return new Pipe(
                Head.of(id, serviceId, now),
                organizationId,
                now,
                kind,
                new Pipe.Configuration(
                        "Pipe " + id.toString().substring(0, 8),
                        Tree.Members.NONE,
                        null,
                        Tree.Members.NONE,
                        new Tree.Items(List.of()),
                        Tree.Members.NONE,
                        PipeScaling.SMALLEST),
                new Pipe.Want(Pipe.Wish.RUN, 1, 0, Tree.Members.NONE, now),
                new PipeSeen(PipePhase.RUNNING, 1, 0, null, now));
    }
}
