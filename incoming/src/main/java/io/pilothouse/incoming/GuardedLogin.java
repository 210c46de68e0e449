package io.pilothouse.incoming;

import io.pilothouse.core.base.Refused;
import io.pilothouse.core.right.Caller;
import java.net.InetAddress;
import java.util.function.Supplier;

/** Looks a credential up unless its client has failed too often, and counts what was wrong. */
public final class GuardedLogin {
    private final Guesses guesses;

    public GuardedLogin(Guesses guesses) {
        this.guesses = guesses;
    }

    /**
     * {@code name} is what is guessed at, such as a key's id.
     *
     * @throws TooManyFailures if the client has to wait; where it failed too often at other processes, also after a look
     */
    public Caller login(InetAddress from, Object name, String credential, Supplier<Caller> check) {
        Guesses.Attempt attempt = guesses.attempt(from, name, credential);
        requireNone(attempt.secondsToWait());
        try {
            Caller caller = check.get();
            requireNone(attempt.proven());
            return caller;
        } catch (Refused refused) {
            if (refused.reason() == Refused.Reason.UNAUTHORIZED) {
                requireNone(attempt.failed());
            }
            throw refused;
        }
    }

    private static void requireNone(long seconds) {
        if (seconds > 0) {
            throw new TooManyFailures(seconds);
        }
    }
}
