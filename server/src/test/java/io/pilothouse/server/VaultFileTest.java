package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.secret.Vault;
import io.pilothouse.core.secret.VaultKeys;
import io.pilothouse.core.webhook.Webhook;
import io.pilothouse.core.webhook.WebhookService;
import io.pilothouse.server.secret.PrivateFile;
import io.pilothouse.store.SqliteStore;
import io.pilothouse.store.StoreMetrics;
import io.pilothouse.testkit.KillSwitch;
import io.pilothouse.testkit.Killed;
import io.pilothouse.testkit.WatchedStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The keys of stored credentials: never remade beside a store that needs them, and rotated without a loss. */
class VaultFileTest {
    private static final int WEBHOOKS = 230;

    private final SecureRandom random = new SecureRandom();

    @TempDir
    private Path folder;

    private Home home;
    private Store store;

    @BeforeEach
    void open() throws StartRefused {
        home = Home.open(folder);
        store = SqliteStore.open(
                folder, Thread.ofPlatform().daemon().name("store-writer").factory(), StoreMetrics.NONE);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private VaultFile file(Store through) {
        return new VaultFile(home, through, random);
    }

    private Vault vault() throws StartRefused {
        return file(store).open();
    }

    private Path keys() {
        return folder.resolve("vault.key");
    }

    private List<UUID> sealed() throws StartRefused {
        return sealed(vault());
    }

    private List<UUID> sealed(Vault vault) {
        List<UUID> ids = new ArrayList<>();
        for (int i = 0; i < WEBHOOKS; i++) {
            UUID id = UUID.randomUUID();
            ids.add(id);
            byte[] secret = ("secret of " + id).getBytes(StandardCharsets.UTF_8);
            Webhook webhook = new Webhook(
                    Head.of(id, new UUID(0, 1), Instant.EPOCH),
                    Instant.EPOCH,
                    "Hook " + i,
                    WebhookService.GENERIC,
                    "https://example.org/",
                    null,
                    null,
                    vault.seal(secret, Webhook.secretsContext(id)));
            store.write(tables -> tables.of(Webhook.KIND).insert(webhook));
        }
        return ids;
    }

    private void requireAllOpen(List<UUID> ids) throws StartRefused {
        Vault vault = vault();
        for (UUID id : ids) {
            Webhook webhook =
                    store.read(tables -> tables.of(Webhook.KIND).find(id)).orElseThrow();
            assertThat(vault.openText(webhook.sealedSecrets(), Webhook.secretsContext(id)))
                    .isEqualTo("secret of " + id);
        }
    }

    private long keyLines() throws IOException {
        return Files.readAllLines(keys()).stream()
                .filter(line -> !line.startsWith("#"))
                .count();
    }

    @Test
    void theFirstStartMakesTheKeysAndLaterOnesFindThem() throws StartRefused, IOException {
        String sealed = vault().sealText("a secret", "here");
        String written = Files.readString(keys());
        assertThat(vault().openText(sealed, "here")).isEqualTo("a secret");
        assertThat(keys()).hasContent(written);
    }

    @Test
    void lostKeysAreNeverRemadeBesideAStoreThatNeedsThem() throws StartRefused, IOException {
        vault();
        Files.delete(keys());
        assertThatThrownBy(this::vault)
                .isInstanceOf(StartRefused.class)
                .hasMessage(
                        "The file " + keys() + " is missing, and without it no credential in the store can be opened:"
                                + " put it back from a backup");
        assertThat(keys()).doesNotExist();
    }

    @Test
    void theKeysOfAnotherStoreAreRefused() throws StartRefused, IOException {
        vault();
        Files.delete(keys());
        home.writeVaultKeys(VaultKeys.generate(random));
        assertThatThrownBy(this::vault)
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("does not hold the keys that the store's credentials are sealed under");
    }

    @Test
    void aFileThatIsNoRingOfKeysIsRefusedWithoutShowingIt() throws StartRefused, IOException {
        vault();
        PrivateFile.write(keys(), "not a key at all".getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(this::vault)
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("is not a ring of keys: line 1")
                .hasMessageNotContaining("not a key at all");
        PrivateFile.write(keys(), new byte[] {(byte) 0xFF, (byte) 0xFE, 7});
        assertThatThrownBy(this::vault)
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("is not a ring of keys: line 1");
    }

    @Test
    void aStoreThatIsOlderThanTheCheckIsReadThroughInstead() throws Exception {
        VaultKeys first = VaultKeys.generate(random);
        home.writeVaultKeys(first);
        List<UUID> ids = sealed(new Vault(first, random));
        byte[] kept = Files.readAllBytes(keys());
        Files.delete(keys());
        assertThatThrownBy(this::vault).isInstanceOf(StartRefused.class).hasMessageContaining("is missing");
        home.writeVaultKeys(VaultKeys.generate(random));
        assertThatThrownBy(this::vault).isInstanceOf(StartRefused.class).hasMessageContaining("does not hold the keys");
        PrivateFile.write(keys(), kept);
        requireAllOpen(ids);
        assertThat(store.read(Tables::findVaultCheck)).isPresent();
    }

    @Test
    void aRotationSealsEverythingUnderANewKeyAndForgetsTheOldOne() throws StartRefused, IOException {
        List<UUID> ids = sealed();
        String before = Files.readString(keys());
        assertThat(file(store).rotate(tables -> {})).isEqualTo(WEBHOOKS);
        assertThat(keyLines()).isEqualTo(1);
        assertThat(Files.readString(keys())).isNotEqualTo(before);
        requireAllOpen(ids);
        PrivateFile.write(keys(), before.getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(this::vault).isInstanceOf(StartRefused.class);
    }

    /** Killed before and after everything that it asks of the store, one place after another. */
    @Test
    void aRotationThatDiesAnywhereLosesNothing() throws StartRefused, IOException {
        List<UUID> ids = sealed();
        int places = rotate(Set.of());
        assertThat(places).isGreaterThan(8);
        for (int place = 1; place <= places; place++) {
            rotate(Set.of(place));
            requireAllOpen(ids);
        }
        file(store).rotate(tables -> {});
        assertThat(keyLines()).isEqualTo(1);
        requireAllOpen(ids);
    }

    private int rotate(Set<Integer> fatal) throws StartRefused {
        KillSwitch kill = new KillSwitch(fatal);
        try {
            file(new WatchedStore(store, kill::pass)).rotate(tables -> {});
        } catch (Killed died) {
            assertThat(fatal).as("%s", died).isNotEmpty();
        }
        return kill.passed().size();
    }
}
