package io.pilothouse.plane.local;

import io.pilothouse.gateway.GatewayOwnUser;
import io.pilothouse.outgoing.OutgoingHttp;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks databases over HTTP as the control plane's own user. */
final class DatabaseClient {
    private static final Pattern EXCEPTION = Pattern.compile("Code: (\\d+)\\.? ?,?\\s*(.*)", Pattern.DOTALL);
    private static final int MAX_ANSWER_BYTES = 4 << 20;
    private static final int OK = 200;

    private final OutgoingHttp http = OutgoingHttp.toAddresses(Duration.ofSeconds(1));

    /** A database's answer, or its silence. */
    sealed interface Answer {
        record Text(String value) implements Answer {}

        record Refusal(int code, String sentence) implements Answer {}

        record Silence(String reason) implements Answer {}
    }

    boolean ping(PortSet ports, Duration atMost) {
        return send("GET", ports, "/ping", Map.of(), "", atMost) instanceof Answer.Text(String value)
                && value.startsWith("Ok.");
    }

    Answer query(PortSet ports, String password, String sql, Duration atMost) {
        String credentials = Base64.getEncoder()
                .encodeToString((GatewayOwnUser.NAME + ":" + password).getBytes(StandardCharsets.US_ASCII));
        // Waiting for the end makes the status reflect every error, including one that comes late.
        return send(
                "POST", ports, "/?wait_end_of_query=1", Map.of("Authorization", "Basic " + credentials), sql, atMost);
    }

    private Answer send(
            String method, PortSet ports, String target, Map<String, String> fields, String body, Duration atMost) {
        try {
            OutgoingHttp.Reply reply = http.send(
                    method,
                    URI.create("http://127.0.0.1:" + ports.http() + target),
                    fields,
                    body.getBytes(StandardCharsets.UTF_8),
                    new OutgoingHttp.Limits(atMost, atMost, MAX_ANSWER_BYTES));
            if (!reply.whole()) {
                return new Answer.Silence("its answer broke off");
            }
            String text = reply.body().strip();
            return reply.status() == OK ? new Answer.Text(text) : refusal(reply, text);
        } catch (SocketTimeoutException late) {
            return new Answer.Silence("it did not answer within " + atMost.toMillis() + " ms");
        } catch (ConnectException refused) {
            return new Answer.Silence("nothing answers on its port");
        } catch (IOException failure) {
            return new Answer.Silence("it closed the connection without an answer");
        }
    }

    private static Answer refusal(OutgoingHttp.Reply reply, String text) {
        Matcher matcher = EXCEPTION.matcher(text);
        return matcher.find()
                ? new Answer.Refusal(Integer.parseInt(matcher.group(1)), LastWords.sentenceOf(matcher.group(2)))
                : new Answer.Refusal(0, "The database answered " + reply.status() + " " + reply.reason() + ".");
    }
}
