package io.pilothouse.pipes.worker.records;

import io.pilothouse.pipes.wire.Report.Condition;
import io.pilothouse.pipes.worker.outside.BackOff;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Trouble;

/**
 * Reads a stream until the worker is to drain, and tries again where something outside does not work. What was read and
 * not yet inserted is forgotten where a try ends, and read again from the ledger's place.
 */
public final class StreamTries {
    private final Link link;

    /** One try; it ends where the worker is to drain. */
    @FunctionalInterface
    public interface Try {
        /** {@code backOff} is to be reset once something was inserted. */
        void read(BackOff backOff) throws Trouble, InterruptedException;
    }

    public StreamTries(Link link) {
        this.link = link;
    }

    public void run(Try one) throws InterruptedException {
        BackOff backOff = new BackOff();
        long pause = 0;
        while (!link.pause(pause)) {
            try {
                one.read(backOff);
            } catch (Trouble.Owner fault) {
                link.report(Condition.FAILED, fault.sentence(), -1);
                return;
            } catch (Trouble.DestinationAway away) {
                link.report(Condition.WITHOUT_DESTINATION, away.sentence(), -1);
            } catch (Trouble away) {
                link.report(Condition.WITHOUT_SOURCE, away.sentence(), -1);
            }
            pause = backOff.millis();
        }
    }
}
