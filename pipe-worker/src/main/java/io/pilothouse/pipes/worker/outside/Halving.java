package io.pilothouse.pipes.worker.outside;

import io.pilothouse.pipes.worker.outside.Trouble.BadData;
import java.util.ArrayList;
import java.util.List;

/** Finds the few among many that the database does not take: what fails together is halved until single ones are left. */
public final class Halving {
    private Halving() {}

    /** One that is not taken, and why. */
    public record Refused<P>(P piece, String reason) {}

    /** Gives some of them to the database at once. */
    @FunctionalInterface
    public interface Trial<P> {
        void of(List<P> pieces) throws Trouble, InterruptedException;
    }

    /** Those that are not taken, in their order. */
    public static <P> List<Refused<P>> among(List<P> pieces, Trial<P> trial) throws Trouble, InterruptedException {
        List<Refused<P>> refused = new ArrayList<>();
        find(pieces, trial, refused);
        return refused;
    }

    private static <P> void find(List<P> pieces, Trial<P> trial, List<Refused<P>> refused)
            throws Trouble, InterruptedException {
        try {
            trial.of(pieces);
        } catch (BadData reason) {
            if (pieces.size() == 1) {
                refused.add(new Refused<>(pieces.getFirst(), reason.sentence()));
            } else {
                int half = pieces.size() / 2;
                find(pieces.subList(0, half), trial, refused);
                find(pieces.subList(half, pieces.size()), trial, refused);
            }
        }
    }
}
