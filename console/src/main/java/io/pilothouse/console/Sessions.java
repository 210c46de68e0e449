package io.pilothouse.console;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Table;
import io.pilothouse.core.right.Caller;
import io.pilothouse.core.secret.SecretHash;
import io.pilothouse.core.session.ConsoleSession;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Those who are signed in, as rows of the store: they are known at every process that shares it, and after a restart. Of
 * a session's token nothing but its hash is kept, and a session holds no secret of its key. Safe for many threads.
 */
final class Sessions {
    static final Duration LAST = Duration.ofHours(12);
    /** So that no key signs others out. */
    static final int MAX_SESSIONS_OF_KEY = 20;

    private static final int SWEPT_AT_ONCE = 50;
    private static final int TOKEN_BYTES = 32;
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    private final Store store;
    private final Clock clock;
    private final SecureRandom random;

    Sessions(Store store, Clock clock, SecureRandom random) {
        this.store = store;
        this.clock = clock;
        this.random = random;
    }

    /**
     * Signs the holder of a key or a member in, and gives the token that proves it from now on. Who has too many
     * sessions loses their own oldest.
     */
    String begin(Caller caller) {
        byte[] bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        String token = BASE64.encodeToString(bytes);
        UUID keyId = caller.keyId();
        store.change(tables -> {
            Table<ConsoleSession> table = tables.of(ConsoleSession.KIND);
            Instant now = clock.now();
            sweep(table, now);
            List<ConsoleSession> own = table.page(keyId, null, MAX_SESSIONS_OF_KEY);
            if (own.size() == MAX_SESSIONS_OF_KEY) {
                table.delete(own.getFirst().id(), own.getFirst().version());
            }
            table.insert(
                    new ConsoleSession(Head.of(tables.newId(now), keyId, now), hash(token), caller.userId() != null));
        });
        return token;
    }

    /** Ids begin with the time, so the first ones are those of the oldest sessions. */
    private static void sweep(Table<ConsoleSession> table, Instant now) {
        for (ConsoleSession old : table.all(null, SWEPT_AT_ONCE)) {
            if (isOver(old, now)) {
                table.delete(old.id(), old.version());
            }
        }
    }

    Optional<Session> find(String token) {
        if (token.isEmpty()) {
            return Optional.empty();
        }
        String hash = hash(token);
        return store.read(tables -> tables.of(ConsoleSession.KIND).findByReference(hash))
                .filter(session -> !isOver(session, clock.now()))
                .map(session -> new Session(session.ownerId(), session.member(), formToken(token), until(session)));
    }

    void end(String token) {
        String hash = hash(token);
        store.change(tables -> {
            Table<ConsoleSession> table = tables.of(ConsoleSession.KIND);
            table.findByReference(hash).ifPresent(session -> table.delete(session.id(), session.version()));
        });
    }

    private static Instant until(ConsoleSession session) {
        return session.createdAt().plus(LAST);
    }

    private static boolean isOver(ConsoleSession session, Instant now) {
        return !now.isBefore(until(session));
    }

    private static String hash(String token) {
        return BASE64.encodeToString(SecretHash.sha256(token));
    }

    /** Follows from the token, so that every process knows it and the store does not. */
    private static String formToken(String token) {
        return BASE64.encodeToString(SecretHash.sha256("form " + token));
    }
}
