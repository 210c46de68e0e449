package io.pilothouse.plane.local;

import io.pilothouse.gateway.GatewayOwnUser;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Asks engines over HTTP as the control plane's own user. One connection for one question, read to its end: an engine
 * that is to stop waits for open connections, and the bundled one dislikes peers that go before they were answered.
 */
final class EngineClient {
    private static final Pattern EXCEPTION = Pattern.compile("Code: (\\d+)\\.? ?,?\\s*(.*)", Pattern.DOTALL);
    private static final int LONGEST_ANSWER = 4 << 20;
    private static final String END_OF_HEAD = "\r\n\r\n";

    /** What an engine said, or that it said nothing. */
    sealed interface Answer {
        record Text(String value) implements Answer {}

        record Refusal(int code, String sentence) implements Answer {}

        record Silence(String reason) implements Answer {}
    }

    boolean ping(PortSet ports, Duration atMost) {
        return send(ports, "GET /ping HTTP/1.0\r\n\r\n", atMost) instanceof Answer.Text(String value)
                && value.startsWith("Ok.");
    }

    Answer query(PortSet ports, String password, String sql, Duration atMost) {
        String credentials = Base64.getEncoder()
                .encodeToString((GatewayOwnUser.NAME + ":" + password).getBytes(StandardCharsets.US_ASCII));
        int length = sql.getBytes(StandardCharsets.UTF_8).length;
        // Waiting for the end makes the status tell of every error, also of one that comes late.
        return send(
                ports,
                "POST /?wait_end_of_query=1 HTTP/1.0\r\nAuthorization: Basic " + credentials + "\r\nContent-Length: "
                        + length + END_OF_HEAD + sql,
                atMost);
    }

    private static Answer send(PortSet ports, String request, Duration atMost) {
        long deadline = System.nanoTime() + atMost.toNanos();
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), ports.http()),
                    (int) atMost.toMillis());
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            return parse(readAll(socket, deadline));
        } catch (SocketTimeoutException late) {
            return new Answer.Silence("it did not answer within " + atMost.toMillis() + " ms");
        } catch (IOException failure) {
            return new Answer.Silence("nothing answers on its port");
        }
    }

    private static String readAll(Socket socket, long deadline) throws IOException {
        InputStream in = socket.getInputStream();
        byte[] all = new byte[8192];
        int length = 0;
        while (true) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                throw new SocketTimeoutException();
            }
            socket.setSoTimeout((int) left);
            int count = in.read(all, length, all.length - length);
            if (count < 0) {
                return new String(all, 0, length, StandardCharsets.UTF_8);
            }
            length += count;
            if (length == all.length) {
                if (length >= LONGEST_ANSWER) {
                    throw new IOException("the answer is longer than any that was asked for");
                }
                all = Arrays.copyOf(all, length * 2);
            }
        }
    }

    static Answer parse(String response) {
        int body = response.indexOf(END_OF_HEAD);
        if (!response.startsWith("HTTP/1.") || body < 0) {
            return new Answer.Silence("it closed the connection without an answer");
        }
        String text = response.substring(body + END_OF_HEAD.length()).strip();
        String status = response.substring(0, response.indexOf('\r'));
        return status.contains(" 200 ") ? new Answer.Text(text) : refusal(status, text);
    }

    private static Answer refusal(String status, String body) {
        Matcher matcher = EXCEPTION.matcher(body);
        return matcher.find()
                ? new Answer.Refusal(Integer.parseInt(matcher.group(1)), LastWords.sentenceOf(matcher.group(2)))
                : new Answer.Refusal(0, "The engine answered " + status + ".");
    }
}
