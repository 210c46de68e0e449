package io.pilothouse.gateway;

import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * The facts that the gateway needs about a request: where its body ends and whether the connection continues. A head
 * that two readers could understand in two ways is refused.
 *
 * @param path the target without its parameters
 * @param host as the client names it; empty if it names none
 * @param credential all by which the client logs in, in one text; empty if it shows nothing
 * @param contentLength absent for a chunked body; 0 without a body
 */
record GatewayHttpHead(
        String method, String path, String host, String credential, boolean keepAlive, OptionalLong contentLength) {
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Pattern LENGTH = Pattern.compile("\\d{1,18}");
    private static final Pattern COMMA = Pattern.compile("\\s*,\\s*");
    private static final String LINE_END = "\r\n";
    private static final int MAX_METHOD_LENGTH = 32;
    private static final int MAX_HEADERS = 1_000;

    /** Without the credential. */
    @Override
    public String toString() {
        return "GatewayHttpHead[" + method + "]";
    }

    boolean chunked() {
        return contentLength.isEmpty();
    }

    boolean answeredWithoutBody() {
        return method.equals("HEAD");
    }

    /** Reads a whole head, including the empty line at its end, whose bytes were all found to be legal. */
    static GatewayHttpHead parse(String text) throws GatewayHttpRefusal {
        int lineEnd = text.indexOf(LINE_END);
        String requestLine = text.substring(0, lineEnd);
        int afterMethod = requestLine.indexOf(' ');
        int beforeVersion = requestLine.lastIndexOf(' ');
        if (afterMethod < 1 || beforeVersion <= afterMethod + 1) {
            throw malformed("The request line is not made of a method, a target and a version.");
        }
        String method = requestLine.substring(0, afterMethod);
        String target = requestLine.substring(afterMethod + 1, beforeVersion);
        boolean http11 = isHttp11(requestLine.substring(beforeVersion + 1));
        if (method.length() > MAX_METHOD_LENGTH || !TOKEN.matcher(method).matches()) {
            throw malformed("The request's method is not a word.");
        }
        if (target.indexOf(' ') >= 0 || target.indexOf('\t') >= 0) {
            throw malformed("The request's target holds a space; encode it as %20.");
        }
        if (method.equals("CONNECT")) {
            throw new GatewayHttpRefusal(
                    GatewayHttpStatus.METHOD_NOT_ALLOWED, "This is a database and not a forward proxy.");
        }
        if (GatewayOwnUser.inTarget(target)) {
            throw notThisUser();
        }
        Fields fields = new Fields(GatewayOwnUser.credentialIn(target));
        int from = lineEnd + LINE_END.length();
        for (int count = 0; !text.startsWith(LINE_END, from); count++) {
            int end = text.indexOf(LINE_END, from);
            if (count == MAX_HEADERS) {
                throw new GatewayHttpRefusal(
                        GatewayHttpStatus.HEAD_TOO_LARGE, "The request has more than " + MAX_HEADERS + " headers.");
            }
            fields.take(text.substring(from, end));
            from = end + LINE_END.length();
        }
        int question = target.indexOf('?');
        return fields.head(method, question < 0 ? target : target.substring(0, question), http11);
    }

    private static boolean isHttp11(String version) throws GatewayHttpRefusal {
        if (version.equals("HTTP/1.1")) {
            return true;
        }
        if (version.equals("HTTP/1.0")) {
            return false;
        }
        if (version.startsWith("HTTP/")) {
            throw new GatewayHttpRefusal(
                    GatewayHttpStatus.VERSION_NOT_SUPPORTED, "Only HTTP/1.1 and HTTP/1.0 are spoken here.");
        }
        throw malformed("The request line does not end in an HTTP version.");
    }

    private static GatewayHttpRefusal notThisUser() {
        return new GatewayHttpRefusal(GatewayHttpStatus.FORBIDDEN, "This user is one of the control plane's own.");
    }

    private static GatewayHttpRefusal malformed(String sentence) {
        return new GatewayHttpRefusal(GatewayHttpStatus.BAD_REQUEST, sentence);
    }

    /** The headers that affect framing, gathered while all of them are checked. */
    private static final class Fields {
        private int hosts;
        private String host = "";
        private int lengths;
        private int encodings;
        private boolean closes;
        private boolean keepsAlive;
        private long length;
        private final StringBuilder credential;

        private Fields(String inTarget) {
            this.credential = new StringBuilder(inTarget);
        }

        void take(String line) throws GatewayHttpRefusal {
            int colon = line.indexOf(':');
            // no white space before the colon and no folded line: both have been used to slip requests past a proxy
            if (colon < 1 || !TOKEN.matcher(line).region(0, colon).matches()) {
                throw malformed("A header has no proper name.");
            }
            String value = line.substring(colon + 1).strip();
            String name = line.substring(0, colon).toLowerCase(Locale.ROOT);
            if (GatewayOwnUser.inHeader(name, value)) {
                throw notThisUser();
            }
            switch (name) {
                case "authorization", "x-clickhouse-user", "x-clickhouse-key" ->
                    credential.append(name).append(':').append(value).append('\n');
                case "host" -> takeHost(value);
                case "content-length" -> takeLength(value);
                case "transfer-encoding" -> takeEncoding(value);
                case "connection" -> takeConnection(value);
                default -> {
                    // not the gateway's business
                }
            }
        }

        private void takeHost(String value) {
            hosts++;
            host = value;
        }

        private void takeLength(String value) throws GatewayHttpRefusal {
            if (++lengths > 1 || !LENGTH.matcher(value).matches()) {
                throw malformed("Content-Length is not one whole number.");
            }
            length = Long.parseLong(value);
        }

        private void takeEncoding(String value) throws GatewayHttpRefusal {
            if (++encodings > 1 || !value.equalsIgnoreCase("chunked")) {
                throw new GatewayHttpRefusal(
                        GatewayHttpStatus.NOT_IMPLEMENTED, "The only Transfer-Encoding understood is chunked.");
            }
        }

        private void takeConnection(String value) {
            for (String option : COMMA.splitAsStream(value).toList()) {
                closes |= option.equalsIgnoreCase("close");
                keepsAlive |= option.equalsIgnoreCase("keep-alive");
            }
        }

        GatewayHttpHead head(String method, String path, boolean http11) throws GatewayHttpRefusal {
            if (encodings > 0 && (lengths > 0 || !http11)) {
                throw malformed("A chunked request has a Content-Length or is not HTTP/1.1.");
            }
            if (hosts > 1 || (http11 && hosts == 0)) {
                throw malformed("The request does not name one Host.");
            }
            boolean keepAlive = !closes && (http11 || keepsAlive);
            return new GatewayHttpHead(
                    method,
                    path,
                    host,
                    credential.toString(),
                    keepAlive,
                    encodings > 0 ? OptionalLong.empty() : OptionalLong.of(length));
        }
    }
}
