package io.pilothouse.server;

import io.pilothouse.core.engine.Dispatcher;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.service.DataPlane;
import io.pilothouse.http.wire.Entrance;
import io.pilothouse.http.wire.RequestObserver;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The program as it is wired, handed to the API tests, which live in a package of their own. */
public final class ApiProgram implements AutoCloseable {
    private final Path folder;
    private final Running running;

    private ApiProgram(Path folder, Running running) {
        this.folder = folder;
        this.running = running;
    }

    /** {@code plane} is null for the one that the flags ask for. */
    public static ApiProgram start(
            Path folder,
            Clock clock,
            @Nullable DataPlane plane,
            OutputStream log,
            RequestObserver requests,
            String... flags) {
        Surroundings surroundings = new Surroundings(
                clock,
                new SecureRandom(),
                plane == null
                        ? Surroundings.ofProcess(Map.of()).plane()
                        : ground -> PlaneParts.simulated(ground, plane),
                log,
                requests);
        try {
            return new ApiProgram(folder, Wiring.open(TestProgram.config(folder, Map.of(), flags), surroundings));
        } catch (StartRefused e) {
            throw new IllegalStateException(e.sentence(), e);
        }
    }

    public URI management() {
        return URI.create(running.urls().base());
    }

    public URI alerts() {
        return URI.create(running.urls().alerts());
    }

    public URI admin() {
        return URI.create(running.urls().admin());
    }

    public List<Entrance> managementEntrances() {
        return running.management();
    }

    public List<Entrance> alertsEntrances() {
        return running.alerts();
    }

    public Dispatcher dispatcher() {
        return running.dispatcher();
    }

    /** One value of what the first start wrote down for its user. */
    public String credential(String name) {
        try {
            return TestProgram.field(Files.readString(folder.resolve("credentials.json")), name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        running.close();
    }
}
