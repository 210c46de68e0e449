package io.pilothouse.gateway;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Carries bytes both ways between a client and a database whose protocol the gateway need not understand. While the
 * client spoke last, a query counts as in flight.
 */
final class GatewayTunnel {
    private static final int PIECE = 32 * 1024;
    private static final Duration QUIET = Duration.ofSeconds(1);
    /** The longest silence between a client's bytes and the database's next ones. */
    private static final Duration ANSWER = Duration.ofHours(1);

    private final GatewayConnection connection;
    private final GatewayWire wire;
    private final GatewayLink link;
    private final GatewayLogin login;
    private final CountDownLatch answersEnded = new CountDownLatch(1);
    private volatile long clientSpokeAt = System.nanoTime();
    private volatile long databaseSpokeAt = clientSpokeAt;

    GatewayTunnel(GatewayConnection connection, GatewayWire wire, GatewayLink link, GatewayLogin login) {
        this.connection = connection;
        this.wire = wire;
        this.link = link;
        this.login = login;
    }

    /** Returns when both directions have ended. */
    void run(byte[] firstBytes, Executor threads) throws InterruptedException {
        try {
            threads.execute(this::carryAnswers);
        } catch (RejectedExecutionException closing) {
            link.close();
            throw closing;
        }
        try {
            carryRequests(firstBytes);
        } catch (IOException gone) {
            GatewayLog.debug("a client's connection ended", gone);
            connection.closeNow();
        }
        link.endOutput();
        long patience = connection.limits().connectionIdle().toMillis();
        if (!answersEnded.await(patience, TimeUnit.MILLISECONDS)) {
            link.close();
            answersEnded.await();
        }
    }

    private void carryRequests(byte[] firstBytes) throws IOException {
        byte[] piece = Arrays.copyOf(firstBytes, Math.max(firstBytes.length, PIECE));
        for (int count = firstBytes.length; count >= 0; count = readClient(piece)) {
            if (count > 0) {
                clientSpokeAt = System.nanoTime();
                if (!connection.spoke() || !connection.begin()) {
                    return;
                }
                link.write(piece, 0, count);
                link.flush();
            }
        }
    }

    private int readClient(byte[] piece) throws IOException {
        while (true) {
            Duration idle = connection.patience();
            Duration silence = connection.busy() ? ANSWER : idle;
            long now = System.nanoTime();
            Duration rest = silence.minusNanos(Math.min(now - clientSpokeAt, now - databaseSpokeAt));
            if (!rest.isPositive()) {
                return -1;
            }
            try {
                return wire.read(piece, 0, piece.length, rest.compareTo(idle) < 0 ? rest : idle);
            } catch (SocketTimeoutException quiet) {
                GatewayLog.debug("a client was silent; its database may have spoken meanwhile", quiet);
            }
        }
    }

    private void carryAnswers() {
        byte[] piece = new byte[PIECE];
        Duration patience = Duration.ZERO;
        try {
            while (true) {
                int count;
                try {
                    count = link.read(piece, patience);
                } catch (SocketTimeoutException quiet) {
                    if (!answerEnds()) {
                        return;
                    }
                    patience = Duration.ZERO;
                    continue;
                }
                if (count < 0) {
                    return;
                }
                databaseSpokeAt = System.nanoTime();
                login.databaseSaid(piece, count);
                wire.write(piece, 0, count);
                patience = QUIET;
            }
        } catch (IOException gone) {
            GatewayLog.debug("a tunnel ended in the middle", gone);
        } finally {
            connection.closeWithin(GatewayWire.LINGER);
            wire.endOutput();
            link.finish();
            answersEnded.countDown();
        }
    }

    /** The database answered and then fell silent; false when the connection has to end with this answer. */
    private boolean answerEnds() {
        long asked = clientSpokeAt;
        if (asked - databaseSpokeAt > 0) {
            return true;
        }
        boolean goesOn = connection.end();
        // the client may have asked again while the answer was being called ended
        return goesOn && (asked == clientSpokeAt || connection.begin());
    }
}
