package io.pilothouse.server.engine;

import io.pilothouse.core.engine.DispatchLimits;
import io.pilothouse.core.engine.Dispatcher;
import io.pilothouse.core.engine.Pace;
import io.pilothouse.core.engine.Pass;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tasks.Kind;
import io.pilothouse.core.service.DataPlane;
import io.pilothouse.core.service.Patience;
import io.pilothouse.core.service.ServiceFollower;
import io.pilothouse.core.service.ServicePass;
import io.pilothouse.core.service.ServicePlan;
import io.pilothouse.testkit.PassGround;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.Executor;

/** The engine as a process puts it together; every test says only what it wants otherwise. */
record ControlPlane(
        Store store,
        DataPlane plane,
        Clock clock,
        Executor executor,
        DispatchLimits limits,
        Patience patience,
        Pace pace,
        ServiceFollower followers) {
    /** Everything happens on the caller's thread, in order. */
    static ControlPlane of(Store store, DataPlane plane, Clock clock) {
        return new ControlPlane(
                store,
                plane,
                clock,
                Runnable::run,
                DispatchLimits.USUAL,
                Patience.USUAL,
                Pace.USUAL,
                ServiceFollower.NONE);
    }

    ControlPlane with(Executor other) {
        return new ControlPlane(store, plane, clock, other, limits, patience, pace, followers);
    }

    ControlPlane with(Store other) {
        return new ControlPlane(other, plane, clock, executor, limits, patience, pace, followers);
    }

    ControlPlane with(DataPlane other) {
        return new ControlPlane(store, other, clock, executor, limits, patience, pace, followers);
    }

    ControlPlane with(ServiceFollower other) {
        return new ControlPlane(store, plane, clock, executor, limits, patience, pace, other);
    }

    ControlPlane with(DispatchLimits other) {
        return new ControlPlane(store, plane, clock, executor, other, patience, pace, followers);
    }

    ControlPlane withSlots(int slots, int slowPasses) {
        DispatchLimits fewer = new DispatchLimits(slots, slowPasses, limits.slowAfter(), limits.lease(), limits.poll());
        return new ControlPlane(store, plane, clock, executor, fewer, patience, pace, followers);
    }

    ControlPlane withPoll(Duration poll) {
        DispatchLimits other =
                new DispatchLimits(limits.slots(), limits.slowPasses(), limits.slowAfter(), limits.lease(), poll);
        return new ControlPlane(store, plane, clock, executor, other, patience, pace, followers);
    }

    ControlPlane withRoutine(Duration routine) {
        Pace other =
                new Pace(routine, pace.firstLook(), pace.longestLook(), pace.firstBackOff(), pace.longestBackOff());
        return new ControlPlane(store, plane, clock, executor, limits, patience, other, followers);
    }

    ServicePass pass() {
        return new ServicePass(PassGround.of(store, clock, pace), plane, new ServicePlan(patience, pace), followers);
    }

    Dispatcher dispatcher(String owner) {
        Map<Kind, Pass> passes = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            passes.put(kind, claim -> {
                throw new IllegalStateException("This control plane looks after services only: " + claim);
            });
        }
        passes.put(Kind.SERVICE, pass());
        return new Dispatcher(store, clock, passes, executor, owner, limits, pace);
    }
}
