package io.pilothouse.core.secret;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;

/** Makes secrets from a secure source: key ids, key secrets, tokens and passwords. Safe for many threads. */
public final class SecretText {
    private static final String LOWER = "abcdefghijklmnopqrstuvwxyz";
    private static final String UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    private static final String DIGITS = "0123456789";
    private static final String MARKS = "_-~.";
    private static final String LETTERS_AND_DIGITS = LOWER + UPPER + DIGITS;
    private static final List<String> CLASSES = List.of(LOWER, UPPER, DIGITS, MARKS);
    private static final int KEY_ID_LENGTH = 20;
    private static final int KEY_SECRET_LENGTH = 48;
    private static final int PASSWORD_LENGTH = 24;

    private final SecureRandom random;

    public SecretText(SecureRandom random) {
        this.random = random;
    }

    public String keyId() {
        return text(LETTERS_AND_DIGITS, KEY_ID_LENGTH);
    }

    public String keySecret() {
        return text(LETTERS_AND_DIGITS, KEY_SECRET_LENGTH);
    }

    /** A password with every class of character, so that no policy of a client refuses it. */
    public String password() {
        Draws draws = new Draws();
        char[] characters = new char[PASSWORD_LENGTH];
        for (int at = 0; at < PASSWORD_LENGTH; at++) {
            int place = draws.below(at + 1);
            characters[at] = characters[place];
            characters[place] = draws.oneOf(at < CLASSES.size() ? CLASSES.get(at) : LETTERS_AND_DIGITS);
        }
        return new String(characters);
    }

    /** The hashes that are stored of a password. */
    public static PasswordHashes hash(String password) {
        try {
            MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
            byte[] once = sha1.digest(password.getBytes(StandardCharsets.UTF_8));
            HexFormat hex = HexFormat.of();
            return new PasswordHashes(hex.formatHex(SecretHash.sha256(password)), hex.formatHex(sha1.digest(once)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("SHA-1 is part of every JDK", e);
        }
    }

    private String text(String alphabet, int length) {
        Draws draws = new Draws();
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(draws.oneOf(alphabet));
        }
        return text.toString();
    }

    /** Draws from random bytes taken many at a time: all threads share one source, and each call may wait for it. */
    private final class Draws {
        private static final int BYTES = 128;
        private static final int BYTE_VALUES = 256;

        private final byte[] bytes = new byte[BYTES];
        private int used = BYTES;

        /** Unbiased: values at the end of a byte's range that would favour some numbers are drawn again. */
        private int below(int bound) {
            int fair = BYTE_VALUES - BYTE_VALUES % bound;
            int drawn = next();
            while (drawn >= fair) {
                drawn = next();
            }
            return drawn % bound;
        }

        private char oneOf(String alphabet) {
            return alphabet.charAt(below(alphabet.length()));
        }

        private int next() {
            if (used == BYTES) {
                random.nextBytes(bytes);
                used = 0;
            }
            return Byte.toUnsignedInt(bytes[used++]);
        }
    }
}
