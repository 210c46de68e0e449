package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Three real programs over one real PostgreSQL, on machines whose clocks differ, and what may happen to them. */
final class SharedFleet implements AutoCloseable {
    static final int PROGRAMS = 3;

    /** Ten seconds, and as many for a machine that has much to do. */
    private static final long REPLACED_WITHIN_NANOS = 20_000_000_000L;

    /** Longer than the lease of a task. */
    private static final long SILENT_MILLIS = 10_000;

    /** How far the clock of each machine is off. */
    private static final List<Duration> CLOCKS = List.of(Duration.ZERO, Duration.ofHours(3), Duration.ofMinutes(-40));

    /** Notes every claim of a task that another process held, with how long its lease would have lasted still. */
    private static final String WATCH = """
        CREATE TABLE taken_early (subject_id TEXT, nanos BIGINT);
        CREATE FUNCTION note_early() RETURNS trigger AS $$
        BEGIN
            IF OLD.lease_owner IS NOT NULL AND NEW.token <> OLD.token
                    AND OLD.ready_at > (extract(epoch FROM clock_timestamp()) + 1) * 1000000000 THEN
                INSERT INTO taken_early VALUES (OLD.subject_id, OLD.ready_at);
            END IF;
            RETURN NEW;
        END $$ LANGUAGE plpgsql SECURITY DEFINER;
        CREATE TRIGGER watch BEFORE UPDATE ON tasks FOR EACH ROW EXECUTE FUNCTION note_early();
        """;

    private final Path folder;
    private final StorePostgres postgres;
    private final List<CutNetwork> networks = new ArrayList<>();
    private final AtomicReferenceArray<ChildOnPostgres> programs = new AtomicReferenceArray<>(PROGRAMS);

    /** The programs that cannot answer just now: what they say then does not count. */
    private final Set<Integer> disturbed = ConcurrentHashMap.newKeySet();

    private SharedFleet(Path folder, StorePostgres postgres) throws IOException {
        this.folder = folder;
        this.postgres = postgres;
        for (int program = 0; program < PROGRAMS; program++) {
            networks.add(new CutNetwork(postgres.port()));
        }
    }

    static SharedFleet begin(Path folder, StorePostgres postgres) throws IOException, SQLException {
        SharedFleet fleet = new SharedFleet(folder, postgres);
        boolean begun = false;
        try {
            fleet.start(0);
            postgres.executeAsKeeper(WATCH);
            for (int program = 1; program < PROGRAMS; program++) {
                Path data = Files.createDirectories(fleet.home(program).resolve("data"));
                for (String key : List.of("secret.key", "vault.key", "credentials.json")) {
                    Files.copy(fleet.home(0).resolve("data").resolve(key), data.resolve(key));
                }
                fleet.start(program);
            }
            begun = true;
            return fleet;
        } finally {
            if (!begun) {
                fleet.close();
            }
        }
    }

    private Path home(int program) {
        return folder.resolve("program " + program);
    }

    private void start(int program) throws IOException {
        List<String> flags =
                new ArrayList<>(postgres.flags(networks.get(program).port()));
        flags.add("--store-shared");
        programs.set(program, ChildOnPostgres.beside(home(program), CLOCKS.get(program), flags));
    }

    ChildOnPostgres program(int program) {
        return programs.get(program);
    }

    StorePostgres postgres() {
        return postgres;
    }

    boolean isDisturbed(int program) {
        return disturbed.contains(program)
                || !program(program).program().process().isAlive();
    }

    /** Each says once that its clock is off, unless it is not. */
    void requireThatClocksWereNoticed() throws IOException {
        for (int program = 0; program < PROGRAMS; program++) {
            boolean noticed = program(program).program().errors().contains("that of the database, which is the one");
            assertThat(noticed)
                    .as("program %d", program)
                    .isEqualTo(!CLOCKS.get(program).isZero());
        }
    }

    /**
     * Stops one and cuts the network of another for longer than their leases; the connections of that one go on then, or
     * are lost.
     */
    void silence(int stopped, int cut, boolean lost) throws IOException, InterruptedException {
        disturbed.addAll(List.of(stopped, cut));
        networks.get(cut).cut();
        program(stopped).program().signal("STOP");
        TimeUnit.MILLISECONDS.sleep(SILENT_MILLIS);
        program(stopped).program().signal("CONT");
        if (lost) {
            networks.get(cut).reset();
        } else {
            networks.get(cut).mend();
        }
        for (int program : List.of(stopped, cut)) {
            program(program).awaitReady();
            disturbed.remove(program);
        }
    }

    /** Kills one, waits until the others have what it had, and starts it again. */
    void killAndStart(int program) throws IOException, InterruptedException, SQLException {
        disturbed.add(program);
        program(program).kill();
        program(program).close();
        awaitNoLeases(program);
        start(program);
        disturbed.remove(program);
    }

    private void awaitNoLeases(int program) throws SQLException, InterruptedException {
        long end = System.nanoTime() + REPLACED_WITHIN_NANOS;
        while (leases(program) > 0) {
            assertThat(System.nanoTime()).as("the time to replace it").isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    /** How many tasks it holds. */
    long leases(int program) throws SQLException {
        long pid = program(program).program().process().pid();
        return postgres.count("SELECT COUNT(*) FROM tasks WHERE lease_owner LIKE 'process " + pid + " %'");
    }

    /** Stops the database and starts it again. */
    void restartDatabase() throws Exception {
        Set<Integer> all = Set.of(0, 1, 2);
        disturbed.addAll(all);
        postgres.whileAway(() -> assertThat(program(0).ready().statusCode()).isEqualTo(503));
        for (int program : all) {
            program(program).awaitReady();
        }
        disturbed.removeAll(all);
    }

    @Override
    public void close() throws IOException {
        for (int program = 0; program < PROGRAMS; program++) {
            if (programs.get(program) != null) {
                programs.get(program).close();
            }
        }
        for (CutNetwork network : networks) {
            network.close();
        }
    }
}
