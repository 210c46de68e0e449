package io.pilothouse.server;

import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.secret.SecretHash;
import io.pilothouse.core.secret.VaultFault;
import io.pilothouse.core.secret.VaultKeys;
import io.pilothouse.server.config.Options;
import io.pilothouse.server.log.Escaped;
import io.pilothouse.server.metrics.DiskWatch;
import io.pilothouse.server.secret.PrivateFile;
import io.pilothouse.server.secret.SecretKeys;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The data folder as the program sees it: where everything is kept, and the keys without which no stored hash can be checked. */
final class Home {
    private static final int KEY_BYTES = 32;
    private static final int MAX_KEYS = 16;

    private final Path folder;

    private Home(Path folder) {
        this.folder = folder;
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
        return new Home(folder);
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

    Path credentials() {
        return folder.resolve("credentials.json");
    }

    Path secretKeyFile() {
        return folder.resolve("secret.key");
    }

    /** How secrets are hashed here; refuses keys that are not those of the store. */
    SecretHash secretHash(Store store, boolean storeIsEmpty, SecureRandom random) throws StartRefused {
        return new SecretHash(secretKeysInUse(store, storeIsEmpty, random));
    }

    private List<byte[]> secretKeysInUse(Store store, boolean storeIsEmpty, SecureRandom random) throws StartRefused {
        SecretKeys checked = new SecretKeys(store);
        List<byte[]> keys = checked.inUse(secretKeys(storeIsEmpty, random))
                .orElseThrow(() -> new StartRefused("The file " + shown(secretKeyFile())
                        + " does not hold the keys that the store's hashes are made with: put it back from a backup"));
        checked.keepCheck(keys);
        return keys;
    }

    /**
     * Puts all hashes under a new key and forgets those that no hash needs any more. Killed anywhere, the file has
     * every key that the store goes by.
     */
    SecretKeys.Renewed rotateSecretKey(Store store, SecureRandom random, Consumer<Tables> note) throws StartRefused {
        List<byte[]> keys = new ArrayList<>(secretKeysInUse(store, false, random));
        if (keys.size() == MAX_KEYS) {
            throw new StartRefused("Some keys or tokens have not been used since " + (MAX_KEYS - 1)
                    + " rotations ago, and no more are kept apart: delete what nobody uses");
        }
        keys.addFirst(newKey(random));
        writeSecretKeys(keys);
        SecretKeys.Renewed renewed = new SecretKeys(store).renew(keys, note);
        writeSecretKeys(keys.subList(0, renewed.keysNeeded()));
        return renewed;
    }

    private void writeSecretKeys(List<byte[]> keys) throws StartRefused {
        ByteBuffer all = ByteBuffer.allocate(keys.size() * KEY_BYTES);
        keys.forEach(all::put);
        try {
            PrivateFile.write(secretKeyFile(), all.array());
        } catch (IOException e) {
            throw new StartRefused("The file " + shown(secretKeyFile()) + " cannot be written", e);
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
        Path file = secretKeyFile();
        try {
            if (Files.exists(file)) {
                return readKeys(file);
            }
            if (!storeIsEmpty) {
                throw new StartRefused("The file " + shown(file) + " is missing, and without it no key or token in the"
                        + " store can be checked: put it back from a backup");
            }
            byte[] key = newKey(random);
            PrivateFile.write(file, key);
            return List.of(key);
        } catch (IOException e) {
            throw new StartRefused("The file " + shown(file) + " cannot be read or written", e);
        }
    }

    Path vaultKeyFile() {
        return folder.resolve("vault.key");
    }

    /** The keys that stored credentials are sealed under; empty when there is no file with them. */
    Optional<VaultKeys> vaultKeys() throws StartRefused {
        Path file = vaultKeyFile();
        try {
            if (!Files.exists(file)) {
                return Optional.empty();
            }
            refuseIfOpenToOthers(file);
            // Read as bytes: a file that is not text is a mistake in the keys, not a failure of the disk.
            return Optional.of(VaultKeys.parse(new String(Files.readAllBytes(file), StandardCharsets.UTF_8)));
        } catch (VaultFault e) {
            throw new StartRefused("The file " + shown(file) + " is not a ring of keys: " + e.getMessage()
                    + "; put it back from a backup");
        } catch (IOException e) {
            throw new StartRefused("The file " + shown(file) + " cannot be read or written", e);
        }
    }

    void writeVaultKeys(VaultKeys keys) throws IOException {
        PrivateFile.write(vaultKeyFile(), keys.text().getBytes(StandardCharsets.UTF_8));
    }

    private static List<byte[]> readKeys(Path file) throws IOException, StartRefused {
        refuseIfOpenToOthers(file);
        // One byte more than there can be is enough to see that it is something else.
        byte[] all;
        try (var in = Files.newInputStream(file)) {
            all = in.readNBytes(MAX_KEYS * KEY_BYTES + 1);
        }
        if (all.length == 0 || all.length % KEY_BYTES != 0) {
            throw new StartRefused("The file " + shown(file) + " is not the key of " + KEY_BYTES
                    + " bytes that it was made as: put it back from a backup");
        }
        List<byte[]> keys = new ArrayList<>();
        for (int at = 0; at < all.length; at += KEY_BYTES) {
            keys.add(Arrays.copyOfRange(all, at, at + KEY_BYTES));
        }
        return keys;
    }

    private static void refuseIfOpenToOthers(Path file) throws IOException, StartRefused {
        if (PrivateFile.isOpenToOthers(file)) {
            throw new StartRefused(
                    "The file " + shown(file) + " may be read or written by others: make it private with chmod 600");
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
