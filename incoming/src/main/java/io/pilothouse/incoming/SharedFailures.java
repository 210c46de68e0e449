package io.pilothouse.incoming;

import io.pilothouse.core.port.Allowances;
import io.pilothouse.core.port.Allowances.Share;
import io.pilothouse.core.secret.SecretHash;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Failed logins at all processes of a store together: of an address, of a name, and of an address with a name. Each
 * process adds a bounded number of rows a minute, so that strangers cannot fill the store. Safe for many threads.
 */
final class SharedFailures {
    private static final System.Logger LOG = System.getLogger(SharedFailures.class.getName());
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();
    private static final int COUNTED_A_MINUTE = 20_000;

    private final Allowances allowances;
    private final int most;
    private final LongSupplier nanoTime;
    private final int countedAMinute;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean begun;
    private long began;
    private int counted;

    SharedFailures(Allowances allowances, int most, LongSupplier nanoTime) {
        this(allowances, most, nanoTime, COUNTED_A_MINUTE);
    }

    SharedFailures(Allowances allowances, int most, LongSupplier nanoTime, int countedAMinute) {
        this.allowances = allowances;
        this.most = most;
        this.nanoTime = nanoTime;
        this.countedAMinute = countedAMinute;
    }

    /** What is known of the three parties to a try; null of one that has not failed in its minute. */
    record Known(
            @Nullable Share from,
            @Nullable Share name,
            @Nullable Share pair) {
        private static final Known NOTHING = new Known(null, null, null);
    }

    /** Counts a failure; in the answer, nothing is granted to a party that had failed too often before. */
    Known failed(Origin from, Object name) {
        if (!mayCount()) {
            return Known.NOTHING;
        }
        Names names = Names.of(from, name);
        return names.of(allowances.take(names.all(), 1, most));
    }

    /** How the parties stand. */
    Known find(Origin from, Object name) {
        Names names = Names.of(from, name);
        return names.of(allowances.find(names.all(), most));
    }

    private boolean mayCount() {
        lock.lock();
        try {
            long now = nanoTime.getAsLong();
            if (!begun || now - began >= MINUTE) {
                begun = true;
                began = now;
                counted = 0;
            }
            counted++;
            if (counted == countedAMinute + 1) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "More than {0} failed logins in a minute: the rest of them is counted by this process alone",
                        Integer.toString(countedAMinute));
            }
            return counted <= countedAMinute;
        } finally {
            lock.unlock();
        }
    }

    /** The parties as allowances: hashes, because a client chooses what it calls itself, and how long that is. */
    private record Names(String from, String name, String pair) {
        static Names of(Origin from, Object name) {
            return new Names(hash("address " + from), hash("name " + name), hash("pair " + from + " " + name));
        }

        private static String hash(String party) {
            return "logins " + HexFormat.of().formatHex(SecretHash.sha256(party));
        }

        Set<String> all() {
            return Set.of(from, name, pair);
        }

        Known of(Map<String, Share> shares) {
            return new Known(shares.get(from), shares.get(name), shares.get(pair));
        }
    }
}
