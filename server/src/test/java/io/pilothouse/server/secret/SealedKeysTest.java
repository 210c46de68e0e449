package io.pilothouse.server.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.port.SealedKey;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.secret.Vault;
import io.pilothouse.core.secret.VaultKeys;
import io.pilothouse.store.SqliteStore;
import io.pilothouse.store.StoreMetrics;
import io.pilothouse.store.StoreRefused;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SealedKeysTest {
    private static final byte[] OLD = "old key of the store, 32 bytes..".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NEW = "new key of the store, 32 bytes..".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SECRET = "the content of secret.key".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] OTHER = "another one".getBytes(StandardCharsets.US_ASCII);

    private final SecureRandom random = new SecureRandom();

    @TempDir
    private Path folder;

    private Store store;
    private SealedKeys keys;

    @BeforeEach
    void open() {
        store = SqliteStore.open(folder, Thread.ofPlatform().daemon().factory(), StoreMetrics.NONE);
        keys = under(OLD);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private SealedKeys under(byte[]... secrets) {
        return new SealedKeys(store, new Vault(VaultKeys.of(secrets), random));
    }

    private String kept(SealedKey key) {
        return store.read(tables -> tables.findSealed(key).orElseThrow());
    }

    @Test
    void firstKeyThatIsMadeIsTheOneOfAllHosts() {
        assertThat(SealedKeys.areIn(store)).isFalse();
        assertThat(keys.find(SealedKey.SECRET)).isEmpty();
        assertThat(keys.make(SealedKey.SECRET, SECRET)).isEqualTo(SECRET);
        assertThat(under(OLD).make(SealedKey.SECRET, OTHER)).isEqualTo(SECRET);
        assertThat(SealedKeys.areIn(store)).isTrue();
        assertThat(kept(SealedKey.SECRET)).startsWith("v1.").doesNotContain("secret.key");
    }

    @Test
    void anotherStoreKeyOpensNothingAndMakesNothing() {
        keys.make(SealedKey.SECRET, SECRET);
        String before = kept(SealedKey.SECRET);
        assertThatThrownBy(under(NEW)::requireFits)
                .isInstanceOf(StoreRefused.class)
                .hasMessageContaining("are not sealed under this store-key");
        assertThatThrownBy(() -> under(NEW).make(SealedKey.SECRET, OTHER)).isInstanceOf(StoreRefused.class);
        assertThat(kept(SealedKey.SECRET)).isEqualTo(before);
        keys.requireFits();
    }

    @Test
    void sealedKeyOpensInItsPlaceAlone() {
        keys.keep(Map.of(SealedKey.SECRET, SECRET, SealedKey.VAULT, OTHER));
        String moved = kept(SealedKey.VAULT);
        store.change(tables -> tables.keepSealed(SealedKey.SECRET, moved));
        assertThatThrownBy(() -> keys.find(SealedKey.SECRET)).isInstanceOf(StoreRefused.class);
        assertThat(keys.find(SealedKey.VAULT)).contains(OTHER);
    }

    @Test
    void allAreSealedUnderANewStoreKeyAtOnce() {
        keys.keep(Map.of(SealedKey.SECRET, SECRET, SealedKey.AUTHORITY, OTHER));
        store.change(under(NEW, OLD)::renew);
        assertThat(under(NEW).find(SealedKey.SECRET)).contains(SECRET);
        assertThat(under(NEW).find(SealedKey.AUTHORITY)).contains(OTHER);
        assertThat(under(NEW).find(SealedKey.VAULT)).isEmpty();
        assertThatThrownBy(keys::requireFits).isInstanceOf(StoreRefused.class);
    }

    @Test
    void replacedKeyIsTheNewOne() {
        keys.make(SealedKey.VAULT, SECRET);
        keys.replace(SealedKey.VAULT, OTHER);
        assertThat(keys.find(SealedKey.VAULT)).contains(OTHER);
    }
}
