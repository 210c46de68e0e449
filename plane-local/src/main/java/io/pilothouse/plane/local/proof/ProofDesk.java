package io.pilothouse.plane.local.proof;

import io.pilothouse.core.backup.Proving;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Which backup is proven now, one at a time, and how the last proofs ended. Safe for many threads. */
public final class ProofDesk {
    private static final long REST = Duration.ofMinutes(5).toNanos();

    private final LongSupplier nanos;
    private final Map<UUID, Proving.Ended> ended = new HashMap<>();
    private @Nullable UUID underWay;
    private boolean resting;
    private long restsSince;

    public ProofDesk(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Whether this backup is the one from now on. */
    public synchronized boolean take(UUID backup) {
        if (!(of(backup) instanceof Proving.Idle)) {
            return false;
        }
        underWay = backup;
        return true;
    }

    public synchronized void end(UUID backup, Proving.Ended how) {
        underWay = null;
        ended.put(backup, how);
    }

    /** There was no room for it: it and all others are tried again after a while. */
    public synchronized void giveWay() {
        underWay = null;
        resting = true;
        restsSince = nanos.getAsLong();
    }

    public synchronized Proving of(UUID backup) {
        Proving.Ended how = ended.get(backup);
        if (how != null) {
            return how;
        }
        if (backup.equals(underWay)) {
            return new Proving.UnderWay();
        }
        resting = resting && nanos.getAsLong() - restsSince < REST;
        return underWay == null && !resting ? new Proving.Idle() : new Proving.Busy();
    }

    /** Nobody asks after this backup any more. */
    public synchronized void forget(UUID backup) {
        ended.remove(backup);
    }
}
