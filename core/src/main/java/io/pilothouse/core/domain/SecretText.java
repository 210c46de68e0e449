package io.pilothouse.core.domain;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;

/** Makes secrets from a secure source: key ids, key secrets, tokens and passwords. Safe for many threads. */
public final class SecretText {
    private static final String LOWER = "abcdefghijklmnopqrstuvwxyz";
    private static final String UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    private static final String DIGITS = "0123456789";
    private static final String MARKS = "_-~.";
    private static final int KEY_ID_LENGTH = 20;
    private static final int KEY_SECRET_LENGTH = 48;
    private static final int PASSWORD_LENGTH = 24;

    private final SecureRandom random;

    public SecretText(SecureRandom random) {
        this.random = random;
    }

    public String keyId() {
        return text(LOWER + UPPER + DIGITS, KEY_ID_LENGTH);
    }

    public String keySecret() {
        return text(LOWER + UPPER + DIGITS, KEY_SECRET_LENGTH);
    }

    /** A password with every class of character, so that no policy of a client refuses it. */
    public String password() {
        List<Character> characters = new ArrayList<>();
        for (String alphabet : List.of(LOWER, UPPER, DIGITS, MARKS)) {
            characters.add(oneOf(alphabet));
        }
        while (characters.size() < PASSWORD_LENGTH) {
            characters.add(oneOf(LOWER + UPPER + DIGITS));
        }
        Collections.shuffle(characters, random);
        StringBuilder password = new StringBuilder();
        characters.forEach(password::append);
        return password.toString();
    }

    /** What is kept of a password. */
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
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(oneOf(alphabet));
        }
        return text.toString();
    }

    private char oneOf(String alphabet) {
        return alphabet.charAt(random.nextInt(alphabet.length()));
    }
}
