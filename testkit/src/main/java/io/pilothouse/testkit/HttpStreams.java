package io.pilothouse.testkit;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/** Streams of HTTP, most of them nearly right: whatever has been used to have two parsers read two things. */
public final class HttpStreams {
    private static final List<String> METHODS =
            List.of("GET", "POST", "POST", "PUT", "OPTIONS", "DELETE", "HEAD", "PO ST");
    private static final List<String> TARGETS =
            List.of("/", "/?query=SELECT+1", "/ping", "*", "http://h/x", "/a b", "/\u00e9", "/\t", "//x?y#z");
    private static final List<String> VERSIONS =
            List.of("HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/1.2", "HTTP/2.0", "HTTP/1.1 ", "http/1.1");
    private static final List<String> ENDS =
            List.of("\n", "\r", "\r\r\n", "\n\r", "\r\n\r\n", "", "\u000b\r\n", "\0\r\n");
    private static final List<String> SPACES = List.of(" ", " ", " ", "", "\t", "  ", "\u000b", "\r\n ", "\u00a0");
    private static final List<String> LENGTHS = List.of(
            "5",
            "5",
            "5",
            "05",
            "+5",
            "-5",
            "5, 5",
            "5,6",
            "0x5",
            "5 ",
            "5\t",
            "",
            "0",
            "6",
            "4",
            "1",
            "99999999999999999999",
            "5;q");
    private static final List<String> ENCODINGS = List.of(
            "chunked",
            "chunked",
            "chunked",
            "Chunked",
            "chunked ",
            "x, chunked",
            "chunked, x",
            "identity",
            "chunked;q=1",
            "\u000bchunked",
            "chunked,",
            ",chunked",
            "gzip",
            "",
            "\"chunked\"",
            "chunke\u0000d");
    private static final List<String> CONNECTIONS =
            List.of("keep-alive", "close", "Keep-Alive, x", "close, keep-alive", "upgrade", "Content-Length", "");
    private static final List<String> LENGTH_NAMES = List.of(
            "Content-Length",
            "content-length",
            "Content-Length ",
            " Content-Length",
            "Content_Length",
            "Content-Length\t",
            "Content-Length\u0000");
    private static final List<String> ENCODING_NAMES = List.of(
            "Transfer-Encoding", "transfer-encoding", "Transfer-Encoding ", " Transfer-Encoding", "Transfer_Encoding");
    private static final List<String> OTHERS = List.of(
            "X: y",
            "X:y",
            "X:",
            ": y",
            "X",
            "X: a\r\n b",
            "X: \u00e9",
            "Expect: 100-continue",
            "Upgrade: h2c",
            "Connection: upgrade\r\nUpgrade: websocket",
            "Host: h",
            "X y: z",
            "Trailer: Content-Length",
            "TE: trailers",
            "X: a\nContent-Length: 5",
            "X: a\rTransfer-Encoding: chunked",
            "Content-Type: a,b");
    private static final List<String> EXTENSIONS = List.of(
            "",
            "",
            "",
            "",
            ";",
            ";x",
            ";x=y",
            ";x=\"y\"",
            " ;x",
            "; x",
            ";x\ny",
            ";\r",
            ";\u0001",
            " ",
            "\t",
            ";x=\"\r\n\"",
            ";x\ny\r\nabc\r\n0\r\n");
    private static final List<String> SIZES = List.of(
            "5", "5", "5", "5", "05", "0005", "0x5", "G", "", "-1", "5 5", "FFFFFFFFFFFFFFFF5", "6", "4", "a", "A");
    private static final List<String> TRAILERS = List.of(
            "",
            "",
            "",
            "",
            "X: y\r\n",
            "X: y\n",
            "Content-Length: 5\r\n",
            "X\r\n",
            "X: y\n\nGET / HTTP/1.1\r\n",
            " X: y\r\n",
            ": y\r\n",
            "X: a\r\n b\r\n");
    private static final List<String> STATUSES = List.of(
            "200 OK",
            "200 OK",
            "200 OK",
            "200",
            "204 No Content",
            "304 Not Modified",
            "100 Continue",
            "102 Processing",
            "206 x",
            "404 Not Found",
            "500 x",
            "2000 OK",
            "20 OK",
            " 200 OK",
            "205 Reset",
            "101 Switching",
            "600 x",
            "099 x");

    private final RandomGenerator random;
    private final String login;

    public HttpStreams(RandomGenerator random) {
        this(random, "");
    }

    /** Most requests have these headers too, each of which ends with CR LF. */
    public HttpStreams(RandomGenerator random, String login) {
        this.random = random;
        this.login = login;
    }

    public byte[] requests() {
        StringBuilder text = new StringBuilder();
        for (int count = 1 + random.nextInt(3); count > 0; count--) {
            text.append(often("", "\r\n"))
                    .append(any(METHODS, 0.2))
                    .append(often(" ", any(SPACES, 1)))
                    .append(any(TARGETS, 0.2))
                    .append(often(" ", any(SPACES, 1)))
                    .append(any(VERSIONS, 0.2))
                    .append(end());
            message(text, random.nextInt(10) == 0 ? "" : login + "Host: h");
        }
        return mutated(text);
    }

    public byte[] answers() {
        StringBuilder text = new StringBuilder();
        for (int count = 1 + random.nextInt(3); count > 0; count--) {
            text.append(any(VERSIONS, 0.1))
                    .append(often(" ", any(SPACES, 1)))
                    .append(any(STATUSES, 0.5))
                    .append(end());
            message(text, random.nextInt(4) == 0 ? "Server: x" : "");
        }
        return mutated(text);
    }

    /** Headers and the body that they more or less announce. */
    private void message(StringBuilder text, String first) {
        if (!first.isEmpty()) {
            text.append(first).append(end());
        }
        int body = random.nextInt(8);
        for (int count = random.nextInt(3); count > 0; count--) {
            text.append(often("X: y", any(OTHERS, 1))).append(end());
        }
        if ((body >= 1 && body <= 4) || body == 7) {
            text.append(field(LENGTH_NAMES, LENGTHS)).append(end());
        }
        if (body >= 4 && body <= 6) {
            text.append(field(ENCODING_NAMES, ENCODINGS)).append(end());
        }
        if (random.nextInt(12) == 0) {
            text.append(field(LENGTH_NAMES, LENGTHS)).append(end());
        }
        if (random.nextInt(6) == 0) {
            text.append("Connection: ").append(any(CONNECTIONS, 1)).append(end());
        }
        text.append(end());
        if (body >= 4 && body <= 6) {
            for (int count = random.nextInt(3); count > 0; count--) {
                text.append(any(SIZES, 0.2))
                        .append(often("", any(EXTENSIONS, 1)))
                        .append(end())
                        .append("abcde")
                        .append(end());
            }
            text.append(often("0", "00"))
                    .append(often("", any(EXTENSIONS, 1)))
                    .append(end())
                    .append(any(TRAILERS, 0.3))
                    .append(end());
        } else if (body >= 1) {
            text.append("abcde");
        }
    }

    private String field(List<String> names, List<String> values) {
        return any(names, 0.2) + ":" + often(" ", any(SPACES, 1)) + any(values, 0.3);
    }

    private String end() {
        return random.nextInt(60) == 0 ? any(ENDS, 1) : "\r\n";
    }

    /** The first of them is the right one, and all others come with this chance. */
    private String any(List<String> choices, double chance) {
        return random.nextDouble() < chance ? choices.get(random.nextInt(choices.size())) : choices.getFirst();
    }

    private String often(String usual, String other) {
        return random.nextInt(25) == 0 ? other : usual;
    }

    /** Now and then with bytes that were changed, taken out, put in or said twice. */
    private byte[] mutated(StringBuilder text) {
        byte[] bytes = text.toString().getBytes(StandardCharsets.ISO_8859_1);
        for (int count = random.nextInt(3) == 0 ? random.nextInt(3) : 0; count > 0; count--) {
            int at = random.nextInt(bytes.length);
            int to = Math.min(bytes.length, at + random.nextInt(4));
            ByteArrayOutputStream next = new ByteArrayOutputStream();
            next.write(bytes, 0, random.nextInt(4) == 0 ? to : at);
            if (random.nextBoolean()) {
                next.write(random.nextBoolean() ? "\r\n\t :;,\0".charAt(random.nextInt(8)) : random.nextInt(256));
            }
            next.writeBytes(Arrays.copyOfRange(bytes, random.nextBoolean() ? at : to, bytes.length));
            bytes = next.size() == 0 ? bytes : next.toByteArray();
        }
        return random.nextInt(20) == 0 ? Arrays.copyOf(bytes, 1 + random.nextInt(bytes.length)) : bytes;
    }
}
