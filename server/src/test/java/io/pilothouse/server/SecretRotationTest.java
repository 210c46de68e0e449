package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.item.Item;
import io.pilothouse.core.key.AlertsToken;
import io.pilothouse.core.key.ApiKey;
import io.pilothouse.core.key.ApiKeyCreated;
import io.pilothouse.core.key.ApiKeyMaker;
import io.pilothouse.core.member.MemberKind;
import io.pilothouse.core.member.MemberSignIn;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.right.Role;
import io.pilothouse.core.role.Admins;
import io.pilothouse.core.role.Roles;
import io.pilothouse.core.secret.SecretHash;
import io.pilothouse.core.secret.SecretText;
import io.pilothouse.server.secret.PrivateFile;
import io.pilothouse.server.secret.SecretKeys;
import io.pilothouse.store.SqliteStore;
import io.pilothouse.store.StoreMetrics;
import io.pilothouse.testkit.KillSwitch;
import io.pilothouse.testkit.Killed;
import io.pilothouse.testkit.WatchedStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The key that hashes are made with: never that of another store, and changed without shutting anybody out. */
class SecretRotationTest {
    private static final UUID OWNER = new UUID(0, 1);
    private static final int KEY_BYTES = 32;

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

    private SecretHash hash() throws StartRefused {
        return home.secretHash(store, false, random);
    }

    private SecretKeys.Renewed rotate() throws StartRefused {
        return home.rotateSecretKey(store, random, tables -> {});
    }

    private long keysInFile() throws IOException {
        return Files.size(folder.resolve("secret.key")) / KEY_BYTES;
    }

    private record Made(UUID id, String secret) {}

    private Made key() throws StartRefused {
        ApiKeyCreated made = new ApiKeyMaker(new SecretText(random), home.secretHash(store, true, random), Instant::now)
                .make(OWNER, "A key", List.of(Role.ADMIN));
        store.change(tables -> tables.of(ApiKey.KIND).insert(made.key()));
        String secret = made.keySecret();
        return new Made(made.key().id(), secret == null ? "" : secret);
    }

    private Made token() throws StartRefused {
        String text = new SecretText(random).keySecret();
        AlertsToken token = new AlertsToken(
                Head.of(UUID.randomUUID(), OWNER, Instant.EPOCH), "A token", "abcd", hash().of(text), null);
        store.change(tables -> tables.of(AlertsToken.KIND).insert(token));
        return new Made(token.id(), text);
    }

    private ApiKey kept(Made key) {
        return store.read(tables -> tables.of(ApiKey.KIND).find(key.id())).orElseThrow();
    }

    private void requireGood(Made key, Made token) throws StartRefused {
        SecretHash hash = hash();
        assertThat(hash.matches(key.secret(), kept(key).secretHash())).isTrue();
        assertThat(hash.matches(key.secret() + "x", kept(key).secretHash())).isFalse();
        List<AlertsToken> found = store.read(tables -> hash.forms(token.secret()).stream()
                .flatMap(form -> tables.of(AlertsToken.KIND).findByReference(form).stream())
                .toList());
        assertThat(found).extracting(AlertsToken::id).containsExactly(token.id());
    }

    @Test
    void keysAndTokensStayGoodThroughEveryRotation() throws StartRefused, IOException {
        Made key = key();
        Made token = token();
        for (int rotation = 1; rotation <= 3; rotation++) {
            assertThat(rotate()).isEqualTo(new SecretKeys.Renewed(2, rotation + 1));
            assertThat(keysInFile()).isEqualTo(rotation + 1);
            requireGood(key, token);
        }
    }

    private Item member(String secret) throws StartRefused {
        MemberKind kind = new MemberKind(new Admins(new Roles(), List.of()));
        Tree.Members fields = Tree.Members.NONE
                .with("email", new Tree.Text("ada@example.org"))
                .with("signInHash", new Tree.Text(hash().of(secret)));
        UUID id = UUID.fromString(secret.substring(0, secret.indexOf('.')));
        return store.write(tables -> tables.of(Item.KIND).insert(Item.of(id, OWNER, kind, fields, Instant.EPOCH)));
    }

    @Test
    void aMemberSignsInAfterARotationAndNeedsTheOlderKeyNoMore() throws StartRefused, IOException {
        home.secretHash(store, true, random);
        String secret = UUID.randomUUID() + ".secret";
        Item member = member(secret);
        assertThat(rotate()).isEqualTo(new SecretKeys.Renewed(1, 2));
        MemberSignIn signIn = new MemberSignIn(store, new Roles(), new SecretText(random), hash());
        assertThat(signIn.caller("Ada@example.org", secret).keyId()).isEqualTo(member.id());
        assertThat(rotate()).isEqualTo(new SecretKeys.Renewed(1, 2));
        assertThat(keysInFile()).isEqualTo(2);
    }

    @Test
    void aKeyThatNoHashNeedsAnyMoreIsForgotten() throws StartRefused, IOException {
        Made key = key();
        rotate();
        rotate();
        assertThat(keysInFile()).isEqualTo(3);
        // As its next use leaves it.
        String newest = hash().of(key.secret());
        store.change(tables -> tables.of(ApiKey.KIND).overwrite(kept(key).used(Instant.now(), newest)));
        rotate();
        assertThat(keysInFile()).isEqualTo(2);
        assertThat(hash().matches(key.secret(), kept(key).secretHash())).isTrue();
    }

    @Test
    void aStoreWithoutHashesHasOneKeyAfterARotation() throws StartRefused, IOException {
        home.secretHash(store, true, random);
        byte[] before = Files.readAllBytes(folder.resolve("secret.key"));
        rotate();
        assertThat(folder.resolve("secret.key")).isNotEmptyFile();
        assertThat(Files.readAllBytes(folder.resolve("secret.key")))
                .hasSize(KEY_BYTES)
                .isNotEqualTo(before);
    }

    /** Killed before and after everything that it asks of the store, one place after another. */
    @Test
    void aRotationThatDiesAnywhereShutsNobodyOut() throws StartRefused {
        Made key = key();
        Made token = token();
        int places = rotate(Set.of());
        assertThat(places).isGreaterThan(3);
        for (int place = 1; place <= places; place++) {
            rotate(Set.of(place));
            requireGood(key, token);
        }
        rotate();
        requireGood(key, token);
    }

    private int rotate(Set<Integer> fatal) throws StartRefused {
        KillSwitch kill = new KillSwitch(fatal);
        try {
            home.rotateSecretKey(new WatchedStore(store, kill::pass), random, tables -> {});
        } catch (Killed died) {
            assertThat(fatal).as("%s", died).isNotEmpty();
        }
        return kill.passed().size();
    }

    @Test
    void theKeyOfAnotherStoreIsRefused() throws StartRefused, IOException {
        key();
        byte[] right = Files.readAllBytes(folder.resolve("secret.key"));
        for (int size : new int[] {KEY_BYTES, 2 * KEY_BYTES}) {
            PrivateFile.write(folder.resolve("secret.key"), new byte[size]);
            assertThatThrownBy(this::hash)
                    .isInstanceOf(StartRefused.class)
                    .hasMessage(
                            "The file " + folder.resolve("secret.key")
                                    + " does not hold the keys that the store's hashes are made with: put it back from a backup");
        }
        PrivateFile.write(folder.resolve("secret.key"), right);
        hash();
    }

    @Test
    void aFileFromBeforeTheLastRotationIsRefused() throws StartRefused, IOException {
        key();
        byte[] before = Files.readAllBytes(folder.resolve("secret.key"));
        rotate();
        PrivateFile.write(folder.resolve("secret.key"), before);
        assertThatThrownBy(this::hash).isInstanceOf(StartRefused.class);
    }

    @Test
    void aStoreThatIsOlderThanTheCheckTakesTheOneKeyThatThereIs() throws StartRefused, IOException {
        PrivateFile.write(folder.resolve("secret.key"), new byte[KEY_BYTES]);
        assertThat(store.read(Tables::findSecretCheck)).isEmpty();
        hash();
        assertThat(store.read(Tables::findSecretCheck)).isPresent();
        PrivateFile.write(folder.resolve("secret.key"), new byte[2 * KEY_BYTES]);
        assertThat(home.secretKeys(false, random)).hasSize(2);
    }

    @Test
    void moreKeysThanTheFileHoldsAreRefusedAndNothingChanges() throws StartRefused, IOException {
        Made key = key();
        Made token = token();
        for (int rotation = 1; rotation <= 15; rotation++) {
            rotate();
        }
        assertThat(keysInFile()).isEqualTo(16);
        assertThatThrownBy(this::rotate)
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("have not been used since 15 rotations ago");
        requireGood(key, token);
    }
}
