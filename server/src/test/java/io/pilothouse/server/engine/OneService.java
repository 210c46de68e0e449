package io.pilothouse.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.engine.Dispatcher;
import io.pilothouse.testkit.FakePlane;
import io.pilothouse.testkit.SimTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** A control plane that looks after one service, two seconds from its start and one from its stop. */
final class OneService implements AutoCloseable {
    final SimTime time = new SimTime();
    final FakePlane plane = new FakePlane(time, Duration.ofSeconds(2), Duration.ofSeconds(1));
    final UUID id = UUID.randomUUID();
    final Fleet fleet;
    final ControlPlane controlPlane;
    private Dispatcher dispatcher;

    OneService(Path folder) {
        this.fleet = new Fleet(folder, time);
        this.controlPlane = ControlPlane.of(fleet.store(), plane, time);
        this.dispatcher = controlPlane.dispatcher("one");
    }

    /** From here on another process, made otherwise, looks after it. */
    void handOver(UnaryOperator<ControlPlane> otherwise) {
        dispatcher = otherwise.apply(controlPlane).dispatcher("one");
    }

    Instant turn() {
        return dispatcher.turn();
    }

    void letPass(Duration duration) {
        Instant end = time.now().plus(duration);
        while (time.now().isBefore(end)) {
            Instant next = turn();
            time.advanceTo(next.isBefore(end) ? next : end);
        }
        turn();
    }

    void run() {
        fleet.create(id);
        letPass(Duration.ofSeconds(5));
        assertThat(state()).isEqualTo("running");
    }

    String state() {
        return fleet.state(id);
    }

    @Override
    public void close() {
        fleet.close();
    }
}
