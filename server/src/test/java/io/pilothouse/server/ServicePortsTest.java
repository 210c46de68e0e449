package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.core.port.Tables;
import io.pilothouse.testkit.StoreAround;
import io.pilothouse.testkit.WatchedPlane;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ports and doors of services: there from the first answer on, and never anybody's but in the store. */
class ServicePortsTest {
    @TempDir
    private Path folder;

    private static String noneLeft(int first, int last) {
        return "All ports of the gateway from " + first + " to " + last
                + " are taken: delete a service, or widen --gateway-ports.";
    }

    private static long listening(int first, int ports) {
        return IntStream.range(first, first + ports)
                .filter(DoorsProgram::listens)
                .count();
    }

    @Test
    void addressWorksFromTheAnswerOnAndStaysOverARestart() throws IOException, InterruptedException, StartRefused {
        int first = DoorsProgram.firstOf(30);
        String url;
        String endpoints;
        try (DoorsProgram doors = DoorsProgram.start(folder, first, 30)) {
            String created = doors.created();
            assertThat(DoorsProgram.ports(created)).hasSize(2).allMatch(DoorsProgram::listens);
            url = "/services/" + DoorsProgram.id(created);
            endpoints =
                    endpoints(doors.program.getAsFirstKey(doors.url(created)).body());
            assertThat(endpoints(created)).isEqualTo(endpoints);
        }
        assertThat(listening(first, 30)).isZero();
        try (DoorsProgram doors = DoorsProgram.start(folder, first, 30)) {
            String found = doors.program
                    .getAsFirstKey(doors.program.organizationUrl() + url)
                    .body();
            assertThat(endpoints(found)).isEqualTo(endpoints);
            assertThat(DoorsProgram.ports(found)).hasSize(2).allMatch(DoorsProgram::listens);
        }
    }

    private static String endpoints(String answer) {
        int begin = answer.indexOf("\"endpoints\"");
        return answer.substring(begin, answer.indexOf(']', begin));
    }

    @Test
    void repeatedCreateGetsTheSamePortsAndTheyWork() throws IOException, InterruptedException, StartRefused {
        int first = DoorsProgram.firstOf(6);
        try (DoorsProgram doors = DoorsProgram.start(folder, first, 6)) {
            String created = doors.created("Idempotency-Key", "one");
            for (int again = 0; again < 9; again++) {
                assertThat(doors.created("Idempotency-Key", "one")).isEqualTo(created);
            }
            assertThat(DoorsProgram.ports(created)).allMatch(DoorsProgram::listens);
            assertThat(listening(first, 6)).isEqualTo(2);
            doors.created("Idempotency-Key", "two");
        }
    }

    /** A store whose commits fail for as long as a test wants it. */
    private static final class FullStore extends StoreAround {
        private final AtomicBoolean full;

        FullStore(Store store, AtomicBoolean full) {
            super(store);
            this.full = full;
        }

        @Override
        public <T> T write(Function<Tables, T> work) {
            return super.write(tables -> {
                T result = work.apply(tables);
                if (full.get()) {
                    throw new StoreUnavailable("The disk is full", new IOException());
                }
                return result;
            });
        }
    }

    @Test
    void createWhoseCommitFailsLeavesNoPortAndNoListener() throws IOException, InterruptedException, StartRefused {
        int first = DoorsProgram.firstOf(6);
        AtomicBoolean full = new AtomicBoolean();
        try (DoorsProgram doors =
                DoorsProgram.start(folder, first, 6, store -> new FullStore(store, full), UnaryOperator.identity())) {
            full.set(true);
            for (int failed = 0; failed < 9; failed++) {
                assertThat(doors.create().statusCode()).isEqualTo(503);
                assertThat(doors.create("Idempotency-Key", "key-" + failed).statusCode())
                        .isEqualTo(503);
            }
            assertThat(listening(first, 6)).isZero();
            full.set(false);
            Set<Integer> ports = new HashSet<>(DoorsProgram.ports(doors.created()));
            ports.addAll(DoorsProgram.ports(doors.created("Idempotency-Key", "key-0")));
            assertThat(ports).hasSize(4).allMatch(DoorsProgram::listens);
        }
    }

    @Test
    void createIsRefusedWhenNoPortIsLeftAndWorksOnceAServiceIsDeleted()
            throws IOException, InterruptedException, StartRefused {
        int first = DoorsProgram.firstOf(6);
        try (DoorsProgram doors = DoorsProgram.start(folder, first, 6)) {
            String one = doors.created();
            assertThat(doors.ready()).contains("\"creates\":\"possible\"");
            doors.created();
            HttpResponse<String> refused = doors.create();
            assertThat(refused.statusCode()).isEqualTo(409);
            assertThat(refused.body()).contains("CONFLICT: " + noneLeft(first, first + 5));
            assertThat(doors.ready()).contains("\"status\":\"ready\"", noneLeft(first, first + 5));

            doors.delete(one);
            assertThat(DoorsProgram.ports(one)).noneMatch(DoorsProgram::listens);
            assertThat(doors.ready()).contains("\"creates\":\"possible\"");
            assertThat(DoorsProgram.ports(doors.created())).isEqualTo(DoorsProgram.ports(one));
        }
    }

    @Test
    void portOfAnotherProgramIsPassedOver() throws IOException, InterruptedException, StartRefused {
        int first = DoorsProgram.firstOf(6);
        try (ServerSocket other = new ServerSocket(first + 1, 1, InetAddress.ofLiteral("127.0.0.1"));
                DoorsProgram doors = DoorsProgram.start(folder, first, 6)) {
            assertThat(DoorsProgram.ports(doors.created()))
                    .hasSize(2)
                    .doesNotContain(other.getLocalPort())
                    .allMatch(DoorsProgram::listens);
        }
    }

    @Test
    void doorThatCannotBeOpenedIsOpenedLaterAtTheSamePort() throws IOException, InterruptedException, StartRefused {
        int first = DoorsProgram.firstOf(6);
        String created;
        try (DoorsProgram doors = DoorsProgram.start(folder, first, 6)) {
            created = doors.created();
        }
        int port = DoorsProgram.ports(created).getFirst();
        try (ServerSocket other = new ServerSocket(port, 1, InetAddress.ofLiteral("127.0.0.1"));
                DoorsProgram doors = DoorsProgram.start(folder, first, 6)) {
            // A change is answered all the same, with the address as it is.
            assertThat(DoorsProgram.ports(doors.program.patch(doors.url(created), "{\"name\":\"Later\"}")))
                    .startsWith(port);
            Closeable taken = other;
            taken.close();
            doors.program.await(doors.url(created), _ -> DoorsProgram.listens(port));
        }
    }

    @Test
    void eraseThatIsInterruptedAnywhereLeavesCreatesWorking() throws IOException, InterruptedException, StartRefused {
        int first = DoorsProgram.firstOf(6);
        List<String> interrupted = new ArrayList<>();
        UnaryOperator<PlaneParts> impatient = parts -> TestProgram.around(
                parts,
                new WatchedPlane(parts.plane(), moment -> {
                    if (moment.endsWith("erase") && !interrupted.contains(moment)) {
                        interrupted.add(moment);
                        Thread.currentThread().interrupt();
                    }
                }),
                parts.backups());
        try (DoorsProgram doors = DoorsProgram.start(folder, first, 6, UnaryOperator.identity(), impatient)) {
            for (int each = 0; each < 5; each++) {
                String created = doors.created();
                assertThat(DoorsProgram.ports(created)).allMatch(DoorsProgram::listens);
                doors.delete(created);
                assertThat(listening(first, 6)).isZero();
            }
        }
        assertThat(interrupted).containsExactly("before erase", "after erase");
    }
}
