package io.pilothouse.gateway;

import io.pilothouse.incoming.Guesses;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * One client's login, as far as the gateway can see it: what the client shows, and what the database makes of it. Who
 * failed too often is told to wait, and the database is not asked.
 */
final class GatewayLogin {
    /** Unknown user, wrong password, no password, authentication failed. */
    private static final Set<Long> WRONG = Set.of(192L, 193L, 194L, 516L);

    private static final int OK = 200;
    private static final int FIRST_REFUSAL = 400;
    private static final int UNAUTHORIZED = 401;
    private static final int NATIVE_HELLO = 0;
    private static final int NATIVE_EXCEPTION = 2;
    private static final int MYSQL_HEADER = 4;
    private static final int MYSQL_OK = 0;
    private static final int MYSQL_ERROR = 0xff;

    private final GatewayConnection connection;
    private final Guesses.Attempt attempt;
    private final boolean counts;
    private int pieces;
    private boolean decided;

    private GatewayLogin(GatewayConnection connection, Guesses.Attempt attempt, boolean counts) {
        this.connection = connection;
        this.attempt = attempt;
        this.counts = counts;
    }

    /** A health check shows nothing and asks for nothing, so it is none. */
    static GatewayLogin of(GatewayConnection connection, GatewayHttpHead head) {
        boolean shows = !head.credential().isEmpty();
        return new GatewayLogin(
                connection,
                connection.registration().attempt(connection.peer(), shows ? head.credential() : null),
                shows || !head.path().equals("/ping"));
    }

    /** A native client's first words hold its user and its password. */
    static GatewayLogin ofHello(GatewayConnection connection, byte[] hello, int length) {
        String words = new String(hello, 0, length, StandardCharsets.ISO_8859_1);
        return new GatewayLogin(connection, connection.registration().attempt(connection.peer(), words), true);
    }

    /** A MySQL client proves its password another way each time. */
    static GatewayLogin unseen(GatewayConnection connection) {
        return new GatewayLogin(connection, connection.registration().attempt(connection.peer(), null), true);
    }

    /** How long until it may be tried; 0 for now. */
    long secondsToWait() {
        return counts ? attempt.secondsToWait() : 0;
    }

    void require() throws GatewayUnreachable {
        long seconds = secondsToWait();
        if (seconds > 0) {
            throw GatewayUnreachable.tooManyFailures(seconds);
        }
    }

    /**
     * The next piece of the database's answer to an HTTP request was read. It counts before the client sees it: who has
     * read that a password was wrong neither guesses again before that is known nor hangs up so that it never is.
     */
    void answered(GatewayHttpAnswer answer) {
        if (decided || !answer.hasHead()) {
            return;
        }
        decided = true;
        if (answer.status() == UNAUTHORIZED || WRONG.contains(answer.exceptionCode())) {
            wrong();
        } else if (answer.status() >= OK && answer.status() < FIRST_REFUSAL) {
            attempt.proven();
        }
    }

    /** The next bytes of a database whose client is tunnelled to it. */
    void databaseSaid(byte[] piece, int length) {
        if (decided || length == 0) {
            return;
        }
        pieces++;
        switch (connection.protocol()) {
            case NATIVESECURE -> {
                decided = true;
                if (piece[0] == NATIVE_HELLO) {
                    attempt.proven();
                } else if (piece[0] == NATIVE_EXCEPTION && length > Integer.BYTES && WRONG.contains(code(piece))) {
                    wrong();
                }
            }
            case MYSQL -> {
                // the first is the greeting; then come steps of the login, until one says yes or no
                if (pieces > 1 && length > MYSQL_HEADER) {
                    int said = piece[MYSQL_HEADER] & 0xff;
                    decided = said == MYSQL_OK || said == MYSQL_ERROR;
                    if (said == MYSQL_ERROR) {
                        wrong();
                    }
                }
            }
            case HTTPS -> decided = true;
        }
    }

    private static long code(byte[] piece) {
        return (piece[1] & 0xffL) | (piece[2] & 0xffL) << 8 | (piece[3] & 0xffL) << 16 | (piece[4] & 0xffL) << 24;
    }

    private void wrong() {
        attempt.failed();
        connection.registration().loginFailed(connection);
    }
}
