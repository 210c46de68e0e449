package io.pilothouse.testkit.simulation;

import io.pilothouse.testkit.Killed;
import java.time.Duration;
import java.util.function.Function;

/**
 * The way of one process to something outside it: a call may take its time, be lost before or after its effect, or be
 * the last thing that the process does. Once the process is dead no call comes back to it.
 */
final class SimPort {
    private final SimWorld world;
    private final SimFaults faults;
    private final SimMachine machine;
    private final boolean shared;
    private boolean dead;
    private int places;
    private Runnable mishap = () -> {};

    /** {@code shared}: the store is somewhere else, so that the answer to a call may be lost without the process. */
    SimPort(SimWorld world, SimFaults faults, SimMachine machine, boolean shared) {
        this.world = world;
        this.faults = faults;
        this.machine = machine;
        this.shared = shared;
    }

    /** This befalls the process as many places from here; before and after each call are two of them. */
    void befall(int from, Runnable what) {
        places = from;
        mishap = what;
    }

    void spare() {
        places = 0;
    }

    private void place() {
        if (places > 0 && --places == 0) {
            mishap.run();
        }
        alive();
    }

    /** What a call does. */
    @FunctionalInterface
    interface Call<T, E extends Exception> {
        T make() throws E;
    }

    boolean dead() {
        return dead;
    }

    /** Ends the process, where it stands. */
    Killed die(String where) {
        dead = true;
        world.trace().add(world.now(), 0, "dies at " + where);
        return new Killed(where);
    }

    /** {@code lost} makes what the caller gets for a call that is lost. */
    <T, E extends Exception> T call(String what, Call<T, E> call, Function<String, E> lost) throws E {
        arrive();
        SimFaults.Fate fate = faults.fate();
        return switch (fate) {
            case WELL -> back(call.make());
            case LOST_BEFORE -> throw lost.apply(what + " was lost on its way");
            case LOST_AFTER -> {
                call.make();
                world.pass(faults.delay());
                alive();
                throw lost.apply("The answer to " + what + " was lost");
            }
            case DIES_BEFORE -> throw die("before " + what);
            case DIES_AFTER -> {
                call.make();
                throw die("after " + what);
            }
        };
    }

    /**
     * A call to the store, which is made as a whole or not at all. Where the store is the process's own, no answer is
     * ever lost but with the process.
     */
    <T, E extends Exception> T toStore(String what, Call<T, E> call, Function<String, E> lost) throws E {
        if (!shared) {
            return whole(what, call, lost);
        }
        return call(
                what,
                () -> {
                    reach(what, lost);
                    T result = call.make();
                    world.pass(faults.delay());
                    alive();
                    reach("the answer to " + what, lost);
                    return result;
                },
                lost);
    }

    private <E extends Exception> void reach(String what, Function<String, E> lost) throws E {
        if (machine.isCut()) {
            throw lost.apply("The network is cut for " + what);
        }
    }

    private <T, E extends Exception> T whole(String what, Call<T, E> call, Function<String, E> lost) throws E {
        arrive();
        SimFaults.Fate fate = faults.fate();
        return switch (fate) {
            case WELL, LOST_AFTER -> back(call.make());
            case LOST_BEFORE -> throw lost.apply(what + " was lost on its way");
            case DIES_BEFORE -> throw die("before " + what);
            case DIES_AFTER -> {
                call.make();
                throw die("after " + what);
            }
        };
    }

    private void arrive() {
        place();
        world.pass(faults.delay());
        alive();
    }

    private <T> T back(T result) {
        place();
        world.pass(faults.delay());
        alive();
        return result;
    }

    /** One that stands still goes on later, if it has not been killed meanwhile. */
    private void alive() {
        for (Duration still = machine.stopped(); !dead && !still.isZero(); still = machine.stopped()) {
            world.pass(still);
        }
        if (dead) {
            throw new Killed("It is dead already");
        }
    }
}
