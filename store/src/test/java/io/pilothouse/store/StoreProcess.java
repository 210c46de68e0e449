package io.pilothouse.store;

import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tasks;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Another process on a store: it holds the store or writes to it for as long as it is let live, and says what it did. */
final class StoreProcess implements AutoCloseable {
    private static final int WRITERS = 16;
    private static final long MAX_SECONDS = 60;

    /** The task of the process. */
    enum Task {
        HOLD,
        WRITE
    }

    private final Process process;
    private final BufferedReader said;

    private StoreProcess(Process process) {
        this.process = process;
        this.said = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    static StoreProcess start(Task task, Path folder) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                // A killed process leaves the driver's library behind.
                "-Dorg.sqlite.tmpdir=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                StoreProcess.class.getName(),
                task.name(),
                folder.toString()));
        return new StoreProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** The next line it says; null when it is no more. */
    String says() throws IOException {
        return said.readLine();
    }

    /** Kills it without a warning, and returns what it had still said; the last line may be cut off. */
    List<String> kill() throws IOException, InterruptedException {
        // Through its handle, because the process itself would close the stream with what is still in it.
        process.toHandle().destroyForcibly();
        List<String> lines = new ArrayList<>();
        for (String line = says(); line != null; line = says()) {
            lines.add(line);
        }
        process.waitFor();
        return lines;
    }

    int exitCode() throws InterruptedException {
        if (!process.waitFor(MAX_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("The process does not end");
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    public static void main(String[] arguments) throws InterruptedException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        try {
            Store store =
                    SqliteStore.open(Path.of(arguments[1]), Thread.ofPlatform().factory(), StoreMetrics.NONE);
            out.println("open");
            if (Task.valueOf(arguments[0]) == Task.WRITE) {
                for (int i = 0; i < WRITERS; i++) {
                    Thread.ofVirtual().start(() -> writeForEver(store, out));
                }
            }
            Thread.currentThread().join();
        } catch (StoreRefused e) {
            out.println(e.getMessage());
            System.exit(1);
        }
    }

    private static void writeForEver(Store store, PrintStream out) {
        while (true) {
            Organization row = Samples.row();
            store.write(tables -> {
                tables.tasks().wake(Tasks.Kind.SERVICE, row.id(), Tasks.Urgency.NEW, row.createdAt());
                return tables.of(Organization.KIND).insert(row);
            });
            out.println(row.id());
        }
    }
}
