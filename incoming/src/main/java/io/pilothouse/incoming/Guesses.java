package io.pilothouse.incoming;

import io.pilothouse.core.port.Allowances;
import io.pilothouse.core.port.Allowances.Share;
import io.pilothouse.core.secret.SecretHash;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds up those who guess secrets: an address, and a name (a key's id, a service), has a number of failures a minute.
 * Who is over it is not looked up at all, so that a right guess looks like a wrong one. A credential that was right
 * before passes whatever others do from the same address, and a name under attack stays open to addresses that have not
 * failed with it. Secrets are remembered as hashes under a key of this process. Where several processes share the
 * store, a failure counts at all of them: it is counted there before the client hears of it, and a credential that was
 * not right at this process before is let in only if its client may still try, so that nobody gets one try more for
 * each process. Safe for many threads.
 */
public final class Guesses {
    private static final int SALT_BYTES = 32;
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final int REMEMBERED = 20_000;

    private final int most;
    private final LongSupplier nanoTime;
    private final byte[] salt;
    private final Optional<SharedFailures> shared;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Object, Window> failures = new Latest<>();
    private final Map<Print, Boolean> proven = new Latest<>();
    private final LongAdder failed = new LongAdder();
    private final LongAdder heldUp = new LongAdder();

    /** {@code most} failures a minute at this process; any number if it is 0. */
    public Guesses(int most, LongSupplier nanoTime, byte[] salt) {
        this(most, nanoTime, salt, Optional.empty());
    }

    /** The same at all processes together, if there are others. */
    public Guesses(int most, LongSupplier nanoTime, byte[] salt, Optional<Allowances> shared) {
        this.most = most;
        this.nanoTime = nanoTime;
        this.salt = salt.clone();
        this.shared = shared.filter(_ -> most > 0).map(allowances -> new SharedFailures(allowances, most, nanoTime));
    }

    /** By the clock of this process, with a salt of its own. */
    public static Guesses atMost(int most, SecureRandom random, Optional<Allowances> shared) {
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        return new Guesses(most, System::nanoTime, salt, shared);
    }

    /** The minute since a first failure, and the failures in it. */
    private record Window(long began, int count) {}

    private record ByName(Object name) {}

    private record Pair(Origin from, Object name) {}

    /** A credential that nobody can read out of memory. */
    private record Print(long high, long low) {}

    /** Forgets what was of no use for longest. */
    private static final class Latest<K, V> extends LinkedHashMap<K, V> {
        private static final long serialVersionUID = 1L;

        private Latest() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > REMEMBERED;
        }
    }

    /** One try with a credential; null where a client shows none that could be recognized again. */
    public Attempt attempt(InetAddress from, Object name, @Nullable String credential) {
        return new Attempt(Origin.of(from), name, credential == null ? null : print(credential));
    }

    /** Tries that failed since the start. */
    public long failed() {
        return failed.sum();
    }

    /** Tries that were refused without a look since the start. */
    public long heldUp() {
        return heldUp.sum();
    }

    /** One try to log in. */
    public final class Attempt {
        private final Origin from;
        private final Object name;
        private final @Nullable Print print;

        private Attempt(Origin from, Object name, @Nullable Print print) {
            this.from = from;
            this.name = name;
            this.print = print;
        }

        /** How long until it may be made; 0 if it may be made now. */
        public long secondsToWait() {
            if (most == 0) {
                return 0;
            }
            lock.lock();
            try {
                long wait = isProven() ? 0 : Math.max(rest(from), hasFailed() ? rest(new ByName(name)) : 0);
                if (wait > 0) {
                    heldUp.increment();
                }
                return Math.ceilDiv(wait, SECOND);
            } finally {
                lock.unlock();
            }
        }

        /** The credential was wrong; how long the client has to wait if others had counted too many before, else 0. */
        public long failed() {
            failed.increment();
            lock.lock();
            try {
                if (print != null) {
                    proven.remove(print);
                }
                count(from);
                count(new ByName(name));
                count(new Pair(from, name));
            } finally {
                lock.unlock();
            }
            if (shared.isEmpty()) {
                return 0;
            }
            SharedFailures.Known known = shared.get().failed(from, name);
            boolean before = known.pair() != null
                    && (isRefused(known.pair()) || known.pair().left() < most - 1);
            return learn(known, isRefused(known.from()), before && isRefused(known.name()));
        }

        /** The credential was right; how long the client has to wait all the same, or 0. */
        public long proven() {
            if (most == 0 || !isNew()) {
                return 0;
            }
            if (shared.isPresent()) {
                SharedFailures.Known known = shared.get().find(from, name);
                long wait = learn(known, isUsedUp(known.from()), known.pair() != null && isUsedUp(known.name()));
                if (wait > 0) {
                    return wait;
                }
            }
            if (print != null) {
                lock.lock();
                try {
                    proven.put(print, true);
                } finally {
                    lock.unlock();
                }
            }
            return 0;
        }

        private boolean isNew() {
            lock.lock();
            try {
                return !isProven();
            } finally {
                lock.unlock();
            }
        }

        /** Notes what others have counted, so that the next try needs no trip, and says how long this one waits. */
        private long learn(SharedFailures.Known known, boolean byAddress, boolean byName) {
            lock.lock();
            try {
                note(from, known.from());
                note(new ByName(name), known.name());
                note(new Pair(from, name), known.pair());
                long wait = Math.max(byAddress ? rest(known.from()) : 0, byName ? rest(known.name()) : 0);
                if (wait > 0) {
                    heldUp.increment();
                }
                return Math.ceilDiv(wait, SECOND);
            } finally {
                lock.unlock();
            }
        }

        private boolean isProven() {
            return print != null && proven.get(print) != null;
        }

        private boolean hasFailed() {
            Window window = failures.get(new Pair(from, name));
            return window != null && nanoTime.getAsLong() - window.began() < MINUTE;
        }
    }

    private static boolean isRefused(@Nullable Share share) {
        return share != null && share.granted() == 0;
    }

    private static boolean isUsedUp(@Nullable Share share) {
        return share != null && share.left() == 0;
    }

    private static long rest(@Nullable Share share) {
        return share == null ? 0 : share.rest().toNanos();
    }

    private void note(Object party, @Nullable Share share) {
        if (share != null) {
            failures.put(party, new Window(nanoTime.getAsLong() + rest(share) - MINUTE, most - share.left()));
        }
    }

    /** What is left of the minute of a party with too many failures. */
    private long rest(Object party) {
        Window window = failures.get(party);
        return window == null || window.count() < most
                ? 0
                : Math.max(0, window.began() + MINUTE - nanoTime.getAsLong());
    }

    private void count(Object party) {
        long now = nanoTime.getAsLong();
        Window window = failures.get(party);
        failures.put(
                party,
                window == null || now - window.began() >= MINUTE
                        ? new Window(now, 1)
                        : new Window(window.began(), window.count() + 1));
    }

    private Print print(String credential) {
        MessageDigest digest = SecretHash.newSha256();
        digest.update(salt);
        ByteBuffer hash = ByteBuffer.wrap(digest.digest(credential.getBytes(StandardCharsets.UTF_8)));
        return new Print(hash.getLong(), hash.getLong());
    }
}
