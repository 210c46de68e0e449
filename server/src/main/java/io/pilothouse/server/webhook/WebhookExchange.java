package io.pilothouse.server.webhook;

import io.pilothouse.core.alert.DeliveryRequest;
import io.pilothouse.core.alert.DeliverySender.Answered;
import io.pilothouse.core.port.Clock;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One message and its answer over one connection, of which the head is read and the rest thrown away. */
final class WebhookExchange {
    private static final int LONGEST_HEAD = 16 * 1024;
    private static final int LONGEST_BODY = 64 * 1024;
    private static final int MOST_HEADS = 5;
    private static final int DRAIN_MILLIS = 500;
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] ([1-9]\\d\\d)(?: .*)?");
    private static final Pattern SECONDS = Pattern.compile("\\d{1,9}");

    private final Socket socket;
    private final Clock clock;

    WebhookExchange(Socket socket, Clock clock) {
        this.socket = socket;
        this.clock = clock;
    }

    Answered run(DeliveryRequest request) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(head(request).getBytes(StandardCharsets.UTF_8));
        out.write(request.body());
        out.flush();
        InputStream in = new BufferedInputStream(socket.getInputStream());
        for (int heads = 0; heads < MOST_HEADS; heads++) {
            List<String> lines = readHead(in);
            int status = status(lines.getFirst());
            // What comes before the answer proper (continue, early hints) is none.
            if (status >= 200) {
                drain(in);
                return new Answered(status, retryAfter(lines));
            }
        }
        throw new ProtocolException("No answer after " + MOST_HEADS + " interim ones");
    }

    private static String head(DeliveryRequest request) {
        URI url = request.url();
        String path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        String target = url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
        StringBuilder head = new StringBuilder("POST ").append(target).append(" HTTP/1.1\r\n");
        line(head, "Host", url.getPort() < 0 ? url.getHost() : url.getHost() + ":" + url.getPort());
        line(head, "Connection", "close");
        line(head, "User-Agent", "Pilothouse");
        line(head, "Content-Length", Integer.toString(request.body().length));
        request.headers().forEach((name, value) -> line(head, name, value));
        return head.append("\r\n").toString();
    }

    private static void line(StringBuilder head, String name, String value) {
        head.append(name).append(": ").append(value).append("\r\n");
    }

    private static List<String> readHead(InputStream in) throws IOException {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (int read = 0; read < LONGEST_HEAD; read++) {
            int next = in.read();
            if (next < 0) {
                throw new ProtocolException("The answer ended within its head");
            }
            if (next != '\n') {
                line.append((char) next);
                continue;
            }
            String text = line.toString().stripTrailing();
            line.setLength(0);
            if (!text.isEmpty()) {
                lines.add(text);
            } else if (!lines.isEmpty()) {
                return lines;
            }
        }
        throw new ProtocolException("The head of the answer is too long");
    }

    private static int status(String line) throws ProtocolException {
        Matcher matcher = STATUS.matcher(line);
        if (!matcher.matches()) {
            throw new ProtocolException("The answer is not HTTP/1");
        }
        return Integer.parseInt(matcher.group(1));
    }

    private @Nullable Duration retryAfter(List<String> lines) {
        for (String line : lines) {
            int colon = line.indexOf(':');
            if (colon > 0 && line.substring(0, colon).toLowerCase(Locale.ROOT).equals("retry-after")) {
                return duration(line.substring(colon + 1).strip());
            }
        }
        return null;
    }

    /** Seconds or a date; null for what is neither. */
    private @Nullable Duration duration(String text) {
        if (SECONDS.matcher(text).matches()) {
            return Duration.ofSeconds(Long.parseLong(text));
        }
        try {
            Instant until = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text));
            Duration left = Duration.between(clock.now(), until);
            return left.isNegative() ? Duration.ZERO : left;
        } catch (DateTimeException notADate) {
            return null;
        }
    }

    /** Lets the receiver finish its answer if it is short and quick, so that it sees no broken connection. */
    private void drain(InputStream in) throws IOException {
        try {
            socket.setSoTimeout(DRAIN_MILLIS);
            byte[] buffer = new byte[8 * 1024];
            int left = LONGEST_BODY;
            int read = in.read(buffer, 0, buffer.length);
            while (read > 0 && left > 0) {
                left -= read;
                read = in.read(buffer, 0, Math.min(buffer.length, Math.max(left, 1)));
            }
        } catch (SocketTimeoutException | SocketException e) {
            // The status is all that counts, and it is there.
        }
    }
}
