package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.backup.Backups;
import io.pilothouse.core.backup.Proving;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Service;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command that has a running program prove its backups, against a program whose proofs end as the test says. */
class VerifyCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    /** Damage by backup; every other one is restorable. */
    private final Set<UUID> damaged = ConcurrentHashMap.newKeySet();

    private volatile boolean refuses;

    /** Makes backups as another does; proofs of them end at once. */
    private final class Proofs implements Backups {
        private final Backups kept;
        private final Set<UUID> proven = ConcurrentHashMap.newKeySet();

        Proofs(Backups kept) {
            this.kept = kept;
        }

        @Override
        public void begin(Service service, UUID backupId) throws PlaneFault {
            kept.begin(service, backupId);
        }

        @Override
        public Progress observe(UUID serviceId, UUID backupId) throws PlaneFault {
            return kept.observe(serviceId, backupId);
        }

        @Override
        public void drop(UUID serviceId, UUID backupId) throws PlaneFault {
            kept.drop(serviceId, backupId);
        }

        @Override
        public void prove(UUID serviceId, UUID backupId) {
            proven.add(backupId);
        }

        @Override
        public Proving proving(UUID serviceId, UUID backupId) {
            if (!proven.contains(backupId)) {
                return new Proving.Idle();
            }
            return damaged.contains(backupId)
                    ? Proving.Ended.damaged("Its file is not there any more.")
                    : Proving.Ended.restorable(3, 40);
        }

        @Override
        public void forgetProof(UUID serviceId, UUID backupId) {
            proven.remove(backupId);
        }

        @Override
        public Optional<String> proofRefusal() {
            return refuses ? Optional.of("Nothing is proven in this test") : Optional.empty();
        }
    }

    private TestProgram start(String... flags) throws StartRefused {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        Surroundings usual = TestProgram.surroundings(log);
        Surroundings surroundings = new Surroundings(
                Instant::now,
                new SecureRandom(),
                ground -> {
                    PlaneParts parts = usual.plane().make(ground);
                    return TestProgram.around(parts, parts.plane(), new Proofs(parts.backups()));
                },
                log,
                request -> {});
        return TestProgram.start(folder, surroundings, log, flags);
    }

    private String service(TestProgram program) throws IOException, InterruptedException {
        String created = program.createService("{}").body();
        String id = TestProgram.field(created.substring(created.indexOf("\"service\"")), "id");
        program.await(url(program, id), body -> body.contains("\"state\":\"running\""));
        return id;
    }

    private static String url(TestProgram program, String service) throws IOException {
        return program.organizationUrl() + "/services/" + service;
    }

    private String backup(TestProgram program, String service) throws IOException, InterruptedException {
        String url = url(program, service) + "/backups";
        String made = program.send(program.management(url).POST(HttpRequest.BodyPublishers.noBody()))
                .body();
        String id = TestProgram.field(made.substring(made.indexOf("\"result\"")), "id");
        program.await(url + "/" + id, body -> body.contains("\"status\":\"done\""));
        return id;
    }

    private int verify(Map<String, String> environment, String... arguments) {
        return new Main(
                        environment,
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run(List.of(arguments));
    }

    private int verify(TestProgram program, String... more) {
        List<String> arguments = new ArrayList<>(List.of("verify"));
        arguments.addAll(List.of(more));
        arguments.addAll(List.of(
                "--admin-listen",
                program.running().urls().admin().replaceFirst("^https?://", ""),
                "--data",
                folder.toString()));
        return verify(Map.of(), arguments.toArray(String[]::new));
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void everyNewestBackupIsProvenNowAndTheExitSaysWhetherAllCanBeRestored()
            throws StartRefused, IOException, InterruptedException {
        try (TestProgram program = start()) {
            assertThat(verify(program)).isEqualTo(Main.FINE);
            assertThat(out()).isEqualTo("No service has a finished backup.\n");
            out.reset();

            String good = service(program);
            backup(program, good);
            String newest = backup(program, good);
            service(program);
            assertThat(verify(program)).isEqualTo(Main.FINE);
            assertThat(out())
                    .contains("backup " + newest + " of service " + good + "\n")
                    .contains("  restorable: 3 parts with 40 rows came back\n")
                    .endsWith("Of 1 backup: 1 restorable; services without a finished backup: 1.\n");
            assertThat(program.getAsFirstKey(url(program, good) + "/backups/" + newest)
                            .body())
                    .contains("\"proof\":{\"status\":\"restorable\"");

            // It was restorable a moment ago, and is tried again all the same.
            damaged.add(UUID.fromString(newest));
            assertThat(verify(program, "--service", good)).isEqualTo(Main.REFUSED);
            assertThat(out()).endsWith("  damaged: Its file is not there any more.\nOf 1 backup: 1 damaged.\n");
            assertThat(err()).isEqualTo("One backup is not known to be restorable.\n");
            assertThat(program.get(program.running().urls().admin() + "/metrics")
                            .body())
                    .contains("pilothouse_backup_proofs_total{outcome=\"restorable\"} 1\n")
                    .contains("pilothouse_backup_proofs_total{outcome=\"damaged\"} 1\n")
                    .contains("pilothouse_backup_proofs_total{outcome=\"untried\"} 0\n")
                    .contains("\npilothouse_backup_unproven_age_seconds ");
        }
    }

    @Test
    void whatCannotBeVerifiedIsARefusalWithItsReason() throws StartRefused, IOException, InterruptedException {
        String unknown = UUID.randomUUID().toString();
        int port;
        try (TestProgram program = start()) {
            String service = service(program);
            port = Integer.parseInt(program.running().urls().admin().replaceFirst(".*:", ""));
            assertThat(verify(program, "--service", unknown)).isEqualTo(Main.REFUSED);
            assertThat(verify(program, "--service", "all")).isEqualTo(Main.REFUSED);
            assertThat(verify(program, "--service", service)).isEqualTo(Main.REFUSED);
            backup(program, service);
            refuses = true;
            assertThat(verify(program)).isEqualTo(Main.REFUSED);
        }
        assertThat(verify(Map.of(), "verify", "--admin-listen", "127.0.0.1:" + port))
                .isEqualTo(Main.REFUSED);
        assertThat(err().lines().toList())
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo("There is no finished backup of a service " + unknown + "."),
                        line -> assertThat(line).isEqualTo("all is not the id of a service, which is a UUID."),
                        line -> assertThat(line).startsWith("There is no finished backup of a service "),
                        line -> assertThat(line).isEqualTo("Nothing is proven in this test."),
                        line -> assertThat(line)
                                .isEqualTo("No program answers at http://127.0.0.1:" + port
                                        + ": --admin-listen names where the one that runs has its admin address."));
    }

    @Test
    void itSpeaksTlsAndShowsTheTokenWhereTheProgramAsksForThem()
            throws StartRefused, IOException, InterruptedException {
        String token = "t".repeat(40);
        try (TestProgram program = TestProgram.start(
                folder, Map.of("PILOTHOUSE_ADMIN_TOKEN", token), "--tls-names", "pilothouse.example.org")) {
            String admin = program.running().urls().admin().replaceFirst("^https://", "");
            String[] arguments = {
                "verify", "--admin-listen", admin, "--data", folder.toString(), "--tls-names", "pilothouse.example.org"
            };
            assertThat(verify(Map.of(), arguments)).isEqualTo(Main.REFUSED);
            assertThat(err()).contains(" asks for its token: set PILOTHOUSE_ADMIN_TOKEN.");
            assertThat(verify(Map.of("PILOTHOUSE_ADMIN_TOKEN", token), arguments))
                    .as(err())
                    .isEqualTo(Main.FINE);
        }
    }

    @Test
    void itExplainsItself() {
        assertThat(verify(Map.of(), "verify", "--help")).isEqualTo(Main.FINE);
        assertThat(out())
                .startsWith("./pilothouse verify [--service ID] has the program that runs restore the newest backup")
                .contains("--admin-listen HOST:PORT", "--data DIR", "PILOTHOUSE_ADMIN_TOKEN")
                .doesNotContain("--rules");
        assertThat(verify(Map.of(), "verify", "one", "two")).isEqualTo(Main.MISUSED);
        assertThat(err()).isEqualTo("It is ./pilothouse verify [--service ID], with options after it.\n");
    }
}
