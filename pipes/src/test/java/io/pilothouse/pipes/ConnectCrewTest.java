package io.pilothouse.pipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Tree;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeKind;
import io.pilothouse.pipes.wire.About;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Report;
import io.pilothouse.pipes.wire.TaskHello;
import io.pilothouse.pipes.wire.TaskHello.Purpose;
import io.pilothouse.pipes.wire.TaskSettings;
import io.pilothouse.pipes.wire.Wire;
import io.pilothouse.pipes.wire.Words;
import io.pilothouse.testkit.PipeSample;
import io.pilothouse.testkit.SimTime;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who may be a task of a pipe, and what is cut off when another takes its place. */
class ConnectCrewTest {
    private static final UUID ID = UUID.fromString("33333333-3333-4333-8333-333333333333");
    private static final UUID OTHER = UUID.fromString("44444444-4444-4444-8444-444444444444");
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int BETWEEN_BYTES_MILLIS = 100;

    private final Pipe pipe = PipeSample.running(ID, ID, ID, PipeKind.KAFKA, Instant.EPOCH);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ThreadFactory readers = Thread.ofVirtual().factory();
    private final KnownConnectors connectors = new KnownConnectors();
    private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();
    private final SimTime time = new SimTime();
    private final List<Socket> open = new ArrayList<>();
    private List<Assignment> wanted = List.of(assignment(0, 2), assignment(1, 2));
    private int tokens;
    private ServerSocket listening;
    private ConnectDoor door;
    private ConnectCrew crew;

    @BeforeEach
    void start() throws IOException {
        listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        door = new ConnectDoor(listening, accepted -> accepted, readers);
        door.begin();
        ConnectCluster cluster =
                new ConnectCluster(connectors, door, "plane:7000", "a certificate", () -> "token" + ++tokens);
        crew = new ConnectCrew(
                cluster, ID, (_, _) -> wanted, new Heard(), readers, threads, time, PATIENCE.plus(PATIENCE));
    }

    @AfterEach
    void stop() throws IOException {
        crew.killAll();
        door.close();
        for (Socket socket : open) {
            socket.close();
        }
        threads.shutdownNow();
    }

    private static Assignment assignment(int index, int workers) {
        return new Assignment(
                ID.toString(),
                "kafka",
                Tree.Members.NONE,
                Tree.Members.NONE,
                Tree.Members.NONE,
                new Assignment.Target("d", "t", List.of(), List.of(), ""),
                0,
                Assignment.Errand.MOVE,
                0,
                new Assignment.Share(index, workers, 1, 0.5, 125));
    }

    private Socket come(Purpose purpose, String token, int index, String visit) throws IOException {
        Socket socket = new Socket(listening.getInetAddress(), listening.getLocalPort());
        open.add(socket);
        socket.setSoTimeout(Math.toIntExact(PATIENCE.toMillis()));
        new TaskHello(purpose, token, index, visit).send(socket.getOutputStream());
        return socket;
    }

    private static Assignment told(Socket orders) throws IOException {
        return Assignment.of(new Wire(orders.getInputStream(), orders.getOutputStream())
                .receive()
                .orElseThrow());
    }

    private static boolean isCut(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketException reset) {
            return true;
        }
    }

    @Test
    void taskWithTheTokenOfTheConnectorIsToldItsShare() throws IOException, InterruptedException {
        crew.bring(pipe, 0);
        Map<String, String> configuration = connectors.configurations.get("pilothouse-" + ID);
        assertThat(configuration)
                .containsEntry("tasks.max", "2")
                .containsEntry(TaskSettings.ADDRESS, "plane:7000")
                .containsEntry(TaskSettings.AUTHORITY, "a certificate")
                .containsEntry(TaskSettings.TOKEN, "token1");
        Socket task = come(Purpose.ORDERS, "token1", 1, "a");
        assertThat(told(task)).isEqualTo(wanted.get(1));
        assertThat(crew.working()).hasSize(1);
        task.close();
        assertThat(ends.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS)).contains("Kafka Connect starts it again");
        assertThat(crew.working()).isEmpty();
    }

    @Test
    void othersAreNotLetIn() throws IOException, InterruptedException {
        crew.bring(pipe, 0);
        assertThat(isCut(come(Purpose.ORDERS, "token2", 0, "a"))).isTrue();
        assertThat(isCut(come(Purpose.ORDERS, "token1", 2, "a"))).isTrue();
        assertThat(isCut(come(Purpose.ROWS, "token1", 0, "a"))).isTrue();
        wanted = List.of(assignment(0, 1));
        crew.bring(pipe, 0);
        assertThat(isCut(come(Purpose.ORDERS, "token1", 0, "a"))).isTrue();
        assertThat(told(come(Purpose.ORDERS, "token2", 0, "a"))).isEqualTo(wanted.getFirst());
    }

    @Test
    void taskThatComesAgainTakesItsPlaceFromTheOneBefore() throws IOException, InterruptedException {
        crew.bring(pipe, 0);
        try (ServerSocket database = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Socket first = come(Purpose.ORDERS, "token1", 0, "a");
            told(first);
            Tree.Members way = crew.way(
                    crew.working().iterator().next(),
                    new Tree.Members(Map.of("address", new Tree.Text("http://127.0.0.1:" + database.getLocalPort()))));
            assertThat(way.text("address")).contains("https://plane:7000");
            Socket rows = come(Purpose.ROWS, "token1", 0, "a");
            rows.getOutputStream().write('x');
            Socket arrived = database.accept();
            open.add(arrived);
            assertThat(arrived.getInputStream().read()).isEqualTo('x');

            told(come(Purpose.ORDERS, "token1", 0, "b"));
            assertThat(isCut(first)).isTrue();
            assertThat(isCut(rows)).isTrue();
            assertThat(isCut(arrived)).isTrue();
            assertThat(isCut(come(Purpose.ROWS, "token1", 0, "a"))).isTrue();
            assertThat(crew.working()).hasSize(1);
        }
    }

    @Test
    void taskThatIsToLeaveReachesItsDatabaseUntilItHasLeft()
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        crew.bring(pipe, 0);
        try (ServerSocket database = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Socket orders = come(Purpose.ORDERS, "token1", 0, "a");
            told(orders);
            crew.way(
                    crew.working().iterator().next(),
                    new Tree.Members(Map.of("address", new Tree.Text("http://127.0.0.1:" + database.getLocalPort()))));
            Future<Boolean> drained = threads.submit(() -> {
                crew.drainAll();
                return true;
            });
            Tree.Members order = new Wire(orders.getInputStream(), orders.getOutputStream())
                    .receive()
                    .orElseThrow();
            assertThat(order.text(Words.SORT)).contains(Words.DRAIN);
            come(Purpose.ROWS, "token1", 0, "a").getOutputStream().write('x');
            Socket arrived = database.accept();
            open.add(arrived);
            assertThat(arrived.getInputStream().read()).isEqualTo('x');
            assertThat(isCut(come(Purpose.ORDERS, "token1", 1, "b"))).isTrue();
            orders.close();
            assertThat(drained.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(isCut(come(Purpose.ROWS, "token1", 0, "a"))).isTrue();
        }
    }

    @Test
    void whoSendsAByteNowAndThenIsSentAway() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                ConnectDoor strict = new ConnectDoor(
                        other,
                        accepted -> {
                            accepted.getInputStream().transferTo(OutputStream.nullOutputStream());
                            return accepted;
                        },
                        readers,
                        Duration.ofMillis(1));
                Socket slow = new Socket(other.getInetAddress(), other.getLocalPort())) {
            strict.begin();
            slow.setSoTimeout(BETWEEN_BYTES_MILLIS);
            long end = System.nanoTime() + PATIENCE.toNanos();
            boolean cut = false;
            while (!cut && System.nanoTime() - end < 0) {
                cut = isCutAfterAnotherByte(slow);
            }
            assertThat(cut).isTrue();
        }
    }

    private static boolean isCutAfterAnotherByte(Socket socket) throws IOException {
        try {
            socket.getOutputStream().write('x');
            return isCut(socket);
        } catch (SocketTimeoutException open) {
            return false;
        } catch (SocketException reset) {
            return true;
        }
    }

    @Test
    void taskThatDoesNotComeIsMissed() throws IOException, InterruptedException {
        crew.bring(pipe, 0);
        assertThat(crew.trouble()).isEmpty();
        time.advance(Duration.ofMinutes(1));
        assertThat(crew.trouble().orElseThrow()).startsWith("No task of Kafka Connect has come to plane:7000 yet");
        told(come(Purpose.ORDERS, "token1", 0, "a"));
        assertThat(crew.trouble()).isEmpty();
    }

    @Test
    void connectorsThatAnEarlierControlPlaneLeftAreStoppedOnceKafkaConnectAnswers() {
        connectors.trouble = "Kafka Connect does not answer.";
        List<UUID> asked = new ArrayList<>();
        Predicate<UUID> runs = id -> {
            asked.add(id);
            // It answers from the second round on.
            connectors.trouble = asked.size() < 3 ? connectors.trouble : null;
            return id.equals(OTHER);
        };
        new LeftConnectors(connectors, runs, Duration.ZERO).stop(List.of(ID, OTHER));
        assertThat(asked).containsExactly(ID, OTHER, ID);
        assertThat(connectors.stopped).containsExactly("pilothouse-" + ID);
    }

    @Test
    void whatIsWrongWithKafkaConnectIsSaidUntilItIsRight() throws InterruptedException {
        connectors.trouble = "Kafka Connect does not answer.";
        crew.bring(pipe, 0);
        assertThat(crew.trouble()).contains("Kafka Connect does not answer.");
        crew.drainAll();
        assertThat(crew.left()).isFalse();
        crew.drainAll();
        connectors.trouble = null;
        assertThat(crew.left()).isTrue();
        assertThat(crew.trouble()).isEmpty();
        assertThat(connectors.stopped).containsExactly("pilothouse-" + ID);
    }

    /** Notes how workers end. */
    private final class Heard implements PipeWorker.Listener {
        @Override
        public Tree.Members answer(PipeWorker worker, About about, Tree.Members body) {
            return Tree.Members.NONE;
        }

        @Override
        public void reported(PipeWorker worker, Report report) {
            // What tasks say is not what is tried here.
        }

        @Override
        public void ended(PipeWorker worker, String how) {
            crew.ended(worker, false);
            ends.add(how);
        }
    }

    /** Connectors that are as they were told to be. */
    private static final class KnownConnectors implements Connectors {
        private final Map<String, Map<String, String>> configurations = new HashMap<>();
        private final List<String> stopped = new ArrayList<>();
        private @Nullable String trouble;

        private void answer() throws Away {
            if (trouble != null) {
                throw new Away(trouble);
            }
        }

        @Override
        public void run(String name, Map<String, String> configuration) throws Away {
            answer();
            configurations.put(name, configuration);
        }

        @Override
        public Sight look(String name) {
            return new Sight.Running();
        }

        @Override
        public void restart(String name) {
            throw new AssertionError("Nothing failed");
        }

        @Override
        public void resume(String name) {
            throw new AssertionError("Nothing stands still");
        }

        @Override
        public void stop(String name) throws Away {
            answer();
            stopped.add(name);
        }

        @Override
        public void delete(String name) {
            throw new AssertionError("A crew only stops");
        }
    }
}
