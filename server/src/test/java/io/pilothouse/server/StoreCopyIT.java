package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.secret.Vault;
import io.pilothouse.core.webhook.Webhook;
import io.pilothouse.core.webhook.WebhookService;
import io.pilothouse.store.SqliteStore;
import io.pilothouse.store.StoreMetrics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command that takes a store into PostgreSQL and back, with a program on each of them. */
class StoreCopyIT {
    private static final List<String> KEYS = List.of("secret.key", "vault.key", "credentials.json");

    private final SecureRandom random = new SecureRandom();
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    private int copy(StorePostgres postgres, String from, String to) throws SQLException {
        postgres.awaitNobody();
        printed.reset();
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        List<String> arguments = new ArrayList<>(List.of("copy", "--from", from, "--to", to));
        // The address of the store is not a flag of its own here.
        arguments.addAll(postgres.flags().subList(2, postgres.flags().size()));
        return new StoreCommand(Map.of(), Instant::now, random, out, out).run(arguments);
    }

    private String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    /** Beside the service that a program makes, something sealed. */
    private static void seal(Path home) throws StartRefused {
        SecureRandom random = new SecureRandom();
        try (Store store = SqliteStore.open(home, Thread.ofPlatform().daemon().factory(), StoreMetrics.NONE)) {
            Vault vault = new VaultFile(Home.open(home), store, random).open();
            UUID id = UUID.randomUUID();
            store.change(tables -> tables.of(Webhook.KIND)
                    .insert(new Webhook(
                            Head.of(id, new UUID(0, 1), Instant.EPOCH),
                            Instant.EPOCH,
                            "Hook",
                            WebhookService.GENERIC,
                            "https://example.org/",
                            null,
                            null,
                            vault.seal("a secret".getBytes(StandardCharsets.UTF_8), Webhook.secretsContext(id)))));
        }
    }

    private static void create(TestProgram program, String name) throws IOException, InterruptedException {
        assertThat(program.createService("{\"name\": \"" + name + "\"}").statusCode())
                .isEqualTo(200);
    }

    private static String services(TestProgram program) throws IOException, InterruptedException {
        return program.await(
                program.organizationUrl() + "/services",
                body -> body.contains("\"state\":\"running\"") && !body.contains("\"state\":\"provisioning\""));
    }

    @Test
    void programGoesOnInPostgresqlAndBackInAFolder()
            throws IOException, InterruptedException, SQLException, StartRefused {
        Path home = folder.resolve("home");
        try (TestProgram program = TestProgram.start(home)) {
            create(program, "Made in the folder");
        }
        seal(home);
        try (StorePostgres postgres = new StorePostgres(folder)) {
            String address = postgres.flags().get(1);
            assertThat(copy(postgres, home.toString(), address)).as(printed()).isEqualTo(Main.FINE);
            assertThat(printed())
                    .containsPattern("([0-9]+) of \\1 rows are copied")
                    .contains("1 thing with credentials opens", "Start the program with --store");
            assertThat(copy(postgres, home.toString(), address)).isEqualTo(Main.REFUSED);
            assertThat(printed()).contains("holds something already");
            try (TestProgram program = TestProgram.start(home, postgres.flags().toArray(String[]::new))) {
                assertThat(services(program)).contains("Made in the folder");
                create(program, "Made in PostgreSQL");
            }
            Path back = folder.resolve("back");
            assertThat(copy(postgres, address, back.toString())).isEqualTo(Main.REFUSED);
            assertThat(printed()).contains("secret.key", "is missing");
            for (String key : KEYS) {
                Files.copy(home.resolve(key), back.resolve(key));
            }
            assertThat(copy(postgres, address, back.toString())).as(printed()).isEqualTo(Main.FINE);
            try (TestProgram program = TestProgram.start(back)) {
                assertThat(services(program)).contains("Made in the folder", "Made in PostgreSQL");
                assertThat(program.getAsFirstKey(program.organizationUrl() + "/activities")
                                .body())
                        .contains("store_copy");
            }
        }
    }

    @Test
    void secretThatDoesNotOpenIsSaid() throws IOException, InterruptedException, SQLException, StartRefused {
        Path home = folder.resolve("home");
        TestProgram.start(home).close();
        seal(home);
        byte[] other = new byte[32];
        Arrays.fill(other, (byte) 7);
        Files.write(home.resolve("secret.key"), other);
        try (StorePostgres postgres = new StorePostgres(folder)) {
            assertThat(copy(postgres, home.toString(), postgres.flags().get(1))).isEqualTo(Main.REFUSED);
            assertThat(printed()).contains("secret.key", "does not hold the keys");
            assertThat(copy(postgres, home.toString(), postgres.flags().get(1))).isEqualTo(Main.REFUSED);
            assertThat(printed()).as("nothing was copied").doesNotContain("holds something");
        }
    }
}
