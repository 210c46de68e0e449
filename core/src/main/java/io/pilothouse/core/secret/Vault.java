package io.pilothouse.core.secret;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Seals secrets that must be usable later, so that a copy of the store alone gives none away: AES-256-GCM under the
 * newest key. A sealed text opens only in the context it was sealed in, so that an attacker who can write to the store
 * cannot move it to another row. Safe for many threads.
 */
public final class Vault {
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final Pattern SEALED = Pattern.compile("v1\\.([0-9a-f]{8})\\.([A-Za-z0-9_-]{38,})");
    private static final String CHECK_CONTEXT = "vault:check";
    private static final byte[] CHECK = "pilothouse".getBytes(StandardCharsets.US_ASCII);

    private final VaultKeys keys;
    private final SecureRandom random;

    public Vault(VaultKeys keys, SecureRandom random) {
        this.keys = keys;
        this.random = random;
    }

    /** {@code context} names the place where the sealed text is stored, such as {@code webhook:<id>:headers}. */
    public String seal(byte[] plain, String context) {
        VaultKeys.Key key = keys.newest();
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        byte[] sealed = crypt(Cipher.ENCRYPT_MODE, key, nonce, plain, context);
        byte[] joined = Arrays.copyOf(nonce, NONCE_BYTES + sealed.length);
        System.arraycopy(sealed, 0, joined, NONCE_BYTES, sealed.length);
        return prefix(key) + Base64.getUrlEncoder().withoutPadding().encodeToString(joined);
    }

    /** Throws {@link VaultFault} for what this vault did not seal in this context. */
    public byte[] open(String sealed, String context) {
        Matcher matcher = SEALED.matcher(sealed);
        if (!matcher.matches()) {
            throw new VaultFault("The secret of " + context + " is not a sealed text");
        }
        String id = matcher.group(1);
        VaultKeys.Key key = keys.find(id)
                .orElseThrow(() -> new VaultFault(
                        "The secret of " + context + " is sealed under key " + id + ", which the vault does not have"));
        byte[] bytes = decoded(matcher.group(2), context);
        byte[] nonce = Arrays.copyOf(bytes, NONCE_BYTES);
        return crypt(Cipher.DECRYPT_MODE, key, nonce, Arrays.copyOfRange(bytes, NONCE_BYTES, bytes.length), context);
    }

    private static byte[] decoded(String text, String context) {
        try {
            return Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new VaultFault("The secret of " + context + " is not a sealed text", e);
        }
    }

    public String sealText(String plain, String context) {
        return seal(plain.getBytes(StandardCharsets.UTF_8), context);
    }

    public String openText(String sealed, String context) {
        return new String(open(sealed, context), StandardCharsets.UTF_8);
    }

    /** The same secret under the newest key; unchanged if it is sealed under that already. */
    public String renew(String sealed, String context) {
        return sealed.startsWith(prefix(keys.newest())) ? sealed : seal(open(sealed, context), context);
    }

    /** A text for the store that shows later whether the keys still belong to it. */
    public String check() {
        return seal(CHECK, CHECK_CONTEXT);
    }

    /** Throws {@link VaultFault} when these are not the keys that this check was made with. */
    public void requireFits(String check) {
        open(check, CHECK_CONTEXT);
    }

    /** The check under the newest key. */
    public String renewCheck(String check) {
        return renew(check, CHECK_CONTEXT);
    }

    private static String prefix(VaultKeys.Key key) {
        return "v1." + key.id() + ".";
    }

    private static byte[] crypt(int mode, VaultKeys.Key key, byte[] nonce, byte[] input, String context) {
        try {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(mode, key.secret(), new GCMParameterSpec(TAG_BITS, nonce));
            cipher.updateAAD((prefix(key) + context).getBytes(StandardCharsets.UTF_8));
            return cipher.doFinal(input);
        } catch (AEADBadTagException e) {
            throw new VaultFault(
                    "The secret of " + context + " does not open under key " + key.id()
                            + ": the key is another one, or the text was changed",
                    e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES/GCM is part of every JDK", e);
        }
    }

    @Override
    public String toString() {
        return "Vault[" + keys + "]";
    }
}
