package io.pilothouse.gateway;

import io.pilothouse.incoming.Room;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer. The client's thread sends the request while this one passes the answer on as it comes;
 * whichever ends last decides what becomes of both connections.
 */
final class GatewayHttpExchange implements Runnable {
    private static final int FIRST_PIECE = 8 * 1024;
    private static final int PIECE = 64 * 1024;

    private final GatewayConnection connection;
    private final GatewayWire wire;
    private final GatewayLink link;
    private final GatewayHttpHead head;
    private final GatewayLogin login;
    private final AtomicInteger halvesLeft = new AtomicInteger(2);
    private final CountDownLatch settled = new CountDownLatch(1);
    private volatile boolean sent;
    private volatile boolean answerKeepsOpen;
    private volatile boolean goesOn;
    private volatile @Nullable GatewayHttpRefusal requestFault;

    GatewayHttpExchange(
            GatewayConnection connection,
            GatewayWire wire,
            GatewayLink link,
            GatewayHttpHead head,
            GatewayLogin login) {
        this.connection = connection;
        this.wire = wire;
        this.link = link;
        this.head = head;
        this.login = login;
    }

    /** The client's half: true when all was sent. When it was interrupted, a half-close signals it to the database. */
    boolean send(byte[] headBytes, GatewayHttpBody body) {
        try {
            link.write(headBytes, 0, headBytes.length);
            body.send();
            sent = true;
        } catch (GatewayHttpRefusal fault) {
            requestFault = fault;
        } catch (IOException broken) {
            GatewayLog.debug("a request ended before its body did", broken);
        } finally {
            if (!sent) {
                link.endOutput();
            }
            halfEnds();
        }
        return sent;
    }

    /** The database's half. */
    @Override
    public void run() {
        try {
            answerKeepsOpen = relay();
        } catch (IOException gone) {
            GatewayLog.debug("a client left before its answer was complete", gone);
            link.endOutput();
            connection.closeNow();
        } finally {
            if (!answerKeepsOpen) {
                sayGoodbye();
            }
            halfEnds();
        }
    }

    /** The client will send nothing more, and may still read. */
    void clientEnded() {
        link.endOutput();
    }

    /** Waits for both halves; true when the connection goes on. */
    boolean await() throws InterruptedException {
        settled.await();
        return goesOn;
    }

    /** True when the answer was passed on whole and both sides want to go on. */
    private boolean relay() throws IOException {
        Room.Guest room = connection.registration().guest(connection.peer());
        try {
            return relay(room);
        } finally {
            room.leave();
        }
    }

    private boolean relay(Room.Guest room) throws IOException {
        GatewayHttpAnswer answer = new GatewayHttpAnswer(head.answeredWithoutBody());
        byte[] piece = new byte[FIRST_PIECE];
        while (!answer.complete()) {
            int count = readLink(piece);
            if (count < 0 && answer.untouched()) {
                refuse("The database closed the connection without an answer.");
            }
            if (count < 0) {
                return false;
            }
            boolean first = answer.untouched();
            int belonging = answer.accept(piece, count);
            if (answer.broken()) {
                if (first) {
                    refuse("The database's answer is not HTTP.");
                }
                return false;
            }
            login.answered(answer);
            wire.write(piece, 0, belonging);
            if (answer.complete() && belonging < count) {
                return false;
            }
            if (count == piece.length && count < PIECE && room.take(PIECE)) {
                piece = new byte[PIECE];
            }
        }
        return answer.keepAlive() && head.keepAlive();
    }

    private int readLink(byte[] piece) {
        try {
            return link.read(piece);
        } catch (IOException lost) {
            GatewayLog.debug("the database's connection broke", lost);
            return -1;
        }
    }

    private void refuse(String sentence) throws IOException {
        GatewayHttpRefusal fault = requestFault;
        GatewayHttpRefusal refusal =
                fault == null ? new GatewayHttpRefusal(GatewayHttpStatus.BAD_GATEWAY, sentence) : fault;
        byte[] bytes = refusal.answer(!head.answeredWithoutBody());
        wire.write(bytes, 0, bytes.length);
    }

    private void halfEnds() {
        if (halvesLeft.decrementAndGet() > 0) {
            if (answerKeepsOpen) {
                // the rest of a body that was answered early must arrive soon
                connection.closeWithin(GatewayWire.LINGER);
            }
            return;
        }
        boolean reusable = sent && answerKeepsOpen;
        if (!reusable) {
            sayGoodbye();
            link.finish();
        }
        goesOn = connection.end() && reusable;
        if (goesOn) {
            connection.keepOpen();
            connection.park(link);
        } else if (reusable) {
            link.close();
            sayGoodbye();
        }
        settled.countDown();
    }

    /** Frees the client's thread, which may be waiting for a client that waits for the gateway. */
    private void sayGoodbye() {
        connection.closeWithin(GatewayWire.LINGER);
        wire.endOutput();
    }
}
