package io.pilothouse.server.secret;

import io.pilothouse.server.log.Escaped;
import io.pilothouse.store.StoreRefused;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;

/** The key that the keys in a store are sealed under: 32 bytes, as they are or in base64. */
public final class StoreKey {
    private static final int BYTES = 32;
    /** What base64 takes for them, and room for the end of a line. */
    private static final int MAX_BYTES = 64;

    private StoreKey() {}

    /** Refuses a file that others may read, that is missing, or that is no such key; never shows what is in it. */
    public static byte[] read(Path file) {
        String shown = "The file " + Escaped.text(file.toString());
        try {
            if (PrivateFile.isOpenToOthers(file)) {
                throw new StoreRefused(shown + ", which is the store-key, may be read or written by others: make it"
                        + " private with chmod 600");
            }
            try (InputStream in = Files.newInputStream(file)) {
                byte[] content = in.readNBytes(MAX_BYTES);
                return content.length == BYTES ? content : of(new String(content, StandardCharsets.US_ASCII), shown);
            }
        } catch (IOException e) {
            throw new StoreRefused(shown + ", which is the store-key, cannot be read", e);
        }
    }

    /** Reads base64 that comes from {@code source}. */
    public static byte[] of(String text, String source) {
        try {
            byte[] key = Base64.getDecoder().decode(text.strip());
            if (key.length == BYTES) {
                return key;
            }
        } catch (IllegalArgumentException e) {
            // Refused below, without a cause that repeats it.
        }
        throw new StoreRefused(source + " is not a store-key, which is " + BYTES
                + " random bytes, as they are or in base64: openssl rand -base64 32 makes one");
    }

    /** The key in this file, which is made if it is not there. */
    public static byte[] readOrMake(Path file, SecureRandom random) {
        if (!Files.exists(file)) {
            byte[] key = new byte[BYTES];
            random.nextBytes(key);
            try {
                PrivateFile.write(
                        file, (Base64.getEncoder().encodeToString(key) + "\n").getBytes(StandardCharsets.US_ASCII));
            } catch (IOException e) {
                throw new StoreRefused("The file " + Escaped.text(file.toString()) + " cannot be written", e);
            }
        }
        return read(file);
    }
}
