package io.pilothouse.gateway;

import io.pilothouse.gateway.tls.GatewayDurableFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntPredicate;

/**
 * Which port belongs to which service, over restarts. A port is on disk before anybody is told of it, and is given to
 * nobody else while its service lives; ports that were given back are the last to be given out again.
 */
public final class GatewayPorts implements AutoCloseable {
    private final Range range;
    private final IntPredicate bindable;
    private final FileChannel journal;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<UUID, Map<GatewayProtocol, Integer>> assigned;
    private final Map<Integer, UUID> owners = new TreeMap<>();
    private int next;

    /** The ports that may be given out, both ends included. */
    public record Range(int first, int last) {
        private static final int HIGHEST = 65_535;

        public Range {
            if (first < 1 || last > HIGHEST || first > last) {
                throw new IllegalArgumentException("The gateway's port range must lie within 1 to " + HIGHEST + ", and "
                        + first + " to " + last + " does not");
            }
        }
    }

    private GatewayPorts(Range range, IntPredicate bindable, FileChannel journal, GatewayPortJournal read) {
        this.range = range;
        this.bindable = bindable;
        this.journal = journal;
        this.assigned = read.assigned();
        this.next = read.next();
        assigned.forEach((service, ports) -> ports.values().forEach(port -> owners.put(port, service)));
    }

    /**
     * Reads the file, or begins it.
     *
     * @param bindable whether a port is free on this machine, asked once before it is given out
     * @throws IOException if the file cannot be read or written, or is not what this class writes
     */
    public static GatewayPorts open(Path file, Range range, IntPredicate bindable) throws IOException {
        String text = Files.exists(file) ? Files.readString(file, StandardCharsets.UTF_8) : "";
        GatewayPortJournal read = GatewayPortJournal.read(text, range.first());
        byte[] compact = read.written().getBytes(StandardCharsets.UTF_8);
        GatewayDurableFile.replace(file, compact, GatewayDurableFile.OWNER_ONLY);
        FileChannel journal = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
        return new GatewayPorts(range, bindable, journal, read);
    }

    /** The service's port for every protocol: the same for as long as the service lives. */
    public Map<GatewayProtocol, Integer> assign(UUID service) {
        lock.lock();
        try {
            Map<GatewayProtocol, Integer> ports = new EnumMap<>(GatewayProtocol.class);
            ports.putAll(assigned.getOrDefault(service, Map.of()));
            List<GatewayProtocol> missing = new ArrayList<>(List.of(GatewayProtocol.values()));
            missing.removeAll(ports.keySet());
            if (!missing.isEmpty()) {
                int from = next;
                for (GatewayProtocol protocol : missing) {
                    from = free(from, ports);
                    ports.put(protocol, from);
                }
                append(GatewayPortJournal.assignment(service, ports));
                next = from + 1;
                assigned.put(service, ports);
                ports.values().forEach(port -> owners.put(port, service));
            }
            return Collections.unmodifiableMap(new EnumMap<>(ports));
        } finally {
            lock.unlock();
        }
    }

    /** What was assigned, without assigning. */
    public Optional<Map<GatewayProtocol, Integer>> find(UUID service) {
        lock.lock();
        try {
            return Optional.ofNullable(assigned.get(service)).map(Map::copyOf);
        } finally {
            lock.unlock();
        }
    }

    /** Gives the ports of a service that is gone back; one that never had any is no fault. */
    public void release(UUID service) {
        lock.lock();
        try {
            if (assigned.containsKey(service)) {
                append(GatewayPortJournal.release(service));
                assigned.remove(service);
                owners.values().removeIf(service::equals);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Everybody who has ports, so that those of services that are no more can be found. */
    public Set<UUID> services() {
        lock.lock();
        try {
            return Set.copyOf(assigned.keySet());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        journal.close();
    }

    private int free(int from, Map<GatewayProtocol, Integer> alreadyTaken) {
        int size = range.last() - range.first() + 1;
        int offset = Math.floorMod(from - range.first(), size);
        for (int step = 0; step < size; step++) {
            int port = range.first() + (offset + step) % size;
            if (!owners.containsKey(port) && !alreadyTaken.containsValue(port) && bindable.test(port)) {
                return port;
            }
        }
        throw new IllegalStateException("All ports of the gateway from " + range.first() + " to " + range.last()
                + " are taken; widen the range.");
    }

    private void append(String line) {
        try {
            GatewayDurableFile.append(journal, line.getBytes(StandardCharsets.UTF_8));
        } catch (IOException failed) {
            throw new UncheckedIOException("The gateway's ports could not be written down.", failed);
        }
    }
}
