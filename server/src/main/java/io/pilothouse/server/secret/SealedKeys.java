package io.pilothouse.server.secret;

import io.pilothouse.core.port.SealedKey;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.secret.Vault;
import io.pilothouse.core.secret.VaultFault;
import io.pilothouse.store.StoreRefused;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Keys in the store itself, sealed under one key that each host is given. */
public final class SealedKeys implements KeyPlace {
    private final Store store;
    private final Vault vault;

    /** {@code vault} has the key of the store, and an older one where that is about to be replaced. */
    public SealedKeys(Store store, Vault vault) {
        this.store = store;
        this.vault = vault;
    }

    /** Whether a store has its keys itself. */
    public static boolean areIn(Store store) {
        return store.read(tables -> tables.findSealed(SealedKey.SECRET).isPresent());
    }

    /** Refuses unless all that is sealed opens. */
    public void requireFits() {
        for (SealedKey key : SealedKey.values()) {
            find(key);
        }
    }

    @Override
    public Optional<byte[]> find(SealedKey key) {
        return store.read(tables -> tables.findSealed(key)).map(text -> open(key, text));
    }

    private byte[] open(SealedKey key, String text) {
        try {
            return vault.open(text, context(key));
        } catch (VaultFault e) {
            throw new StoreRefused(
                    "The keys in the store are not sealed under this store-key: give the one that the other hosts have",
                    e);
        }
    }

    @Override
    public byte[] make(SealedKey key, byte[] made) {
        String text = vault.seal(made, context(key));
        return store.write(tables -> {
            Optional<String> kept = tables.findSealed(key);
            if (kept.isPresent()) {
                return open(key, kept.get());
            }
            tables.keepSealed(key, text);
            return made;
        });
    }

    @Override
    public void replace(SealedKey key, byte[] content) {
        keep(Map.of(key, content));
    }

    /** Keeps all of these or none. */
    public void keep(Map<SealedKey, byte[]> keys) {
        store.change(tables ->
                keys.forEach((key, content) -> tables.keepSealed(key, vault.seal(content, context(key)))));
    }

    /** Puts all of them under the newest key of the vault. */
    public void renew(Tables tables) {
        for (SealedKey key : SealedKey.values()) {
            tables.findSealed(key).ifPresent(text -> tables.keepSealed(key, vault.renew(text, context(key))));
        }
    }

    private static String context(SealedKey key) {
        return "store:" + key.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String shown(SealedKey key) {
        return switch (key) {
            case SECRET -> "The secret.key that is sealed in the store";
            case VAULT -> "The vault.key that is sealed in the store";
            case AUTHORITY -> "The authority that is sealed in the store";
        };
    }

    @Override
    public String afterReplacing(SealedKey key) {
        return "It is sealed in the store, so back that up: an older copy of the store has the older key in it.";
    }
}
