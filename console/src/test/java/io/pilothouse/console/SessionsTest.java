package io.pilothouse.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.port.Clock;
import io.pilothouse.core.right.Caller;
import io.pilothouse.core.right.Rights;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How many may be signed in, and who goes first. */
class SessionsTest {
    private static final Clock STANDING = () -> Instant.parse("2026-01-01T00:00:00Z");

    private final Sessions sessions = new Sessions(STANDING, new SecureRandom());

    private static Caller holder() {
        return new Caller(new UUID(0, 1), UUID.randomUUID(), "Key", Rights.NONE);
    }

    @Test
    void aKeyWithTooManySessionsLosesItsOwnOldest() {
        String others = sessions.begin(holder());
        Caller key = holder();
        List<String> tokens = new ArrayList<>();
        for (int at = 0; at <= Sessions.MAX_SESSIONS_OF_KEY; at++) {
            tokens.add(sessions.begin(key));
        }
        assertThat(sessions.find(tokens.getFirst())).isEmpty();
        assertThat(tokens.subList(1, tokens.size()))
                .allSatisfy(token -> assertThat(sessions.find(token)).isPresent());
        assertThat(sessions.find(others)).isPresent();
    }
}
