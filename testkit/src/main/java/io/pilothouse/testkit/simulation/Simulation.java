package io.pilothouse.testkit.simulation;

import io.pilothouse.core.port.Store;
import io.pilothouse.core.secret.Vault;
import io.pilothouse.core.secret.VaultKeys;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;

/**
 * The life of a control plane, of one process or several, and its clients in a world where everything goes wrong, from one seed. It ends well,
 * with everything deleted and nothing left, or with an error that tells the seed and the last that happened. The store
 * is handed in: nothing of an earlier life may be in it that is still due.
 */
public final class Simulation {
    private static final Duration REST = Duration.ofHours(10);
    private static final Duration AN_HOUR = Duration.ofHours(1);
    private static final Duration HALF_AN_HOUR = Duration.ofMinutes(30);
    private static final Duration STOPS_WITHIN = Duration.ofHours(3);
    private static final Duration PIPES_END_WITHIN = Duration.ofHours(1);
    private static final Duration ALL_EXPIRES_WITHIN = Duration.ofDays(3);
    private static final Duration SPELL = Duration.ofMinutes(15);
    private static final Duration LONG_SPELL = Duration.ofHours(5);
    private static final Duration JOINS_AFTER = Duration.ofHours(1);
    private static final Duration ALL_ARE_UP_AFTER = Duration.ofMinutes(10);
    private static final Duration MIDST = Duration.ofMillis(100);
    private static final Duration STOPPED_FOR = Duration.ofSeconds(15);
    private static final int MAX_PLACES = 50;
    private static final int REQUESTS_AT_ONCE = 10;
    private static final Duration MAX_AHEAD = Duration.ofHours(3);

    private final Plan plan;
    private final SimTrace trace = new SimTrace();
    private final SimWorld world;
    private final SimFaults faults;
    private final SimEngines engines;
    private final SimWorkers workers;
    private final SimModel model = new SimModel();
    private final SimFence fence;
    private final SimFleet fleet;
    private final SimClients clients;
    private final SimLaws laws;
    private boolean asking = true;

    /** How long it goes on, the pauses between two requests and between two mishaps, and how many processes there are. */
    public record Plan(Duration length, Duration requests, Duration mishaps, int processes) {
        /** Two days in which much is asked for and much goes wrong. */
        public static final Plan STORM = new Plan(Duration.ofDays(2), Duration.ofMinutes(20), Duration.ofHours(1), 1);

        public static final Plan WEEK = new Plan(Duration.ofDays(7), Duration.ofMinutes(200), Duration.ofHours(10), 1);

        /** A night in which three processes share a store, and stop, go, come and are cut off from it. */
        public static final Plan THREE =
                new Plan(Duration.ofHours(10), Duration.ofMinutes(5), Duration.ofMinutes(5), 3);
    }

    /**
     * How it went; two lives from one seed have the same hash. {@code late} is how often a process came back to work
     * that another one had by then.
     */
    public record Outcome(long steps, int starts, long late, long hash, List<String> last) {}

    private Simulation(long seed, Store store, SimClocks clocks, Plan plan) {
        boolean shared = plan.processes() > 1;
        this.plan = plan;
        this.world = new SimWorld(seed, trace, plan.processes());
        this.fence = new SimFence(world, store, shared);
        this.faults = new SimFaults(world);
        this.engines = new SimEngines(world, fence);
        this.workers = new SimWorkers(world, fence);
        SecureRandom random = new SecureRandom();
        SimHost.Things things = new SimHost.Things(
                store,
                clocks,
                shared,
                fence,
                engines,
                new SimArchives(world, fence),
                new SimReceiver(store),
                workers,
                new Vault(VaultKeys.generate(random), random),
                random);
        UUID organizationId = UUID.randomUUID();
        this.fleet = new SimFleet(world, faults, things, plan.processes());
        this.clients = new SimClients(
                world, fleet, model, organizationId, SimTiles.make(store, organizationId, SimWorld.BEGINNING));
        this.laws = new SimLaws(store, fleet, model, things, organizationId);
    }

    /** Lives one life. */
    public static Outcome run(long seed, Store store, Plan plan) {
        return run(seed, store, SimClocks.OF_THE_MACHINE, plan);
    }

    /** Lives one life with these clocks, which processes that share the store need. */
    public static Outcome run(long seed, Store store, SimClocks clocks, Plan plan) {
        Simulation simulation = new Simulation(seed, store, clocks, plan);
        try {
            return simulation.live();
        } catch (RuntimeException | Error e) {
            throw new AssertionError(
                    "Seed " + seed + " of " + plan + " ends badly after " + simulation.world.steps() + " steps: "
                            + simulation.trace.named(String.valueOf(e.getMessage())) + "\n"
                            + String.join("\n", simulation.trace.last()),
                    e);
        }
    }

    private Outcome live() {
        world.afterEach(laws::hold);
        fleet.hosts()
                .forEach(host -> world.after(
                        host == fleet.hosts().getFirst() ? Duration.ZERO : about(JOINS_AFTER),
                        host.name() + " start",
                        host::start));
        request();
        mishap();
        world.runUntil(SimWorld.BEGINNING.plus(plan.length()));
        asking = false;
        faults.stop();
        // One that has little to do gets to its mishap hours later, and no two may be lost at once from here on.
        fleet.hosts().forEach(SimHost::spare);
        if (plan.processes() > 1) {
            replaceEach();
        }
        rest(REST.plus(untilHalfPast()));
        laws.settled();
        end();
        return new Outcome(world.steps(), fleet.starts(), fence.late(), trace.hash(), trace.last());
    }

    /** Each process dies in the middle of its work, or is asked to stop there, when nothing else is wrong. */
    private void replaceEach() {
        for (SimHost host : fleet.hosts()) {
            rest(ALL_ARE_UP_AFTER);
            fleet.hosts().forEach(SimHost::spare);
            if (world.likely(0.3)) {
                world.after(world.upTo(MIDST), "stop", host::leave);
            } else {
                host.killAt(1 + world.chance().nextInt(MAX_PLACES));
            }
            for (int request = 0; request < REQUESTS_AT_ONCE; request++) {
                clients.ask();
            }
        }
        rest(ALL_ARE_UP_AFTER);
    }

    private void end() {
        List.copyOf(model.alerts.keySet()).forEach(clients.watchers()::deleteAlert);
        List.copyOf(model.services.keySet()).forEach(id -> clients.command(id, "stop"));
        rest(STOPS_WITHIN);
        List.copyOf(model.webhooks.keySet()).forEach(clients.watchers()::deleteWebhook);
        List.copyOf(model.keys.keySet()).forEach(clients.watchers()::deleteKey);
        List.copyOf(model.services.keySet()).forEach(clients::deleteService);
        rest(PIPES_END_WITHIN);
        laws.pipesEnded();
        rest(ALL_EXPIRES_WITHIN);
        laws.empty();
    }

    /** Schedules act at full hours: what one has just asked for has not settled. */
    private Duration untilHalfPast() {
        Instant now = fleet.now();
        Duration since = Duration.between(now.truncatedTo(ChronoUnit.HOURS), now);
        return HALF_AN_HOUR.minus(since).plus(since.compareTo(HALF_AN_HOUR) > 0 ? AN_HOUR : Duration.ZERO);
    }

    private void rest(Duration time) {
        Instant until = world.now().plus(time);
        world.runUntil(until);
    }

    /** Requests come in bursts: many follow the one before at once. */
    private void request() {
        Duration pause = world.likely(0.4) ? world.upTo(Duration.ofSeconds(5)) : about(plan.requests());
        world.after(pause, "request", () -> {
            if (asking) {
                request();
                clients.ask();
            }
        });
    }

    private void mishap() {
        world.after(about(plan.mishaps()), "mishap", () -> {
            if (asking) {
                mishap();
                befall();
            }
        });
    }

    private void befall() {
        SimHost host = fleet.any();
        switch (world.chance().nextInt(plan.processes() > 1 ? 13 : 7)) {
            case 0 -> host.kill();
            case 1 -> faults.fillDisk(about(SPELL));
            case 2 -> faults.loseThePlane(about(SPELL));
            case 3 -> faults.loseTheReceiver(about(LONG_SPELL));
            case 4 -> breakDown();
            case 5 -> breakDownWorkers();
            case 6 -> jump(host);
            case 7, 8, 9 -> stand(host);
            case 10, 11 -> cut(host);
            default -> host.leave();
        }
    }

    /** A process stands still for longer than its lease, or not quite. */
    private void stand(SimHost host) {
        Duration time = about(STOPPED_FOR);
        boolean asleep = world.likely(0.2);
        trace.add(world.now(), 1, host.name() + (asleep ? " sleeps for " : " stands still for ") + time);
        host.standAt(1 + world.chance().nextInt(MAX_PLACES), time, asleep);
    }

    private void cut(SimHost host) {
        Duration time = about(world.likely(0.5) ? STOPPED_FOR : SPELL);
        trace.add(world.now(), 1, host.name() + " is cut off for " + time);
        host.machine().cut(time);
    }

    /** An engine dies; that is noticed at once, or not before the next look. */
    private void breakDown() {
        List<UUID> there = List.copyOf(engines.there());
        if (there.isEmpty()) {
            return;
        }
        UUID id = there.get(world.chance().nextInt(there.size()));
        engines.breakDown(id);
        trace.add(world.now(), 1, "breaks down " + id);
        if (world.likely(0.7)) {
            clients.noticed(id);
        }
    }

    /** Nobody hears of it before the next look. */
    private void breakDownWorkers() {
        List<UUID> there = List.copyOf(workers.there());
        if (!there.isEmpty()) {
            UUID id = there.get(world.chance().nextInt(there.size()));
            workers.breakDown(id);
            trace.add(world.now(), 1, "workers break down of pipe " + id);
        }
    }

    private void jump(SimHost host) {
        Duration by = world.likely(0.5) ? about(SPELL) : about(LONG_SPELL.dividedBy(2));
        Duration ahead = host.machine().ahead();
        boolean back = ahead.compareTo(MAX_AHEAD) > 0
                || (world.likely(0.5) && ahead.negated().compareTo(MAX_AHEAD) < 0);
        host.machine().jump(back ? by.negated() : by);
        trace.add(world.now(), 1, "clock is ahead by " + host.machine().ahead());
    }

    private Duration about(Duration mean) {
        double share = -Math.log(1 - world.chance().nextDouble());
        return Duration.ofNanos(Math.round(mean.toNanos() * share) + 1);
    }
}
