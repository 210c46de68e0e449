package io.pilothouse.console.request;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * The latest requests of each organization, in bounded memory: each forgets its own oldest, and where there are too many
 * organizations the one that has asked nothing for longest is forgotten. Safe for many threads.
 */
public final class RequestRing {
    private final long maxBytesOfOne;
    private final long maxBytes;
    private final Map<UUID, Lane> lanes = new LinkedHashMap<>();
    private long bytes;

    /** The requests of one organization, oldest first. */
    private static final class Lane {
        private final Deque<SeenRequest> requests = new ArrayDeque<>();
        private long bytes;
    }

    public RequestRing(long maxBytesOfOne, long maxBytes) {
        this.maxBytesOfOne = maxBytesOfOne;
        this.maxBytes = maxBytes;
    }

    synchronized void add(SeenRequest request) {
        UUID organizationId = request.sender().organizationId();
        Lane lane = lanes.remove(organizationId);
        if (lane == null) {
            lane = new Lane();
        }
        // The one that asked last is at the end.
        lanes.put(organizationId, lane);
        lane.requests.addLast(request);
        lane.bytes += request.weight();
        bytes += request.weight();
        while (lane.bytes > maxBytesOfOne) {
            int oldest = lane.requests.removeFirst().weight();
            lane.bytes -= oldest;
            bytes -= oldest;
        }
        Iterator<Lane> quietest = lanes.values().iterator();
        while (bytes > maxBytes && quietest.hasNext()) {
            bytes -= quietest.next().bytes;
            quietest.remove();
        }
    }

    /** The latest requests of an organization that are like this, newest first. */
    public List<SeenRequest> latest(UUID organizationId, Predicate<SeenRequest> wanted, int limit) {
        // Looked through without the lock, for which every request of the API would wait.
        return oldestFirst(organizationId).reversed().stream()
                .filter(wanted)
                .limit(limit)
                .toList();
    }

    private synchronized List<SeenRequest> oldestFirst(UUID organizationId) {
        Lane lane = lanes.get(organizationId);
        return lane == null ? List.of() : List.copyOf(lane.requests);
    }

    /** One request of this organization, if it is not forgotten. */
    public Optional<SeenRequest> find(UUID organizationId, UUID requestId) {
        return latest(organizationId, request -> request.requestId().equals(requestId), 1).stream()
                .findFirst();
    }
}
