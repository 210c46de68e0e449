package io.pilothouse.pipes.worker.connect;

import io.pilothouse.pipes.wire.TaskSettings;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;
import org.jspecify.annotations.Nullable;

/** One worker of a pipe, for as long as Kafka Connect lets it be one. */
public final class PilothouseTask extends SourceTask {
    private static final long LOOK_MILLIS = 1_000;

    private static final List<SourceRecord> NO_RECORDS = List.of();

    private @Nullable Visits visits;
    private @Nullable Thread thread;

    @Override
    public void start(Map<String, String> settings) {
        try {
            ControlPlane plane = new ControlPlane(
                    required(settings, TaskSettings.ADDRESS), required(settings, TaskSettings.AUTHORITY));
            Visits begun = new Visits(
                    plane::connect,
                    hello -> plane.rows(hello)::open,
                    required(settings, TaskSettings.TOKEN),
                    Integer.parseInt(required(settings, TaskSettings.INDEX)),
                    Clock.systemUTC());
            visits = begun;
            // A thread that is interrupted in the middle of an insert lets go of it at once only if it is virtual.
            thread = Thread.ofVirtual().name("pilothouse-task").start(begun);
        } catch (GeneralSecurityException | IOException | IllegalArgumentException unusable) {
            throw new ConnectException("The control plane cannot be reached as the connector says", unusable);
        }
    }

    private static String required(Map<String, String> settings, String name) {
        String value = settings.get(name);
        if (value == null) {
            throw new ConfigException("There is no " + name);
        }
        return value;
    }

    /** There are never any: the worker writes to the database itself. */
    @Override
    public @Nullable List<SourceRecord> poll() throws InterruptedException {
        Visits begun = visits;
        if (begun == null || begun.awaitStop(LOOK_MILLIS)) {
            return null;
        }
        if (thread != null && !thread.isAlive() && !begun.awaitStop(0)) {
            // Kafka Connect then shows it as failed, and the control plane has it started again.
            throw new ConnectException("The task has ended by itself");
        }
        return NO_RECORDS;
    }

    @Override
    public void stop() {
        Visits begun = visits;
        if (begun != null) {
            begun.stop();
        }
    }

    @Override
    public String version() {
        return PilothouseConnector.version(PilothouseTask.class);
    }
}
