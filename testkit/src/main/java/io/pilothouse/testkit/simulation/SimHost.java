package io.pilothouse.testkit.simulation;

import io.pilothouse.core.engine.DispatchLimits;
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
 * A machine on which a control plane is started again whenever it has died. It takes the turns of the dispatcher, as
 * the loop of the program does, and of the turns of each second those that could find something.
 */
final class SimHost {
    private static final Duration MAX_DOWN = Duration.ofMinutes(5);
    private static final Duration SOON = Duration.ofMillis(2);
    private static final Duration MAX_LATE = Duration.ofSeconds(3);
    private static final Duration PASSES_END_WITHIN = Duration.ofSeconds(2);
    private static final Duration BREATH = Duration.ofMillis(100);
    private static final Duration FOLLOWS_AFTER = Duration.ofSeconds(5);
    private static final int FIRST_PORT = 20_000;
    private static final int PLACES = 20;

    private final SimWorld world;
    private final SimFaults faults;
    private final Things things;
    private final Consumer<SimHost> worked;
    private final String name;
    private final SimMachine machine;
    private SimPort port;
    private SimClocks.Kept clock;
    private Instant followed = SimWorld.BEGINNING;
    private @Nullable SimProcess process;
    private @Nullable SimPort leaving;
    private int starts;
    private SimWorld.@Nullable Event planned;
    private @Nullable SimPort turning;
    private boolean nudgedMeanwhile;
    private Consumer<Object> committed = SimHost::unheard;

    /** The things that outlive every process; {@code shared} if several processes have them. */
    record Things(
            Store store,
            SimClocks clocks,
            boolean shared,
            SimFence fence,
            SimEngines engines,
            SimArchives archives,
            SimReceiver receiver,
            SimWorkers workers,
            Vault vault,
            SecureRandom random) {}

    /** {@code worked} hears of each write about tasks. */
    SimHost(SimWorld world, SimFaults faults, Things things, String name, Consumer<SimHost> worked) {
        this.world = world;
        this.faults = faults;
        this.things = things;
        this.worked = worked;
        this.name = name;
        this.machine = new SimMachine(world, faults);
        this.port = new SimPort(world, faults, machine, things.shared());
        this.clock = new SimClocks.Kept(machine, () -> {});
    }

    private static void unheard(Object result) {}

    /** The time by which its process works. */
    Instant now() {
        return clock.clock().now();
    }

    String name() {
        return name;
    }

    SimMachine machine() {
        return machine;
    }

    int starts() {
        return starts;
    }

    Optional<SimProcess> process() {
        return port.dead() ? Optional.empty() : Optional.ofNullable(process);
    }

    /** Whether requests reach a process. */
    boolean answers() {
        return process().isPresent() && leaving != port;
    }

    void start() {
        starts++;
        machine.goOn();
        port = new SimPort(world, faults, machine, things.shared());
        if (planned != null) {
            world.cancel(planned);
            planned = null;
        }
        SimPort own = port;
        guarded("start", own, SimHost::unheard, () -> {
            try {
                clock = things.clocks().begin(machine, machine::ticks, machine::ask);
                SimProcess begun = new SimProcess(outside(own, clock.clock()), name + " " + starts);
                if (!things.shared()) {
                    begun.dispatcher.takeOver();
                }
                process = begun;
            } catch (StoreUnavailable e) {
                throw own.die("a start: " + e.getMessage());
            }
            plan(own, SOON);
        });
    }

    private SimProcess.Outside outside(SimPort own, Clock time) {
        return new SimProcess.Outside(
                new SimStore(things, world, faults, own, result -> committed.accept(result), () -> worked.accept(this)),
                time,
                things.engines().through(own, faults),
                things.archives().through(own, faults),
                things.receiver().through(world, own, faults),
                things.workers().through(own, faults),
                task -> world.after(world.upTo(SOON), name + " pass", () -> pass(own, task)),
                () -> nudge(own),
                this::draw,
                world,
                things.fence(),
                things.shared(),
                things.vault(),
                things.random());
    }

    private void pass(SimPort own, Runnable task) {
        guarded("pass", own, SimHost::unheard, () -> {
            task.run();
            plan(own, SOON);
        });
    }

    /** The process is killed from outside, also one that stands still. */
    void kill() {
        if (!port.dead()) {
            port.die("a kill");
            ended(port);
        }
    }

    /** The process is killed in the middle of its work, as many places from here. */
    void killAt(int places) {
        port.befall(places, this::kill);
    }

    /** The process stands still, as many places from here. */
    void standAt(int places, Duration time, boolean asleep) {
        port.befall(places, () -> machine.stop(time, asleep));
    }

    /** What was to befall the process some places on does so no more. */
    void spare() {
        port.spare();
    }

    /** The process is asked to stop: it begins nothing more, gives its passes some time, and gives back the rest. */
    void leave() {
        if (answers()) {
            leaving = port;
            world.trace().add(world.now(), 1, name + " leaves");
            leave(port, world.now().plus(PASSES_END_WITHIN));
        }
    }

    private void leave(SimPort own, Instant until) {
        guarded("stop", own, SimHost::unheard, () -> {
            SimProcess last = running(own);
            if (last.dispatcher.running() > 0 && world.now().isBefore(until)) {
                world.after(BREATH, name + " stops", () -> leave(own, until));
                return;
            }
            try {
                last.dispatcher.stop(Duration.ZERO);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (faults.over()) {
                things.fence().handedOver(own);
            }
            throw own.die("its stop");
        });
    }

    /** Work of one process, which may end with it. One that stands still does it later. */
    private void guarded(String what, SimPort own, Consumer<Object> hears, Runnable work) {
        if (own.dead()) {
            return;
        }
        Duration still = machine.stopped();
        if (!still.isZero()) {
            world.after(still, name + " " + what, () -> guarded(what, own, hears, work));
            return;
        }
        Consumer<Object> before = committed;
        committed = hears;
        try {
            things.fence().during(null, work);
        } catch (Killed e) {
            ended(own);
        } finally {
            committed = before;
        }
    }

    /** The process is dead; another one is started soon. */
    private void ended(SimPort own) {
        if (own != port) {
            return;
        }
        process = null;
        if (!things.shared()) {
            things.workers().lose();
        }
        if (faults.over()) {
            things.fence().replace(own);
        }
        boolean soon = faults.over() && !things.shared();
        Duration down = MAX_DOWN.multipliedBy(world.chance().nextInt(100)).dividedBy(100);
        world.after(soon ? SOON : down, name + " start", () -> restart(own));
    }

    private void restart(SimPort last) {
        if (last == port) {
            start();
        }
    }

    /** A request to the process that runs now; {@code hears} gets what each of its writes gave, once that is committed. */
    void request(Consumer<Object> hears, Consumer<SimProcess> request) {
        guarded(
                "request",
                port,
                hears,
                () -> process().ifPresent(running -> {
                    follow();
                    request.accept(running);
                }));
    }

    private void nudge(SimPort own) {
        for (int wake = faults.wakes(); wake > 0; wake--) {
            world.after(faults.over() ? SOON : world.upTo(MAX_LATE), name + " nudge", () -> turn(own));
        }
    }

    /** Another process has written something about tasks: its wake arrives, or the turn of this second finds it. */
    void poll() {
        if (process().isPresent()) {
            Duration second = DispatchLimits.SHARED.poll();
            Duration pause = world.likely(0.7)
                    ? SOON
                    : second.multipliedBy(world.chance().nextInt(100)).dividedBy(100);
            plan(port, pause);
        }
    }

    /** The next turn is no later than this. */
    private void plan(SimPort own, Duration pause) {
        Instant at = world.now().plus(pause);
        if (own != port || (planned != null && !at.isBefore(planned.at()))) {
            return;
        }
        if (planned != null) {
            world.cancel(planned);
        }
        planned = world.after(pause, name + " turn", () -> {
            planned = null;
            turn(own);
        });
    }

    private void turn(SimPort own) {
        guarded("turn", own, SimHost::unheard, () -> {
            if (turning == own) {
                nudgedMeanwhile = true;
            } else if (leaving != own) {
                takeTurn(own);
            }
        });
    }

    private void takeTurn(SimPort own) {
        SimPort before = turning;
        turning = own;
        nudgedMeanwhile = false;
        try {
            follow();
            Instant next = running(own).dispatcher.turn();
            Duration pause = Duration.between(now(), next);
            plan(own, nudgedMeanwhile || pause.compareTo(SOON) < 0 ? SOON : pause);
        } finally {
            turning = before;
        }
    }

    /** What happens every few seconds, when somebody is about to look at the clock. */
    private void follow() {
        if (things.shared() && followed.plus(FOLLOWS_AFTER).isBefore(world.now())) {
            followed = world.now();
            clock.follow().run();
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
