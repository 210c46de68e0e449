package io.pilothouse.core.session;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Stored;

/**
 * A browser that is signed in. Its owner is the key that it signed in with or, of a {@code member}, the membership. Of
 * its token there is nothing but a hash, so that nobody who reads the row can use it.
 */
public record ConsoleSession(Head head, String tokenHash, boolean member) implements Stored {
    public static final Kind<ConsoleSession> KIND = new Kind<>("console_sessions", ConsoleSession.class);

    /** Shows nothing of the token. */
    @Override
    public String toString() {
        return "ConsoleSession[" + ownerId() + "]";
    }
}
