package io.pilothouse.pipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.pipe.PipeDesign.Source;
import io.pilothouse.core.pipe.PipeKind;
import io.pilothouse.core.pipe.PipeSchemaReader.Unreadable;
import io.pilothouse.core.port.ProcessLimits;
import io.pilothouse.core.service.Databases;
import io.pilothouse.core.service.Service;
import io.pilothouse.testkit.ServiceSample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a look at a source may cost, with a worker that never answers. */
class PipeDiscoveryTest {
    private static final Duration SHORT = Duration.ofMillis(200);

    @TempDir
    Path folder;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore held = new Semaphore(0);

    /** Databases that note who keeps them awake, and say nothing. */
    private final Databases databases = new Databases() {
        @Override
        public Optional<PipeLogin> pipeLogin(Service service) {
            return Optional.empty();
        }

        @Override
        public Answer ask(UUID serviceId, String sql) {
            return new Answer.Silence("there is none");
        }

        @Override
        public Hold hold(UUID serviceId) {
            held.release();
            return () -> {};
        }
    };

    @AfterEach
    void stop() {
        threads.close();
    }

    private PipeDiscovery discovery(Duration patience) throws IOException {
        Path program = folder.resolve("worker");
        Files.writeString(program, "#!/bin/sh\nexec sleep 300\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        return new PipeDiscovery(
                databases,
                new WorkerProgram(program, "none", ProcessLimits.NONE),
                Thread.ofPlatform().daemon().factory(),
                threads,
                new Assignments.SourcePlace(Optional.empty()),
                Optional.empty(),
                patience);
    }

    private static Source source(PipeKind kind) {
        return new Source(kind, Tree.Members.NONE, Tree.Members.NONE);
    }

    @Test
    void aSourceThatDoesNotAnswerIsGivenUpAndItsWorkerEnded() throws IOException {
        PipeDiscovery discovery = discovery(SHORT);
        assertThatThrownBy(() -> discovery.read(service(), source(PipeKind.KAFKA)))
                .isInstanceOfSatisfying(
                        Unreadable.class,
                        reason -> assertThat(reason.sentence()).contains("did not answer within"));
        assertThat(workers()).isEmpty();
    }

    @Test
    void noWorkerIsStartedForASourceThatNothingReads() throws IOException {
        PipeDiscovery discovery = discovery(SHORT);
        assertThatThrownBy(() -> discovery.read(service(), source(PipeKind.PUBSUB)))
                .isInstanceOfSatisfying(
                        Unreadable.class,
                        reason -> assertThat(reason.sentence()).contains("Pub/Sub"));
        assertThat(held.availablePermits()).isZero();
    }

    @Test
    void fewLookAtOnceAndOneOrganizationLeavesRoomForOthers() throws IOException, InterruptedException {
        PipeDiscovery discovery = discovery(Duration.ofMinutes(5));
        Service one = service();
        Service other = service();
        List<Future<?>> looks = new ArrayList<>(begin(discovery, one, 2));
        requireNoRoom(discovery, one);
        looks.addAll(begin(discovery, other, 2));
        requireNoRoom(discovery, service());
        discovery.close();
        for (Future<?> look : looks) {
            assertThatThrownBy(look::get).hasRootCauseInstanceOf(Unreadable.class);
        }
        assertThat(workers()).isEmpty();
    }

    private List<Future<?>> begin(PipeDiscovery discovery, Service service, int count) throws InterruptedException {
        List<Future<?>> looks = new ArrayList<>();
        for (int look = 0; look < count; look++) {
            looks.add(threads.submit(() -> discovery.read(service, source(PipeKind.KAFKA))));
        }
        held.acquire(count);
        return looks;
    }

    private static void requireNoRoom(PipeDiscovery discovery, Service service) {
        assertThatThrownBy(() -> discovery.read(service, source(PipeKind.KAFKA)))
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.reason()).isEqualTo(Refused.Reason.UNAVAILABLE));
    }

    private static Service service() {
        return ServiceSample.wanted(UUID.randomUUID(), UUID.randomUUID(), Instant.EPOCH);
    }

    private static List<ProcessHandle> workers() {
        return ProcessHandle.current()
                .children()
                .filter(child ->
                        child.info().arguments().map(List::of).orElse(List.of()).contains("300"))
                .toList();
    }
}
