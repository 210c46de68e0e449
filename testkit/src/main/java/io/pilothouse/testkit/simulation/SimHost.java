package io.pilothouse.testkit.simulation;

import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.core.secret.Vault;
import io.pilothouse.core.service.ServicePorts;
import io.pilothouse.testkit.Killed;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A machine with a clock of its own, on which a control plane is started again whenever it has died. It takes the turns
 * of the dispatcher, as the loop of the program does.
 */
final class SimHost implements Clock {
    private static final Duration MAX_DOWN = Duration.ofMinutes(5);
    private static final Duration SOON = Duration.ofMillis(2);
    private static final Duration MAX_LATE = Duration.ofSeconds(3);
    private static final int FIRST_PORT = 20_000;
    private static final int PLACES = 20;

    private final SimWorld world;
    private final SimFaults faults;
    private final Things things;
    private final String name;
    private Duration ahead = Duration.ZERO;
    private SimPort port;
    private @Nullable SimProcess process;
    private int starts;
    private SimWorld.@Nullable Event planned;
    private @Nullable SimPort turning;
    private boolean nudgedMeanwhile;
    private Consumer<Object> committed = SimHost::unheard;

    /** The things that outlive every process. */
    record Things(
            Store store,
            SimEngines engines,
            SimArchives archives,
            SimReceiver receiver,
            Vault vault,
            SecureRandom random) {}

    SimHost(SimWorld world, SimFaults faults, Things things, String name) {
        this.world = world;
        this.faults = faults;
        this.things = things;
        this.name = name;
        this.port = new SimPort(world, faults);
    }

    private static void unheard(Object result) {}

    /** The time of this machine, which need not be that of the world. */
    @Override
    public Instant now() {
        return world.now().plus(ahead);
    }

    void jump(Duration by) {
        ahead = ahead.plus(by);
    }

    Duration ahead() {
        return ahead;
    }

    int starts() {
        return starts;
    }

    Optional<SimProcess> process() {
        return port.dead() ? Optional.empty() : Optional.ofNullable(process);
    }

    void start() {
        starts++;
        port = new SimPort(world, faults);
        if (planned != null) {
            world.cancel(planned);
            planned = null;
        }
        SimPort own = port;
        guarded(own, SimHost::unheard, () -> {
            SimProcess begun = new SimProcess(
                    new SimProcess.Outside(
                            new SimStore(things.store(), own, faults, world::touch, result -> committed.accept(result)),
                            this,
                            things.engines().through(own, faults),
                            things.archives().through(own, faults),
                            things.receiver().through(world, own, faults),
                            task -> world.after(
                                    world.upTo(SOON),
                                    "pass",
                                    () -> guarded(own, SimHost::unheard, () -> {
                                        task.run();
                                        plan(own, SOON);
                                    })),
                            () -> nudge(own),
                            this::draw,
                            world,
                            things.vault(),
                            things.random()),
                    name + " " + starts);
            try {
                begun.dispatcher.takeOver();
            } catch (StoreUnavailable e) {
                throw own.die("a start: " + e.getMessage());
            }
            process = begun;
            plan(own, SOON);
        });
    }

    /** The process is killed from outside. */
    void kill() {
        SimPort own = port;
        if (!own.dead()) {
            guarded(own, SimHost::unheard, () -> {
                throw own.die("a kill");
            });
        }
    }

    /** Work of one process, which may end with it; another one is started soon. */
    private void guarded(SimPort own, Consumer<Object> hears, Runnable work) {
        if (own.dead()) {
            return;
        }
        Consumer<Object> before = committed;
        committed = hears;
        try {
            work.run();
        } catch (Killed e) {
            if (own == port) {
                process = null;
                world.after(
                        faults.over()
                                ? SOON
                                : MAX_DOWN.multipliedBy(world.chance().nextInt(100))
                                        .dividedBy(100),
                        "start",
                        () -> restart(own));
            }
        } finally {
            committed = before;
        }
    }

    private void restart(SimPort last) {
        if (last == port) {
            start();
        }
    }

    /** A request to the process that runs now; {@code hears} gets what each of its writes gave, once that is committed. */
    void request(Consumer<Object> hears, Consumer<SimProcess> request) {
        guarded(port, hears, () -> process().ifPresent(request));
    }

    private void nudge(SimPort own) {
        for (int wake = faults.wakes(); wake > 0; wake--) {
            world.after(faults.over() ? SOON : world.upTo(MAX_LATE), "nudge", () -> turn(own));
        }
    }

    /** The next turn is no later than this. */
    private void plan(SimPort own, Duration pause) {
        Instant at = world.now().plus(pause);
        if (planned != null && !at.isBefore(planned.at())) {
            return;
        }
        if (planned != null) {
            world.cancel(planned);
        }
        planned = world.after(pause, "turn", () -> {
            planned = null;
            turn(own);
        });
    }

    private void turn(SimPort own) {
        if (turning == own) {
            nudgedMeanwhile = true;
            return;
        }
        SimPort before = turning;
        turning = own;
        nudgedMeanwhile = false;
        try {
            guarded(own, SimHost::unheard, () -> {
                Instant next = running(own).dispatcher.turn();
                Duration pause = Duration.between(now(), next);
                plan(own, nudgedMeanwhile || pause.compareTo(SOON) < 0 ? SOON : pause);
            });
        } finally {
            turning = before;
        }
    }

    private SimProcess running(SimPort own) {
        return process().filter(_ -> own == port).orElseThrow(() -> own.die("its end"));
    }

    private ServicePorts draw() {
        int first = FIRST_PORT + 3 * world.chance().nextInt(PLACES);
        return ServicePorts.of(List.of(first, first + 1, first + 2));
    }
}
