package io.pilothouse.console;

import io.pilothouse.core.port.Clock;
import io.pilothouse.core.right.Caller;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Those who are signed in, in memory: a restart signs everybody out. Of a session's token nothing but its hash is kept,
 * and a session holds no secret of its key. Safe for many threads.
 */
final class Sessions {
    static final Duration LAST = Duration.ofHours(12);
    /** So that no key signs others out. */
    static final int MAX_SESSIONS_OF_KEY = 20;

    private static final int MAX_SESSIONS = 10_000;
    private static final int TOKEN_BYTES = 32;

    private final Clock clock;
    private final SecureRandom random;
    private final ReentrantLock lock = new ReentrantLock();
    /** In the order in which they began, which is also the order in which they end. */
    private final Map<String, Session> byHash = new LinkedHashMap<>();

    Sessions(Clock clock, SecureRandom random) {
        this.clock = clock;
        this.random = random;
    }

    /**
     * Signs the holder of a key or a member in, and gives the token that proves it from now on. Who has too many
     * sessions loses their own oldest.
     */
    String begin(Caller caller) {
        String token = token();
        UUID keyId = caller.keyId();
        Session session =
                new Session(keyId, caller.userId() != null, token(), clock.now().plus(LAST));
        lock.lock();
        try {
            Instant now = clock.now();
            byHash.values().removeIf(old -> !now.isBefore(old.until()));
            List<String> own = byHash.entrySet().stream()
                    .filter(entry -> entry.getValue().keyId().equals(keyId))
                    .map(Map.Entry::getKey)
                    .toList();
            if (own.size() >= MAX_SESSIONS_OF_KEY) {
                byHash.remove(own.getFirst());
            } else if (byHash.size() >= MAX_SESSIONS) {
                byHash.remove(byHash.keySet().iterator().next());
            }
            byHash.put(hash(token), session);
        } finally {
            lock.unlock();
        }
        return token;
    }

    Optional<Session> find(String token) {
        String hash = hash(token);
        lock.lock();
        try {
            return Optional.ofNullable(byHash.get(hash))
                    .filter(session -> clock.now().isBefore(session.until()));
        } finally {
            lock.unlock();
        }
    }

    void end(String token) {
        String hash = hash(token);
        lock.lock();
        try {
            byHash.remove(hash);
        } finally {
            lock.unlock();
        }
    }

    private String token() {
        byte[] bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static String hash(String token) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is part of every JDK", e);
        }
    }
}
