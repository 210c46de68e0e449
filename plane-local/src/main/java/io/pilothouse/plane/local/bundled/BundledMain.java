package io.pilothouse.plane.local.bundled;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * The process of one service on the bundled ClickHouse: it opens ClickHouse's own HTTP server and stays until it is
 * asked to end. It reads its configuration as a server does, gets no secret, and does not outlive its parent unless
 * configured to.
 */
public final class BundledMain {
    /** The variable from which ClickHouse's configuration takes the address of its boot login. */
    public static final String BOOT_ADDRESS = "PILOTHOUSE_BOOT_ADDRESS";

    public static final String WITH_PARENT = "with-parent";
    public static final String ALONE = "alone";

    /** The last line of a process that ended as it should. */
    public static final String STOPPED_AS_ASKED = "The database has stopped as asked.";

    private static final int STANDARD_INPUT = 0;
    private static final long STACK_BYTES = 8L << 20;
    private static final int MAX_STOP_SECONDS = 25;
    // Standard input is a pipe whose writing end this process holds, so this query ends with the service and not
    // before: a user's KILL QUERY only marks it. It reads on the client's side, so that the boot user needs no right
    // to read files.
    private static final String STAY =
            "INSERT INTO FUNCTION null('line String') FROM INFILE '/dev/fd/0' FORMAT LineAsString";

    private final NativeCalls calls = new NativeCalls();
    private final AtomicBoolean ending = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicInteger status = new AtomicInteger(1);

    private final Path library;
    private final Path configuration;
    private final Fences fences;
    private final Egress egress;
    private final List<Path> folders;

    private BundledMain(Path library, Path configuration, Fences fences, Egress egress, List<Path> folders) {
        this.library = library;
        this.configuration = configuration;
        this.fences = fences;
        this.egress = egress;
        this.folders = folders;
    }

    /**
     * Takes the library, the configuration file, {@code with-parent} or {@code alone}, the fences that it is to stay
     * within, where it may connect to, and the folders to write in.
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length < 6) {
            System.err.println(
                    "Give the library, the configuration file, with-parent or alone, fences, egress, and folders.");
            System.exit(64);
        }
        BundledMain main = new BundledMain(
                Path.of(arguments[0]),
                Path.of(arguments[1]),
                Fences.parse(arguments[3]),
                Egress.parse(arguments[4]),
                Stream.of(arguments).skip(5).map(Path::of).toList());
        System.exit(main.run(arguments[2].equals(WITH_PARENT)));
    }

    private int run(boolean withParent) throws IOException, InterruptedException {
        calls.leaveProcessGroup();
        int parent = calls.duplicate(STANDARD_INPUT);
        int keepAlive = calls.openPipeOver(STANDARD_INPUT);
        if (withParent) {
            aside("parent-watch", () -> stopWithParent(parent, keepAlive));
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(keepAlive), "stop"));
        try (BootLogin gate = new BootLogin(answer -> aside("boot-gate-answer", answer))) {
            aside("boot-gate", gate::serve);
            calls.setEnvironment(BOOT_ADDRESS, gate.address().toString());
            Fence fence = fence(gate.socketAddress());
            // The JVM's flags make the main thread's stack small; ClickHouse needs one of usual size.
            Thread database = new Thread(null, () -> serve(fence), "engine", STACK_BYTES);
            database.start();
            database.join();
        }
        return status.get();
    }

    private void serve(Fence fence) {
        try {
            fence.close();
            Optional<String> error = calls.runDatabase(library, commandLine());
            error.ifPresent(System.err::println);
            if (error.isEmpty() && ending.get()) {
                System.err.println(STOPPED_AS_ASKED);
            }
            status.set(error.isPresent() && !ending.get() ? 1 : 0);
        } catch (IOException failure) {
            System.err.println(failure.getMessage());
        } finally {
            ended.countDown();
        }
    }

    private interface Fence {
        void close() throws IOException;
    }

    /**
     * Applies to the thread that closes it and those that it starts: all of ClickHouse, and none of the threads that
     * watch it. What was found possible on this system and now fails ends the start.
     */
    private Fence fence(InetSocketAddress own) throws IOException {
        LandlockFence landlock = new LandlockFence();
        Path given = Objects.requireNonNull(configuration.getParent());
        SortedSet<Integer> ports = egress.ports();
        ports.add(own.getPort());
        Optional<ConnectionFence> connections =
                fences.addresses() ? Optional.of(new ConnectionFence(egress, own)) : Optional.empty();
        connections.ifPresent(outside -> aside("connection-fence", outside::serve));
        return () -> {
            if (connections.isPresent()) {
                connections.get().close();
            }
            if (fences.files()) {
                landlock.close(
                        List.of(library, configuration, given.resolve("users.xml")),
                        folders,
                        fences.ports() ? Optional.of(ports) : Optional.empty());
            }
        };
    }

    private List<String> commandLine() {
        return List.of(
                "clickhouse",
                "--config-file",
                configuration.toString(),
                "--query",
                "SYSTEM START LISTEN HTTP",
                "--query",
                STAY);
    }

    private void stopWithParent(int parent, int keepAlive) {
        try {
            calls.awaitEndOf(parent);
            stop(keepAlive);
        } catch (IOException failure) {
            System.err.println("The parent cannot be watched: " + failure.getMessage());
        }
    }

    private void stop(int keepAlive) {
        try {
            if (ending.compareAndSet(false, true)) {
                calls.close(keepAlive);
            }
            boolean inTime = ended.await(MAX_STOP_SECONDS, TimeUnit.SECONDS);
            Runtime.getRuntime().halt(inTime ? status.get() : 1);
        } catch (IOException failure) {
            System.err.println("The database cannot be asked to stop: " + failure.getMessage());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void aside(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }
}
