package io.pilothouse.gateway;

import io.pilothouse.incoming.Room;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What the gateway makes of the same bytes, by the parts that stand between a client and its database. */
final class GatewayOwnFrames {
    private static final String HALF_A_HEAD = "The request ended before its head was complete.";

    private final GatewayRegistration registration;
    private final Room room = new Room(64 << 20);

    GatewayOwnFrames(GatewayRegistration registration) {
        this.registration = registration;
    }

    Room room() {
        return room;
    }

    /** A socket without a network: it has been sent these bytes and then was closed, and keeps what is written. */
    private static final class Tape extends Socket {
        private final InputStream in;
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        private Tape(byte[] bytes) {
            in = new ByteArrayInputStream(bytes);
        }

        @Override
        public InputStream getInputStream() {
            return in;
        }

        @Override
        public OutputStream getOutputStream() {
            return out;
        }

        @Override
        public void setSoTimeout(int millis) {
            // it never waits
        }
    }

    GatewayFramed requests(byte[] stream) throws IOException {
        Tape tape = new Tape(stream);
        GatewayConnection connection =
                new GatewayConnection(tape, InetAddress.getLoopbackAddress(), GatewayProtocol.HTTPS, registration);
        GatewayHttpInput input = new GatewayHttpInput(
                new GatewayWire(connection, tape), room.guest(List.of(UUID.randomUUID())), new byte[0]);
        List<String> whole = new ArrayList<>();
        GatewayFramed.End end = GatewayFramed.End.WAITING;
        try {
            Optional<GatewayHttpHeadReader.Read> next = new GatewayHttpHeadReader(input, connection).next();
            while (next.isPresent()) {
                GatewayHttpHead head = next.get().head();
                whole.add(start(next.get().bytes()) + " " + body(head, input, connection));
                if (!head.keepAlive()) {
                    return new GatewayFramed(GatewayFramed.End.CLOSED, whole);
                }
                next = new GatewayHttpHeadReader(input, connection).next();
            }
            end = GatewayFramed.End.IDLE;
        } catch (GatewayHttpRefusal refusal) {
            end = String.valueOf(refusal.getMessage()).equals(HALF_A_HEAD)
                    ? GatewayFramed.End.WAITING
                    : GatewayFramed.End.REFUSED;
        } catch (EOFException cut) {
            end = GatewayFramed.End.WAITING;
        } finally {
            input.release();
        }
        return new GatewayFramed(end, whole);
    }

    private String body(GatewayHttpHead head, GatewayHttpInput input, GatewayConnection connection)
            throws IOException, GatewayHttpRefusal {
        Tape database = new Tape(new byte[0]);
        new GatewayHttpBody(
                        head.contentLength(),
                        input,
                        new GatewayLink(database),
                        connection.limits().connectionIdle(),
                        room.guest(List.of(UUID.randomUUID())))
                .send();
        String sent = database.out.toString(StandardCharsets.ISO_8859_1);
        return head.chunked() ? unchunked(sent) : sent;
    }

    /** What the database reads of the gateway's own framing. */
    private static String unchunked(String sent) {
        StringBuilder body = new StringBuilder();
        int at = 0;
        while (true) {
            int end = sent.indexOf("\r\n", at);
            int size = Integer.parseInt(sent.substring(at, end), 16);
            if (size == 0) {
                return body.toString();
            }
            body.append(sent, end + 2, end + 2 + size);
            at = end + 4 + size;
        }
    }

    private static String start(byte[] head) {
        String text = new String(head, StandardCharsets.ISO_8859_1);
        return text.substring(0, text.lastIndexOf(' ', text.indexOf("\r\n")));
    }

    /** Where each answer ends after which the gateway goes on with the same connection. */
    static List<Integer> answers(byte[] stream, boolean toHead) {
        List<Integer> ends = new ArrayList<>();
        int at = 0;
        while (at < stream.length) {
            GatewayHttpAnswer answer = new GatewayHttpAnswer(toHead);
            byte[] rest = Arrays.copyOfRange(stream, at, stream.length);
            at += answer.accept(rest, rest.length);
            if (!answer.keepAlive()) {
                return ends;
            }
            ends.add(at);
        }
        return ends;
    }
}
