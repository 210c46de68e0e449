package io.pilothouse.incoming;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The bytes that all clients together may have in memory, and the half of them that one party (an address, a key, a
 * tenant) may. A guest's first bytes are free: they are part of what its connection costs. Safe for many threads.
 */
public final class Room {
    /** A request of the usual size never has to ask. */
    public static final int FREE = 4 * 1024;

    private final long total;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Object, Long> taken = new HashMap<>();
    private long takenByAll;

    public Room(long total) {
        this.total = total;
    }

    /** A sixteenth of the heap: with all its copies, a byte on its way costs about four. */
    public static Room ofHeap() {
        return new Room(Runtime.getRuntime().maxMemory() / 16);
    }

    public long taken() {
        lock.lock();
        try {
            return takenByAll;
        } finally {
            lock.unlock();
        }
    }

    /** Room for the bytes of one request of these parties. */
    public Guest guest(List<?> parties) {
        return new Guest(parties);
    }

    /** What one request has taken; used by one thread at a time. */
    public final class Guest {
        private final List<?> parties;
        private long seen;
        private long held;

        private Guest(List<?> parties) {
            this.parties = parties;
        }

        /** Takes room for this many bytes more; false if there is not enough, and then nothing is taken. */
        public boolean take(long bytes) {
            long charged = Math.max(0, seen + bytes - FREE) - Math.max(0, seen - FREE);
            if (charged > 0 && !takeCharged(charged)) {
                return false;
            }
            seen += bytes;
            return true;
        }

        /** The request is over, or its bytes are nobody's any more. */
        public void leave() {
            seen = 0;
            if (held == 0) {
                return;
            }
            lock.lock();
            try {
                takenByAll -= held;
                for (Object party : parties) {
                    taken.computeIfPresent(party, (_, bytes) -> bytes == held ? null : Long.valueOf(bytes - held));
                }
            } finally {
                lock.unlock();
            }
            held = 0;
        }

        private boolean takeCharged(long bytes) {
            lock.lock();
            try {
                if (takenByAll + bytes > total) {
                    return false;
                }
                for (Object party : parties) {
                    if (taken.getOrDefault(party, 0L) + bytes > total / 2) {
                        return false;
                    }
                }
                takenByAll += bytes;
                for (Object party : parties) {
                    taken.merge(party, bytes, Long::sum);
                }
                held += bytes;
                return true;
            } finally {
                lock.unlock();
            }
        }
    }
}
