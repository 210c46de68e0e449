package io.pilothouse.core.delivery;

import io.pilothouse.core.right.Permit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How the latest messages of each organization fared, in memory. A message is one line however often it is tried, so
 * that a receiver that never answers does not displace the others. Safe for many threads.
 */
public final class DeliveryLog {
    static final int MAX_OF_ORGANIZATION = 200;
    static final int MAX_LINES = 5_000;

    private final ReentrantLock lock = new ReentrantLock();
    /** The organization that was heard of last is the last one. */
    private final SequencedMap<UUID, SequencedMap<UUID, DeliveryLine>> organizations = new LinkedHashMap<>();

    private int lines;

    /** Adds a line, or replaces that of an earlier attempt. */
    void add(DeliveryLine line) {
        lock.lock();
        try {
            SequencedMap<UUID, DeliveryLine> own =
                    organizations.computeIfAbsent(line.organizationId(), _ -> new LinkedHashMap<>());
            organizations.putLast(line.organizationId(), own);
            if (own.putLast(line.messageId(), line) == null) {
                lines++;
            }
            if (own.size() > MAX_OF_ORGANIZATION) {
                own.pollFirstEntry();
                lines--;
            }
            while (lines > MAX_LINES) {
                Map.Entry<UUID, SequencedMap<UUID, DeliveryLine>> quiet = organizations.pollFirstEntry();
                lines -= quiet.getValue().size();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The lines of an organization, the latest attempt first. */
    public List<DeliveryLine> list(Permit permit) {
        lock.lock();
        try {
            SequencedMap<UUID, DeliveryLine> own = organizations.get(permit.organizationId());
            return own == null ? List.of() : new ArrayList<>(own.reversed().values());
        } finally {
            lock.unlock();
        }
    }

    /** Forgets the organizations among these ids. */
    public void forget(Collection<UUID> ids) {
        lock.lock();
        try {
            for (UUID id : ids) {
                SequencedMap<UUID, DeliveryLine> gone = organizations.remove(id);
                lines -= gone == null ? 0 : gone.size();
            }
        } finally {
            lock.unlock();
        }
    }
}
