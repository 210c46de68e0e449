package io.pilothouse.testkit.simulation;

import io.pilothouse.core.base.Refused;
import io.pilothouse.core.port.Prepared;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.core.port.TakenMeanwhile;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** How clients send requests: nothing is taken for written that was not, and what was is noted at once. */
final class SimRequests {
    private static final int TRIES = 5;
    private static final int SOON = 20_000;

    private final SimWorld world;
    private final SimFleet fleet;
    private int names;

    SimRequests(SimWorld world, SimFleet fleet) {
        this.world = world;
        this.fleet = fleet;
    }

    <T> Optional<T> oneOf(Collection<T> all) {
        return all.isEmpty()
                ? Optional.empty()
                : Optional.of(List.copyOf(all).get(world.chance().nextInt(all.size())));
    }

    String name(String what) {
        return what + " " + ++names;
    }

    SplittableRandom chance() {
        return world.chance();
    }

    /** Sends a request; {@code written} notes what it wrote. A client that gets an answer has what was written. */
    void send(String what, Consumer<Object> written, Consumer<SimProcess> request) {
        boolean[] committed = {false};
        fleet.request(
                result -> {
                    committed[0] = true;
                    written.accept(result);
                },
                process -> {
                    String outcome;
                    try {
                        request.accept(process);
                        outcome = "done";
                        if (!committed[0]) {
                            throw new SimBroken("It was answered without having been written: " + what);
                        }
                    } catch (Refused e) {
                        outcome = "refused: " + e.getMessage();
                    } catch (StoreUnavailable | TakenMeanwhile e) {
                        outcome = "failed: " + e.getMessage();
                    }
                    world.trace().add(world.now(), 1, what + ": " + outcome);
                });
    }

    /** A client changes its mind while the first wish is still under way. */
    void soon(Runnable second) {
        world.after(Duration.ofMillis(world.chance().nextInt(SOON)), "second thought", second);
    }

    /** As the door does it: a draw that another was faster with is drawn again. */
    static <T> void write(SimProcess process, Supplier<Prepared<T>> prepare) {
        for (int left = TRIES; left > 0; left--) {
            try {
                process.store.write(prepare.get()::write);
                return;
            } catch (TakenMeanwhile e) {
                if (left == 1) {
                    throw e;
                }
            }
        }
    }
}
