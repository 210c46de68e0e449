package io.pilothouse.server;

import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.SealedKey;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.secret.SecretHash;
import io.pilothouse.core.secret.Vault;
import io.pilothouse.core.secret.VaultFault;
import io.pilothouse.core.secret.VaultKeys;
import io.pilothouse.incoming.tls.TlsAuthority;
import io.pilothouse.server.client.CommandRefused;
import io.pilothouse.server.config.Config;
import io.pilothouse.server.config.Options;
import io.pilothouse.server.config.StoreOptions;
import io.pilothouse.server.emulator.Emulator;
import io.pilothouse.server.log.Escaped;
import io.pilothouse.server.metrics.DiskWatch;
import io.pilothouse.server.secret.KeyFiles;
import io.pilothouse.server.secret.KeyPlace;
import io.pilothouse.server.secret.PrivateFile;
import io.pilothouse.server.secret.SealedKeys;
import io.pilothouse.server.secret.SecretKeys;
import io.pilothouse.server.store.StoreChoice;
import io.pilothouse.store.StoreRefused;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The data folder as the program sees it: where everything is kept, and the keys without which no stored hash can be checked. */
final class Home {
    static final String CREDENTIALS = "credentials.json";
    private static final int KEY_BYTES = 32;
    private static final int MAX_KEYS = 16;

    private static final System.Logger LOG = System.getLogger(Home.class.getName());

    private final Path folder;
    private final KeyPlace keys;

    private Home(Path folder, KeyPlace keys) {
        this.folder = folder;
        this.keys = keys;
    }

    /** Makes the folder, for its owner only, unless it is there; refuses one that cannot be written to. */
    static Home open(Path folder) throws StartRefused {
        try {
            PrivateFile.makeFolder(folder);
        } catch (IOException e) {
            throw new StartRefused("The data folder " + shown(folder) + " cannot be made" + why(folder), e);
        }
        if (!Files.isWritable(folder) || !Files.isExecutable(folder)) {
            throw new StartRefused("The data folder " + shown(folder) + " cannot be written to: " + Options.DATA.flag()
                    + " names another one");
        }
        return new Home(folder, new KeyFiles(folder));
    }

    private static String why(Path folder) {
        return Files.exists(folder)
                ? ": it is a file, and " + Options.DATA.flag() + " names another one"
                : ": " + Options.DATA.flag() + " names one that can";
    }

    Path path() {
        return folder;
    }

    /** The folder of the program's own authority. */
    Path authority() {
        return authorityIn(folder);
    }

    /** The same, as another process finds it. */
    static Path authorityIn(Path folder) {
        return folder.resolve("tls").toAbsolutePath();
    }

    /** The emulator of this folder, or what stands for it where none is wanted. */
    Emulator emulator(Config config, Clock time, SecureRandom random) throws CommandRefused {
        return Emulator.in(folder, config, time, random);
    }

    Path credentials() {
        return credentialsIn(folder);
    }

    /** The same, as another process finds it. */
    static Path credentialsIn(Path folder) {
        return folder.resolve(CREDENTIALS);
    }

    /** How secrets are hashed here; refuses keys that are not those of the store. */
    SecretHash secretHash(Store store, boolean storeIsEmpty, SecureRandom random) throws StartRefused {
        return new SecretHash(secretKeysInUse(store, storeIsEmpty, random));
    }

    private List<byte[]> secretKeysInUse(Store store, boolean storeIsEmpty, SecureRandom random) throws StartRefused {
        SecretKeys checked = new SecretKeys(store);
        List<byte[]> inUse = checked.inUse(secretKeys(storeIsEmpty, random))
                .orElseThrow(() -> new StartRefused(keys.shown(SealedKey.SECRET)
                        + " does not hold the keys that the store's hashes are made with: put it back from a backup"));
        checked.keepCheck(inUse);
        return inUse;
    }

    /**
     * Puts all hashes under a new key and forgets those that no hash needs any more. Killed anywhere, the file has
     * every key that the store goes by.
     */
    SecretKeys.Renewed rotateSecretKey(Store store, SecureRandom random, Consumer<Tables> note) throws StartRefused {
        List<byte[]> ring = new ArrayList<>(secretKeysInUse(store, false, random));
        if (ring.size() == MAX_KEYS) {
            throw new StartRefused("Some keys or tokens have not been used since " + (MAX_KEYS - 1)
                    + " rotations ago, and no more are kept apart: delete what nobody uses");
        }
        ring.addFirst(newKey(random));
        writeSecretKeys(ring);
        SecretKeys.Renewed renewed = new SecretKeys(store).renew(ring, note);
        writeSecretKeys(ring.subList(0, renewed.keysNeeded()));
        return renewed;
    }

    private void writeSecretKeys(List<byte[]> ring) throws StartRefused {
        ByteBuffer all = ByteBuffer.allocate(ring.size() * KEY_BYTES);
        ring.forEach(all::put);
        try {
            keys.replace(SealedKey.SECRET, all.array());
        } catch (IOException e) {
            throw new StartRefused(keys.shown(SealedKey.SECRET) + " cannot be written", e);
        }
    }

    private static byte[] newKey(SecureRandom random) {
        byte[] key = new byte[KEY_BYTES];
        random.nextBytes(key);
        return key;
    }

    /**
     * The keys that hashes of secrets are made with, the newest first; made new only beside a store that holds
     * nothing, as no hash in an old store would ever match again.
     */
    List<byte[]> secretKeys(boolean storeIsEmpty, SecureRandom random) throws StartRefused {
        Optional<byte[]> kept = find(SealedKey.SECRET);
        if (kept.isPresent()) {
            return ring(kept.get());
        }
        if (!storeIsEmpty) {
            throw new StartRefused(keys.shown(SealedKey.SECRET) + " is missing, and without it no key or token in the"
                    + " store can be checked: put it back from a backup");
        }
        return ring(make(SealedKey.SECRET, newKey(random)));
    }

    private List<byte[]> ring(byte[] all) throws StartRefused {
        if (all.length == 0 || all.length % KEY_BYTES != 0 || all.length > MAX_KEYS * KEY_BYTES) {
            throw new StartRefused(keys.shown(SealedKey.SECRET) + " is not the key of " + KEY_BYTES
                    + " bytes that it was made as: put it back from a backup");
        }
        List<byte[]> ring = new ArrayList<>();
        for (int at = 0; at < all.length; at += KEY_BYTES) {
            ring.add(Arrays.copyOfRange(all, at, at + KEY_BYTES));
        }
        return ring;
    }

    private Optional<byte[]> find(SealedKey key) throws StartRefused {
        try {
            return keys.find(key);
        } catch (StoreRefused e) {
            throw new StartRefused(String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw unusable(key, e);
        }
    }

    private byte[] make(SealedKey key, byte[] made) throws StartRefused {
        try {
            return keys.make(key, made);
        } catch (IOException e) {
            throw unusable(key, e);
        }
    }

    private StartRefused unusable(SealedKey key, IOException e) {
        return new StartRefused(keys.shown(key) + " cannot be read or written", e);
    }

    /** The keys that stored credentials are sealed under; empty when there are none yet. */
    Optional<VaultKeys> vaultKeys() throws StartRefused {
        Optional<byte[]> kept = find(SealedKey.VAULT);
        return kept.isPresent() ? Optional.of(vaultKeys(kept.get())) : Optional.empty();
    }

    private VaultKeys vaultKeys(byte[] text) throws StartRefused {
        try {
            return VaultKeys.parse(new String(text, StandardCharsets.UTF_8));
        } catch (VaultFault e) {
            throw new StartRefused(keys.shown(SealedKey.VAULT) + " is not a ring of keys: " + e.getMessage()
                    + "; put it back from a backup");
        }
    }

    /** Keeps these keys unless there are some meanwhile, and gives those that are kept. */
    VaultKeys makeVaultKeys(VaultKeys made) throws StartRefused {
        return vaultKeys(make(SealedKey.VAULT, made.text().getBytes(StandardCharsets.UTF_8)));
    }

    void writeVaultKeys(VaultKeys ring) throws StartRefused {
        try {
            keys.replace(SealedKey.VAULT, ring.text().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new StartRefused(keys.shown(SealedKey.VAULT) + " cannot be written", e);
        }
    }

    /** The program's own authority, made on its first use. */
    TlsAuthority openAuthority(Clock clock, SecureRandom random) throws IOException {
        return switch (keys) {
            case KeyFiles _ -> TlsAuthority.open(authority(), clock, random);
            case SealedKeys inStore ->
                TlsAuthority.open(
                        authority(),
                        new TlsAuthority.Safe() {
                            @Override
                            public Optional<byte[]> find() {
                                return inStore.find(SealedKey.AUTHORITY);
                            }

                            @Override
                            public byte[] keep(byte[] made) {
                                return inStore.make(SealedKey.AUTHORITY, made);
                            }
                        },
                        clock,
                        random);
        };
    }

    /** Where the keys are. */
    KeyPlace keys() {
        return keys;
    }

    /**
     * The same folder with the keys of this store where they belong: in files or, where the store has a key of its own,
     * sealed in the store. Keys that are still in files are taken there, once they have proved to be the store's.
     */
    Home keptBy(StoreChoice choice, Store store, SecureRandom random) throws StartRefused {
        if (!choice.isInPostgres()) {
            return this;
        }
        Optional<byte[]> under = choice.key();
        boolean areSealed = SealedKeys.areIn(store);
        if (under.isEmpty()) {
            if (areSealed) {
                throw new StartRefused("The keys of this store are sealed in it, and " + StoreOptions.KEY.flag()
                        + " is missing, which names the file with the key that opens them");
            }
            return this;
        }
        SealedKeys place = new SealedKeys(store, new Vault(VaultKeys.of(under.get()), random));
        if (areSealed) {
            place.requireFits();
        } else if (!StoreChoice.isEmpty(store) || find(SealedKey.SECRET).isPresent()) {
            takeTo(place, store, random);
        }
        return new Home(folder, place);
    }

    private void takeTo(SealedKeys place, Store store, SecureRandom random) throws StartRefused {
        secretKeysInUse(store, StoreChoice.isEmpty(store), random);
        new VaultFile(this, store, random).open();
        Map<SealedKey, byte[]> found = new EnumMap<>(SealedKey.class);
        for (SealedKey key : SealedKey.values()) {
            find(key).ifPresent(content -> found.put(key, content));
        }
        place.keep(found);
        LOG.log(
                System.Logger.Level.INFO,
                "The keys of the data folder are sealed in the store from now on: secret.key, vault.key and tls/ca.key"
                        + " are not read any more, and are of use only with copies of the store from before");
    }

    /** Writes the keys that there are into files of this folder, but never over others. */
    void keepInFiles(Path target) throws StartRefused {
        KeyFiles files = new KeyFiles(target);
        for (SealedKey key : SealedKey.values()) {
            Optional<byte[]> kept = find(key);
            try {
                Optional<byte[]> there = files.find(key);
                if (kept.isPresent() && there.isPresent() && !MessageDigest.isEqual(kept.get(), there.get())) {
                    throw new StartRefused(files.shown(key) + " is not the one of the store: move it away");
                }
                if (kept.isPresent() && there.isEmpty()) {
                    files.replace(key, kept.get());
                }
            } catch (IOException e) {
                throw new StartRefused(files.shown(key) + " cannot be read or written", e);
            }
        }
    }

    static String shown(Path path) {
        return Escaped.text(path.toString());
    }

    /** What databases leave free of its disk for the store: what is wanted, or what is usual. */
    long reserve(Optional<Long> wanted) throws StartRefused {
        try {
            return wanted.isPresent() ? wanted.get() : DiskWatch.usualReserve(folder);
        } catch (IOException e) {
            throw new StartRefused("The disk of the data folder cannot be looked at: " + e.getMessage(), e);
        }
    }

    DiskWatch disk(Optional<Long> reserve) throws StartRefused {
        try {
            return DiskWatch.of(folder, reserve(reserve));
        } catch (IOException e) {
            throw new StartRefused("The disk of the data folder cannot be looked at: " + e.getMessage(), e);
        }
    }
}
