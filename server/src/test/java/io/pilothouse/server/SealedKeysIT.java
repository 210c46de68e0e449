package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.server.secret.PrivateFile;
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
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store in a real PostgreSQL that has its keys itself, sealed under a key that hosts are given. */
class SealedKeysIT {
    private static final int KEY_BYTES = 32;

    private final SecureRandom random = new SecureRandom();
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    private Path key(String name, int filling) throws IOException {
        byte[] bytes = new byte[KEY_BYTES];
        Arrays.fill(bytes, (byte) filling);
        Path file = folder.resolve(name);
        PrivateFile.write(file, bytes);
        return file;
    }

    private static String[] flags(StorePostgres postgres, String... more) {
        List<String> flags = new ArrayList<>(postgres.flags());
        flags.addAll(List.of(more));
        return flags.toArray(String[]::new);
    }

    private TestProgram start(StorePostgres postgres, String home, String... more) throws SQLException, StartRefused {
        postgres.awaitNobody();
        return TestProgram.start(folder.resolve(home), flags(postgres, more));
    }

    private void requireRefused(StorePostgres postgres, String home, String sentence, String... more)
            throws SQLException {
        postgres.awaitNobody();
        assertThatThrownBy(() -> TestProgram.start(folder.resolve(home), flags(postgres, more)))
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining(sentence);
    }

    private int keys(StorePostgres postgres, String home, String... arguments) throws SQLException {
        postgres.awaitNobody();
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(postgres.flags());
        all.addAll(List.of("--data", folder.resolve(home).toString()));
        return new KeysCommand(Map.of(), Instant::now, random, out(), out()).run(all);
    }

    private int store(StorePostgres postgres, String... arguments) throws SQLException {
        postgres.awaitNobody();
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(postgres.flags().subList(2, postgres.flags().size()));
        return new StoreCommand(Map.of(), Instant::now, random, out(), out()).run(all);
    }

    private PrintStream out() {
        printed.reset();
        return new PrintStream(printed, true, StandardCharsets.UTF_8);
    }

    private String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    /** What a host has to be handed for a client of the tests, and for nothing else. */
    private void handOnCredentials(String from, String to) throws IOException {
        Files.createDirectories(folder.resolve(to));
        Files.copy(
                folder.resolve(from).resolve("credentials.json"),
                folder.resolve(to).resolve("credentials.json"));
    }

    private void requireNoKeysIn(String home) {
        assertThat(folder.resolve(home).resolve("secret.key")).doesNotExist();
        assertThat(folder.resolve(home).resolve("vault.key")).doesNotExist();
        assertThat(folder.resolve(home).resolve("tls/ca.key")).doesNotExist();
    }

    private static void requireAnswers(TestProgram program) throws IOException, InterruptedException {
        assertThat(program.getAsFirstKey(program.organizationUrl()).statusCode())
                .isEqualTo(200);
    }

    private byte[] certificate(String home) throws IOException {
        return Files.readAllBytes(folder.resolve(home).resolve("tls/ca.crt"));
    }

    @Test
    void hostNeedsTheKeyOfTheStoreAndNothingElse()
            throws IOException, InterruptedException, SQLException, StartRefused {
        String key = key("store.key", 1).toString();
        String other = key("other.key", 2).toString();
        try (StorePostgres postgres = new StorePostgres(folder)) {
            start(postgres, "one", "--store-key", key, "--tls-names", "one.example")
                    .close();
            requireNoKeysIn("one");
            start(postgres, "two", "--store-key", key, "--tls-names", "two.example")
                    .close();
            requireNoKeysIn("two");
            assertThat(certificate("two")).as("one authority for all hosts").isEqualTo(certificate("one"));
            requireRefused(postgres, "three", "give the one that the other hosts have", "--store-key", other);
            requireRefused(postgres, "three", "--store-key is missing");
            requireRefused(postgres, "one", "--store-key is missing");

            handOnCredentials("one", "three");
            String text = Base64.getEncoder().encodeToString(Files.readAllBytes(Path.of(key)));
            postgres.awaitNobody();
            try (TestProgram program = TestProgram.start(
                    folder.resolve("three"), Map.of("PILOTHOUSE_STORE_KEY_TEXT", text), flags(postgres))) {
                requireAnswers(program);
            }
            requireNoKeysIn("three");
        }
    }

    @Test
    void everyKeyIsReplacedAndEveryHostGoesOn() throws IOException, InterruptedException, SQLException, StartRefused {
        String key = key("store.key", 1).toString();
        Path next = folder.resolve("next.key");
        try (StorePostgres postgres = new StorePostgres(folder)) {
            start(postgres, "one", "--store-key", key).close();
            assertThat(keys(postgres, "one", "rotate", "--store-key", key))
                    .as(printed())
                    .isEqualTo(Main.FINE);
            assertThat(keys(postgres, "one", "rotate-secret", "--store-key", key))
                    .as(printed())
                    .isEqualTo(Main.FINE);
            assertThat(printed()).contains("It is sealed in the store, so back that up");
            assertThat(keys(postgres, "one", "rotate-secret")).isEqualTo(Main.REFUSED);
            assertThat(keys(postgres, "one", "rotate-store-key", key, "--store-key", key))
                    .isEqualTo(Main.REFUSED);
            assertThat(printed()).contains("is the one that the store has");
            assertThat(keys(postgres, "one", "rotate-store-key", next.toString(), "--store-key", key))
                    .as(printed())
                    .isEqualTo(Main.FINE);
            requireNoKeysIn("one");
            requireRefused(postgres, "one", "give the one that the other hosts have", "--store-key", key);
            handOnCredentials("one", "two");
            try (TestProgram program = start(postgres, "two", "--store-key", next.toString())) {
                requireAnswers(program);
                assertThat(program.getAsFirstKey(program.organizationUrl() + "/activities")
                                .body())
                        .contains("vault_key_rotate", "secret_key_rotate", "store_key_rotate");
            }
        }
    }

    @Test
    void keysInFilesAreTakenIntoTheStoreAndBackIntoFiles()
            throws IOException, InterruptedException, SQLException, StartRefused {
        String key = key("store.key", 1).toString();
        Path home = folder.resolve("home");
        TestProgram.start(home, "--tls-names", "one.example").close();
        byte[] secret = Files.readAllBytes(home.resolve("secret.key"));
        try (StorePostgres postgres = new StorePostgres(folder)) {
            String address = postgres.flags().get(1);
            assertThat(store(postgres, "copy", "--from", home.toString(), "--to", address, "--store-key", key))
                    .as(printed())
                    .isEqualTo(Main.FINE);
            handOnCredentials("home", "host");
            start(postgres, "host", "--store-key", key, "--tls-names", "two.example")
                    .close();
            requireNoKeysIn("host");
            assertThat(certificate("host")).isEqualTo(certificate("home"));

            Path back = folder.resolve("back");
            assertThat(store(postgres, "copy", "--from", address, "--to", back.toString()))
                    .isEqualTo(Main.REFUSED);
            assertThat(printed()).contains("--store-key is missing");
            assertThat(store(postgres, "copy", "--from", address, "--to", back.toString(), "--store-key", key))
                    .as(printed())
                    .isEqualTo(Main.FINE);
            assertThat(Files.readAllBytes(back.resolve("secret.key"))).isEqualTo(secret);
            assertThat(certificate("back")).isEqualTo(certificate("home"));
            assertThat(Files.readAllBytes(back.resolve("tls/ca.key")))
                    .isEqualTo(Files.readAllBytes(home.resolve("tls/ca.key")));
            handOnCredentials("home", "back");
            try (TestProgram program = TestProgram.start(back)) {
                requireAnswers(program);
            }
        }
    }

    @Test
    void keysOfAnotherStoreAreNotTakenIn() throws IOException, SQLException, StartRefused {
        String key = key("store.key", 1).toString();
        try (StorePostgres postgres = new StorePostgres(folder)) {
            start(postgres, "one").close();
            Path secret = folder.resolve("one/secret.key");
            byte[] right = Files.readAllBytes(secret);
            PrivateFile.write(secret, new byte[KEY_BYTES]);
            requireRefused(postgres, "one", "does not hold the keys", "--store-key", key);
            requireRefused(postgres, "two", "is missing", "--store-key", key);
            PrivateFile.write(secret, right);
            start(postgres, "one", "--store-key", key).close();
            start(postgres, "two", "--store-key", key).close();
            requireNoKeysIn("two");
        }
    }
}
