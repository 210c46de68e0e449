package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.engine.Dispatcher;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeDesign;
import io.pilothouse.core.pipe.PipeSchemaReader;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.service.DataPlane;
import io.pilothouse.core.service.Service;
import io.pilothouse.http.wire.AnyRoute;
import io.pilothouse.http.wire.RequestObserver;
import io.pilothouse.testkit.WatchedBackups;
import io.pilothouse.testkit.WatchedPlane;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The program as it is wired, handed to the API tests, which live in a package of their own. */
public final class ApiProgram implements AutoCloseable {
    private final Path folder;
    private final Running running;
    private final RepeatingStore store;
    private final Moments moments;

    private ApiProgram(Path folder, Running running, RepeatingStore store, Moments moments) {
        this.folder = folder;
        this.running = running;
        this.store = store;
        this.moments = moments;
    }

    /** What is done once, when a request comes to such a moment. */
    private record Moments(AtomicReference<Runnable> beforeWrite, AtomicReference<Runnable> afterCommit) {
        static Moments quiet() {
            return new Moments(new AtomicReference<>(() -> {}), new AtomicReference<>(() -> {}));
        }
    }

    /**
     * {@code plane} is null for the one that the flags ask for. All work on the store is run twice, and nothing outside
     * may be reached from it.
     */
    public static ApiProgram start(
            Path folder,
            Clock clock,
            @Nullable DataPlane plane,
            OutputStream log,
            RequestObserver requests,
            String... flags) {
        AtomicReference<RepeatingStore> store = new AtomicReference<>();
        Moments moments = Moments.quiet();
        Surroundings.PlaneMaker asked = Surroundings.ofProcess(Map.of()).plane();
        Surroundings surroundings = new Surroundings(
                clock,
                new SecureRandom(),
                ground -> watched(
                        plane == null ? asked.make(ground) : PlaneParts.simulated(ground, plane), store.get(), moments),
                log,
                requests,
                opened -> {
                    store.set(new RepeatingStore(opened, clock));
                    return store.get();
                });
        try {
            Running running = Wiring.open(TestProgram.config(folder, Map.of(), flags), surroundings);
            return new ApiProgram(folder, running, store.get(), moments);
        } catch (StartRefused e) {
            throw new IllegalStateException(e.sentence(), e);
        }
    }

    private static PlaneParts watched(PlaneParts parts, RepeatingStore store, Moments moments) {
        return new PlaneParts(
                new WatchedPlane(parts.plane(), store::requireOutside),
                new WatchedBackups(parts.backups(), store::requireOutside),
                parts.pipes(),
                new PipeSchemaReader() {
                    @Override
                    public Schema read(Service service, PipeDesign.Source source) throws Unreadable {
                        store.requireOutside("schema");
                        return schema(parts.schemas(), service, source);
                    }

                    @Override
                    public void check(Service service, PipeDesign.Designed wanted) throws Unreadable {
                        Pipe pipe = wanted.pipe();
                        read(service, new PipeDesign.Source(pipe.kind(), pipe.source(), wanted.secrets()));
                    }
                },
                parts.addresses(),
                new FakeWayIn(what -> {
                    store.requireOutside(what);
                    (what.equals("follow") ? moments.afterCommit() : moments.beforeWrite())
                            .getAndSet(() -> {})
                            .run();
                }),
                parts.figures(),
                parts.queries(),
                parts.settings(),
                parts.beginning(),
                parts.notices(),
                parts.fence(),
                parts.authority(),
                parts.meter(),
                parts.inside(),
                parts.memory(),
                parts.data());
    }

    /** Every source can be looked at but the one that is nowhere. */
    private static PipeSchemaReader.Schema schema(PipeSchemaReader none, Service service, PipeDesign.Source source)
            throws PipeSchemaReader.Unreadable {
        return Stream.of("brokers", "url", "azureContainerName")
                        .anyMatch(name -> source.open().text(name).orElse("").contains("nowhere"))
                ? none.read(service, source)
                : new PipeSchemaReader.Schema(
                        List.of(new PipeSchemaReader.Field("user_id", "Int64", false)), Map.of("records", "1"));
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

    public List<AnyRoute> managementEntrances() {
        return running.management();
    }

    public List<AnyRoute> alertsEntrances() {
        return running.alerts();
    }

    public List<AnyRoute> controlEntrances() {
        return running.controls();
    }

    public Dispatcher dispatcher() {
        return running.dispatcher();
    }

    /** Runs this when the next service that is made was checked, before it is written. */
    public void beforeNextService(Runnable then) {
        moments.beforeWrite().set(then);
    }

    /** Runs this when the next change of a service was committed, before its answer is written. */
    public void afterNextCommit(Runnable then) {
        moments.afterCommit().set(then);
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
        assertThat(store.faults()).as("what writes may not do").isEmpty();
    }
}
