package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.secret.Vault;
import io.pilothouse.core.webhook.Webhook;
import io.pilothouse.core.webhook.WebhookService;
import io.pilothouse.store.SqliteStore;
import io.pilothouse.store.StoreMetrics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command that rotates the keys of stored credentials, killed in the middle of it. */
class VaultRotationIT {
    private static final int WEBHOOKS = 4_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final SecureRandom random = new SecureRandom();

    @TempDir
    private Path folder;

    private Path data() {
        return folder.resolve("data");
    }

    private Store store() {
        return SqliteStore.open(
                data(), Thread.ofPlatform().daemon().name("store-writer").factory(), StoreMetrics.NONE);
    }

    private List<UUID> sealed() throws StartRefused {
        Home home = Home.open(data());
        List<UUID> ids = new ArrayList<>();
        try (Store store = store()) {
            Vault vault = new VaultFile(home, store, random).open();
            store.write(tables -> {
                for (int i = 0; i < WEBHOOKS; i++) {
                    UUID id = UUID.randomUUID();
                    ids.add(id);
                    tables.of(Webhook.KIND).insert(webhook(id, vault));
                }
                return true;
            });
        }
        return ids;
    }

    private static Webhook webhook(UUID id, Vault vault) {
        byte[] secret = ("secret of " + id).getBytes(StandardCharsets.UTF_8);
        return new Webhook(
                Head.of(id, new UUID(0, 1), Instant.EPOCH),
                Instant.EPOCH,
                "Hook " + id,
                WebhookService.GENERIC,
                "https://example.org/",
                null,
                null,
                vault.seal(secret, Webhook.secretsContext(id)));
    }

    private void requireAllOpen(List<UUID> ids) throws StartRefused {
        try (Store store = store()) {
            Vault vault = new VaultFile(Home.open(data()), store, random).open();
            for (UUID id : ids) {
                Webhook webhook =
                        store.read(tables -> tables.of(Webhook.KIND).find(id)).orElseThrow();
                assertThat(vault.openText(webhook.sealedSecrets(), Webhook.secretsContext(id)))
                        .isEqualTo("secret of " + id);
            }
        }
    }

    private List<String> keys() throws IOException {
        return Files.readAllLines(data().resolve("vault.key")).stream()
                .filter(line -> !line.startsWith("#"))
                .toList();
    }

    private ChildProgram rotate() throws IOException {
        return ChildProgram.start(folder, "keys", "rotate", "--data", data().toString());
    }

    @Test
    void aRotationThatIsKilledLosesNothingAndIsEndedByTheNext() throws IOException, InterruptedException, StartRefused {
        List<UUID> ids = sealed();
        String before = keys().getFirst();
        try (ChildProgram program = rotate()) {
            long end = System.nanoTime() + PATIENCE.toNanos();
            // Both keys are in the file for as long as it is at work.
            while (keys().size() < 2) {
                assertThat(System.nanoTime()).as("the time until it is at work").isLessThan(end);
                Thread.onSpinWait();
            }
            program.process().destroyForcibly().waitFor();
        }
        assertThat(keys()).as("it was killed half-way").hasSize(2).contains(before);
        requireAllOpen(ids);
        try (ChildProgram program = rotate()) {
            assertThat(program.printedUntil("sealed under a new key")).contains(data().resolve("vault.key") + "");
            assertThat(program.exitCode()).isZero();
        }
        assertThat(keys()).hasSize(1).doesNotContain(before);
        requireAllOpen(ids);
    }

    @Test
    void lostKeysAreOneSentenceAtTheStart() throws IOException, InterruptedException, StartRefused {
        sealed();
        Files.delete(data().resolve("vault.key"));
        for (String[] command : List.of(
                new String[] {"keys", "rotate", "--data", data().toString()},
                new String[] {"up", "--listen", "127.0.0.1:0", "--data", data().toString()})) {
            try (ChildProgram program = ChildProgram.start(folder, command)) {
                assertThat(program.exitCode()).isEqualTo(1);
                assertThat(program.errors())
                        .isEqualTo("The file " + data().resolve("vault.key")
                                + " is missing, and without it no credential in the store can be opened: put it back"
                                + " from a backup.\n");
            }
        }
    }
}
