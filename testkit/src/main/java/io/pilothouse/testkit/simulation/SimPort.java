package io.pilothouse.testkit.simulation;

import io.pilothouse.testkit.Killed;
import java.util.function.Function;

/**
 * The way of one process to something outside it: a call may take its time, be lost before or after its effect, or be
 * the last thing that the process does. Once the process is dead no call comes back to it.
 */
final class SimPort {
    private final SimWorld world;
    private final SimFaults faults;
    private boolean dead;

    SimPort(SimWorld world, SimFaults faults) {
        this.world = world;
        this.faults = faults;
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

    /** A call that is made as a whole or not at all: no answer of it is ever lost but with the process. */
    <T, E extends Exception> T whole(String what, Call<T, E> call, Function<String, E> lost) throws E {
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
        alive();
        world.pass(faults.delay());
        alive();
    }

    private <T> T back(T result) {
        world.pass(faults.delay());
        alive();
        return result;
    }

    private void alive() {
        if (dead) {
            throw new Killed("It is dead already");
        }
    }
}
