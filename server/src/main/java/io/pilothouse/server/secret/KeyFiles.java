package io.pilothouse.server.secret;

import io.pilothouse.core.port.SealedKey;
import io.pilothouse.server.log.Escaped;
import io.pilothouse.store.StoreRefused;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Keys as files of a data folder, which only their owner may read. */
public final class KeyFiles implements KeyPlace {
    /** Far more than any of them has. */
    private static final int MAX_BYTES = 1 << 20;

    private static final String KEY_BEGINS = "-----BEGIN PRIVATE KEY-----";

    private final Path folder;

    public KeyFiles(Path folder) {
        this.folder = folder;
    }

    /** The file with the secret part. */
    public Path file(SealedKey key) {
        return switch (key) {
            case SECRET -> folder.resolve("secret.key");
            case VAULT -> folder.resolve("vault.key");
            case AUTHORITY -> folder.resolve("tls/ca.key");
        };
    }

    private Path certificate() {
        return folder.resolve("tls/ca.crt");
    }

    /** An authority is its certificate, then its key. */
    @Override
    public Optional<byte[]> find(SealedKey key) throws IOException {
        Path file = file(key);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        if (PrivateFile.isOpenToOthers(file)) {
            throw new StoreRefused(shown(key) + " may be read or written by others: make it private with chmod 600");
        }
        if (key != SealedKey.AUTHORITY) {
            return Optional.of(read(file));
        }
        // It is written last: without it no client trusts the key yet.
        if (!Files.exists(certificate())) {
            return Optional.empty();
        }
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes(read(certificate()));
        both.writeBytes(read(file));
        return Optional.of(both.toByteArray());
    }

    /** Read as bytes: a file that is not text is a mistake in the keys, not a failure of the disk. */
    private static byte[] read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(MAX_BYTES);
        }
    }

    @Override
    public byte[] make(SealedKey key, byte[] made) throws IOException {
        replace(key, made);
        return made;
    }

    @Override
    public void replace(SealedKey key, byte[] content) throws IOException {
        if (key != SealedKey.AUTHORITY) {
            PrivateFile.write(file(key), content);
            return;
        }
        String text = new String(content, StandardCharsets.US_ASCII);
        int secret = text.indexOf(KEY_BEGINS);
        PrivateFile.makeFolder(folder.resolve("tls"));
        PrivateFile.write(file(key), text.substring(secret).getBytes(StandardCharsets.US_ASCII));
        PrivateFile.write(certificate(), text.substring(0, secret).getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public String shown(SealedKey key) {
        return "The file " + Escaped.text(file(key).toString());
    }

    @Override
    public String afterReplacing(SealedKey key) {
        return "Back up " + Escaped.text(file(key).toString())
                + " together with the store: older copies of it open nothing any more.";
    }
}
