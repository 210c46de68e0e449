package io.pilothouse.server;

import io.pilothouse.core.backup.BackupBucket;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeOperations;
import io.pilothouse.core.port.SealedKey;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.secret.Vault;
import io.pilothouse.core.secret.VaultFault;
import io.pilothouse.core.secret.VaultKeys;
import io.pilothouse.core.webhook.Webhook;
import io.pilothouse.server.secret.VaultRotation;
import io.pilothouse.server.secret.VaultRotation.Holder;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The vault of this installation: its keys are where the home has them, and the store knows whether they are the right ones. */
final class VaultFile {
    /** Every table with sealed texts in it. */
    private static final List<Holder<?>> HOLDERS = List.of(
            new Holder<>(Webhook.KIND, VaultFile::renew),
            new Holder<>(Pipe.KIND, VaultFile::renew),
            new Holder<>(BackupBucket.KIND, VaultFile::renew));

    private final Home home;
    private final Store store;
    private final SecureRandom random;

    VaultFile(Home home, Store store, SecureRandom random) {
        this.home = home;
        this.store = store;
        this.random = random;
    }

    /** Opens the vault; refuses when its file is missing beside sealed texts, broken, or that of another store. */
    Vault open() throws StartRefused {
        return new Vault(keys(), random);
    }

    private VaultKeys keys() throws StartRefused {
        Optional<VaultKeys> kept = home.vaultKeys();
        VaultKeys keys = kept.orElseGet(() -> VaultKeys.generate(random));
        VaultRotation rotation = rotation(keys);
        try {
            rotation.requireFits();
        } catch (VaultFault e) {
            String file = home.keys().shown(SealedKey.VAULT);
            throw new StartRefused(
                    kept.isPresent()
                            ? file + " does not hold the keys that the store's credentials are sealed under: put it"
                                    + " back from a backup"
                            : file + " is missing, and without it no credential in the store can be opened: put it"
                                    + " back from a backup",
                    e);
        }
        if (kept.isEmpty()) {
            // They go first: a check without its keys would be a store that no key opens.
            VaultKeys made = home.makeVaultKeys(keys);
            rotation(made).keepCheck();
            return made;
        }
        rotation.keepCheck();
        return keys;
    }

    /**
     * Seals everything under a new key and forgets the old ones; says how many rows were resealed. Killed anywhere, the
     * file has every key that something is sealed under, and a second run ends what the first began. {@code note} is
     * written once everything is sealed.
     */
    int rotate(Consumer<Tables> note) throws StartRefused {
        VaultKeys both = keys().withNewest(random);
        home.writeVaultKeys(both);
        int renewed = rotation(both).run(note);
        home.writeVaultKeys(both.newestOnly());
        return renewed;
    }

    /** Opens everything that is sealed; says how many rows there are with something. */
    int openAll() throws StartRefused {
        VaultKeys keys = keys();
        try {
            return rotation(keys).openAll();
        } catch (VaultFault e) {
            throw new StartRefused(
                    "Something in the store does not open with vault.key. "
                            + home.keys().shown(SealedKey.VAULT)
                            + " is not the right one: put back the one that it was sealed with",
                    e);
        }
    }

    private VaultRotation rotation(VaultKeys keys) {
        return new VaultRotation(store, new Vault(keys, random), HOLDERS);
    }

    private static Webhook renew(Webhook webhook, Vault vault) {
        String context = Webhook.secretsContext(webhook.id());
        return webhook.withSealedSecrets(vault.renew(webhook.sealedSecrets(), context));
    }

    private static Pipe renew(Pipe pipe, Vault vault) {
        String sealed = pipe.sealedSecrets();
        return sealed == null ? pipe : pipe.withSealedSecrets(vault.renew(sealed, PipeOperations.context(pipe)));
    }

    private static BackupBucket renew(BackupBucket bucket, Vault vault) {
        String sealed = bucket.sealedSecrets();
        return sealed == null
                ? bucket
                : bucket.withSealedSecrets(vault.renew(sealed, BackupBucket.secretsContext(bucket.id())));
    }
}
