package io.pilothouse.gateway;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Serves one HTTP client, one request after the other; the database sees whole request heads or nothing. */
final class GatewayHttpConversation {
    private final GatewayConnection connection;
    private final GatewayWire wire;
    private final GatewayHttpInput input;
    private final Executor threads;
    private @Nullable GatewayHttpExchange exchange;

    GatewayHttpConversation(GatewayConnection connection, GatewayWire wire, GatewayHttpInput input, Executor threads) {
        this.connection = connection;
        this.wire = wire;
        this.input = input;
        this.threads = threads;
    }

    void run() throws IOException, InterruptedException {
        try {
            boolean goesOn = true;
            while (goesOn) {
                goesOn = serveNext();
            }
            wire.endOutput();
            wire.linger();
        } finally {
            input.release();
            awaitAnswer();
        }
    }

    private boolean serveNext() throws IOException, InterruptedException {
        Optional<GatewayHttpHeadReader.Read> next;
        try {
            next = new GatewayHttpHeadReader(input, connection).next();
        } catch (GatewayHttpRefusal refusal) {
            if (awaitAnswer()) {
                refuse(refusal, true);
            }
            return false;
        } catch (IOException gone) {
            clientEnded();
            throw gone;
        }
        if (next.isEmpty()) {
            clientEnded();
            awaitAnswer();
            return false;
        }
        return awaitAnswer() && connection.spoke() && connection.begin() && serve(next.get());
    }

    private boolean serve(GatewayHttpHeadReader.Read request) throws IOException, InterruptedException {
        if (connection.registration().isNot(request.head().host())) {
            refuse(GatewayHttpRefusal.otherHost(), !request.head().answeredWithoutBody());
            connection.end();
            return false;
        }
        if (!connection.registration().shows(request.head().path())) {
            refuse(GatewayHttpRefusal.noPage(), !request.head().answeredWithoutBody());
            connection.end();
            return false;
        }
        GatewayLogin login = GatewayLogin.of(connection, request.head());
        long seconds = login.secondsToWait();
        if (seconds > 0) {
            refuse(GatewayHttpRefusal.tooManyFailures(seconds), !request.head().answeredWithoutBody());
            connection.end();
            return false;
        }
        GatewayLink link = connection.takeParked();
        if (link == null) {
            try {
                link = connection.registration().connect(connection, GatewayProtocol.HTTPS);
            } catch (GatewayUnreachable unreachable) {
                refuse(GatewayHttpRefusal.of(unreachable), !request.head().answeredWithoutBody());
                connection.end();
                return false;
            }
        }
        if (connection.closed()) {
            link.close();
            return false;
        }
        GatewayHttpExchange begun = new GatewayHttpExchange(connection, wire, link, request.head(), login);
        try {
            threads.execute(begun);
        } catch (RejectedExecutionException closing) {
            link.close();
            throw closing;
        }
        exchange = begun;
        GatewayHttpBody body = new GatewayHttpBody(
                request.head().contentLength(),
                input,
                link,
                connection.limits().connectionIdle(),
                connection.registration().guest(connection.peer()));
        // after half a body, the next bytes cannot be understood as a request
        return begun.send(request.bytes(), body) || awaitAnswer();
    }

    private void clientEnded() {
        GatewayHttpExchange running = exchange;
        if (running != null) {
            running.clientEnded();
        }
    }

    private boolean awaitAnswer() throws InterruptedException {
        GatewayHttpExchange running = exchange;
        return running == null || running.await();
    }

    private void refuse(GatewayHttpRefusal refusal, boolean withBody) throws IOException {
        byte[] answer = refusal.answer(withBody);
        wire.write(answer, 0, answer.length);
    }
}
