package io.pilothouse.server.api;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** One hostile request: its bytes, and what may come of them. */
final class FuzzRequest {
    private final String name;
    private final String method;
    private final String target;
    private final Outcome outcome;
    private final byte[] bytes;

    private FuzzRequest(String name, String method, String target, Outcome outcome, byte[] bytes) {
        this.name = name;
        this.method = method;
        this.target = target;
        this.outcome = outcome;
        this.bytes = bytes;
    }

    /** The answers that a server may give to a request; it may never fail, and never hang. */
    enum Outcome {
        /** HTTP is kept, so the answer is a 4xx that the document knows. */
        REFUSED,
        /** HTTP itself is broken: a 4xx in the usual shape, or the connection ends. */
        REFUSED_OR_CLOSED,
        /** Harmless by chance; an answer like any other will do too. */
        ANY
    }

    /** A request whose head is well-formed, with a body and the length of it. */
    static FuzzRequest http(String name, String method, String target, List<String> fields, byte[] body) {
        List<String> all = new ArrayList<>(fields);
        all.add("Content-Length: " + body.length);
        return new FuzzRequest(name, method, target, Outcome.REFUSED, bytes(method, target, all, body));
    }

    /** The same without a body. */
    static FuzzRequest http(String name, String method, String target, List<String> fields) {
        return new FuzzRequest(name, method, target, Outcome.REFUSED, bytes(method, target, fields, new byte[0]));
    }

    /** Bytes that are no HTTP, or hardly. */
    static FuzzRequest broken(String name, String latin1) {
        return broken(name, Outcome.REFUSED_OR_CLOSED, latin1.getBytes(StandardCharsets.ISO_8859_1));
    }

    static FuzzRequest broken(String name, Outcome outcome, byte[] bytes) {
        return new FuzzRequest(name, "-", name, outcome, bytes);
    }

    String name() {
        return name;
    }

    String method() {
        return method;
    }

    String target() {
        return target;
    }

    Outcome outcome() {
        return outcome;
    }

    byte[] bytes() {
        return bytes;
    }

    static byte[] bytes(String method, String target, List<String> fields, byte[] body) {
        StringBuilder head =
                new StringBuilder(method).append(' ').append(target).append(" HTTP/1.1\r\nHost: fuzz\r\n");
        fields.forEach(field -> head.append(field).append("\r\n"));
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
        all.writeBytes(body);
        return all.toByteArray();
    }

    /** The name, and the beginning of the bytes in a form that can be read. */
    @Override
    public String toString() {
        String text = new String(bytes, 0, Math.min(bytes.length, 600), StandardCharsets.ISO_8859_1);
        return name + ": "
                + text.replaceAll("(?i)(authorization: \\w+ ).*", "$1...").replaceAll("[^\\p{Print}\n]", "?");
    }
}
