package io.pilothouse.server;

import io.pilothouse.core.secret.VaultFault;
import io.pilothouse.core.secret.VaultKeys;
import io.pilothouse.server.config.Options;
import io.pilothouse.server.log.Escaped;
import io.pilothouse.server.secret.PrivateFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Optional;

/** The data folder as the program sees it: where everything is kept, and the key without which no stored hash can be checked. */
final class Home {
    private static final int KEY_BYTES = 32;

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

    Path credentials() {
        return folder.resolve("credentials.json");
    }

    /**
     * The key that hashes of secrets are made with; made new only beside a store that holds nothing, as no hash in an
     * old store would ever match again.
     */
    byte[] secretKey(boolean storeIsEmpty, SecureRandom random) throws StartRefused {
        Path file = folder.resolve("secret.key");
        try {
            if (Files.exists(file)) {
                return readKey(file);
            }
            if (!storeIsEmpty) {
                throw new StartRefused("The file " + shown(file) + " is missing, and without it no key or token in the"
                        + " store can be checked: put it back from a backup");
            }
            byte[] key = new byte[KEY_BYTES];
            random.nextBytes(key);
            PrivateFile.write(file, key);
            return key;
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

    private static byte[] readKey(Path file) throws IOException, StartRefused {
        refuseIfOpenToOthers(file);
        // One byte more than wanted is enough to see that it is not a key.
        byte[] key;
        try (var in = Files.newInputStream(file)) {
            key = in.readNBytes(KEY_BYTES + 1);
        }
        if (key.length != KEY_BYTES) {
            throw new StartRefused("The file " + shown(file) + " is not the key of " + KEY_BYTES
                    + " bytes that it was made as: put it back from a backup");
        }
        return key;
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
}
