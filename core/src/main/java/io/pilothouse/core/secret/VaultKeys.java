package io.pilothouse.core.secret;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.spec.SecretKeySpec;

/** The keys that stored secrets are sealed under, newest first, as their file holds them; never empty, never shown. */
public final class VaultKeys {
    private static final int KEY_BYTES = 32;
    private static final int ID_BYTES = 4;
    private static final Pattern LINE = Pattern.compile("([0-9a-f]{8}) ([A-Za-z0-9+/]{43}=)");
    private static final String HEADING =
            "# The keys of this installation's vault, newest first. Without them no stored credential can be read.\n";

    private final List<Key> keys;

    private VaultKeys(List<Key> keys) {
        this.keys = List.copyOf(keys);
    }

    /** One key; texts sealed under it carry its id. */
    record Key(String id, SecretKeySpec secret) {
        @Override
        public String toString() {
            return "Key[" + id + "]";
        }
    }

    public static VaultKeys generate(SecureRandom random) {
        return new VaultKeys(List.of(newKey(random)));
    }

    /** These keys of 32 bytes, newest first, as others hand them out: each has an id that follows from it. */
    public static VaultKeys of(byte[]... secrets) {
        List<Key> keys = new ArrayList<>();
        for (byte[] secret : secrets) {
            byte[] id = Arrays.copyOf(SecretHash.sha256(SecretHash.sha256(secret)), ID_BYTES);
            keys.add(new Key(HexFormat.of().formatHex(id), new SecretKeySpec(secret, "AES")));
        }
        return new VaultKeys(keys);
    }

    /** Reads what {@link #text} wrote; a sentence in the exception says which line is wrong, without quoting it. */
    public static VaultKeys parse(String text) {
        List<Key> keys = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            Matcher matcher = LINE.matcher(line);
            if (!matcher.matches() || !ids.add(matcher.group(1))) {
                throw new VaultFault("line " + (i + 1) + " is not a key, or one that is there already");
            }
            byte[] secret = Base64.getDecoder().decode(matcher.group(2));
            keys.add(new Key(matcher.group(1), new SecretKeySpec(secret, "AES")));
        }
        if (keys.isEmpty()) {
            throw new VaultFault("it holds no key");
        }
        return new VaultKeys(keys);
    }

    /** These keys under a new one that seals from now on. */
    public VaultKeys withNewest(SecureRandom random) {
        List<Key> more = new ArrayList<>(keys);
        Key made = newKey(random);
        while (find(made.id()).isPresent()) {
            made = newKey(random);
        }
        more.addFirst(made);
        return new VaultKeys(more);
    }

    /** The newest key alone, once nothing is sealed under the others any more. */
    public VaultKeys newestOnly() {
        return new VaultKeys(List.of(newest()));
    }

    /** The file's content: secret. */
    public String text() {
        StringBuilder text = new StringBuilder(HEADING);
        for (Key key : keys) {
            text.append(key.id())
                    .append(' ')
                    .append(SecretHash.base64(key.secret().getEncoded()));
            text.append('\n');
        }
        return text.toString();
    }

    public int size() {
        return keys.size();
    }

    Key newest() {
        return keys.getFirst();
    }

    Optional<Key> find(String id) {
        return keys.stream().filter(key -> key.id().equals(id)).findFirst();
    }

    private static Key newKey(SecureRandom random) {
        byte[] secret = new byte[KEY_BYTES];
        byte[] id = new byte[ID_BYTES];
        random.nextBytes(secret);
        random.nextBytes(id);
        return new Key(HexFormat.of().formatHex(id), new SecretKeySpec(secret, "AES"));
    }

    @Override
    public String toString() {
        return "VaultKeys" + keys;
    }
}
