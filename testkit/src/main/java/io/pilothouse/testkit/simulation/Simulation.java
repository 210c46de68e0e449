package io.pilothouse.testkit.simulation;

import io.pilothouse.core.port.Store;
import io.pilothouse.core.secret.Vault;
import io.pilothouse.core.secret.VaultKeys;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * The life of one control plane and its clients in a world where everything goes wrong, from one seed. It ends well,
 * with everything deleted and nothing left, or with an error that tells the seed and the last that happened. The store
 * is handed in: nothing of an earlier life may be in it that is still due.
 */
public final class Simulation {
    private static final Duration REST = Duration.ofHours(10);
    private static final Duration STOPS_WITHIN = Duration.ofHours(3);
    private static final Duration ALL_EXPIRES_WITHIN = Duration.ofDays(3);
    private static final Duration SPELL = Duration.ofMinutes(15);
    private static final Duration LONG_SPELL = Duration.ofHours(5);
    private static final Duration MAX_AHEAD = Duration.ofHours(3);

    private final Plan plan;
    private final SimTrace trace = new SimTrace();
    private final SimWorld world;
    private final SimFaults faults;
    private final SimEngines engines;
    private final SimModel model = new SimModel();
    private final SimHost host;
    private final SimClients clients;
    private final SimLaws laws;
    private boolean asking = true;

    /** How long it goes on, and the pauses between two requests and between two mishaps. */
    public record Plan(Duration length, Duration requests, Duration mishaps) {
        /** Two days in which much is asked for and much goes wrong. */
        public static final Plan STORM = new Plan(Duration.ofDays(2), Duration.ofMinutes(20), Duration.ofHours(1));

        public static final Plan WEEK = new Plan(Duration.ofDays(7), Duration.ofMinutes(200), Duration.ofHours(10));
    }

    /** How it went; two lives from one seed have the same hash. */
    public record Outcome(long steps, int starts, long hash, List<String> last) {}

    private Simulation(long seed, Store store, Plan plan) {
        this.plan = plan;
        this.world = new SimWorld(seed, trace);
        this.faults = new SimFaults(world);
        this.engines = new SimEngines(world);
        SecureRandom random = new SecureRandom();
        SimHost.Things things = new SimHost.Things(
                store,
                engines,
                new SimArchives(world),
                new SimReceiver(store),
                new Vault(VaultKeys.generate(random), random),
                random);
        UUID organizationId = UUID.randomUUID();
        this.host = new SimHost(world, faults, things, "host");
        this.clients = new SimClients(
                world, host, model, organizationId, SimTiles.make(store, organizationId, SimWorld.BEGINNING));
        this.laws = new SimLaws(store, host, model, things, organizationId);
    }

    /** Lives one life. */
    public static Outcome run(long seed, Store store, Plan plan) {
        Simulation simulation = new Simulation(seed, store, plan);
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
        world.after(Duration.ZERO, "start", host::start);
        request();
        mishap();
        world.runUntil(SimWorld.BEGINNING.plus(plan.length()));
        asking = false;
        faults.stop();
        rest(REST);
        laws.settled();
        end();
        return new Outcome(world.steps(), host.starts(), trace.hash(), trace.last());
    }

    private void end() {
        List.copyOf(model.alerts.keySet()).forEach(clients.watchers()::deleteAlert);
        List.copyOf(model.services.keySet()).forEach(id -> clients.command(id, "stop"));
        rest(STOPS_WITHIN);
        List.copyOf(model.webhooks.keySet()).forEach(clients.watchers()::deleteWebhook);
        List.copyOf(model.keys.keySet()).forEach(clients.watchers()::deleteKey);
        List.copyOf(model.services.keySet()).forEach(clients::deleteService);
        rest(ALL_EXPIRES_WITHIN);
        laws.empty();
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
        switch (world.chance().nextInt(6)) {
            case 0 -> host.kill();
            case 1 -> faults.fillDisk(about(SPELL));
            case 2 -> faults.loseThePlane(about(SPELL));
            case 3 -> faults.loseTheReceiver(about(LONG_SPELL));
            case 4 -> breakDown();
            default -> jump();
        }
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

    private void jump() {
        Duration by = world.likely(0.5) ? about(SPELL) : about(LONG_SPELL.dividedBy(2));
        boolean back = host.ahead().compareTo(MAX_AHEAD) > 0
                || (world.likely(0.5) && host.ahead().negated().compareTo(MAX_AHEAD) < 0);
        host.jump(back ? by.negated() : by);
        trace.add(world.now(), 1, "clock is ahead by " + host.ahead());
    }

    private Duration about(Duration mean) {
        double share = -Math.log(1 - world.chance().nextDouble());
        return Duration.ofNanos(Math.round(mean.toNanos() * share) + 1);
    }
}
