package io.pilothouse.testkit.simulation;

import io.pilothouse.core.port.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The machines of a control plane: one, or several that share its store and its work. */
final class SimFleet implements Clock {
    private final SimWorld world;
    private final List<SimHost> hosts = new ArrayList<>();

    SimFleet(SimWorld world, SimFaults faults, SimHost.Things things, int processes) {
        this.world = world;
        for (int host = 1; host <= processes; host++) {
            hosts.add(new SimHost(world, faults, things, "host" + host, this::worked));
        }
    }

    private void worked(SimHost by) {
        hosts.stream().filter(host -> host != by).forEach(SimHost::poll);
    }

    /** The time that rows are written with: that of the one machine, or that of the store. */
    @Override
    public Instant now() {
        return hosts.size() == 1 ? hosts.getFirst().now() : world.now();
    }

    List<SimHost> hosts() {
        return hosts;
    }

    SimHost any() {
        return hosts.get(world.chance().nextInt(hosts.size()));
    }

    int starts() {
        return hosts.stream().mapToInt(SimHost::starts).sum();
    }

    /** A request to a process that answers, if there is one. */
    void request(Consumer<Object> hears, Consumer<SimProcess> request) {
        List<SimHost> up = hosts.stream().filter(SimHost::answers).toList();
        if (!up.isEmpty()) {
            up.get(world.chance().nextInt(up.size())).request(hears, request);
        }
    }
}
