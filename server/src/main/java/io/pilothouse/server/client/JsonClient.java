package io.pilothouse.server.client;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Tree;
import io.pilothouse.http.json.JsonReader;
import io.pilothouse.outgoing.OutgoingHttp;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Asks a program that answers in JSON. */
public record JsonClient(OutgoingHttp http, OutgoingHttp.Limits limits) {
    /** An answer: its status, and what it says; empty if that is no JSON. */
    public record Said(int status, Optional<Tree.Members> body) {
        /** What it says; nothing if that is no JSON. */
        public Tree.Members document() {
            return body.orElse(Tree.Members.NONE);
        }
    }

    /** The credentials of a key, as a request shows them. */
    public static String basic(String keyId, String keySecret) {
        byte[] pair = (keyId + ":" + keySecret).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(pair);
    }

    /** An empty body is no body. */
    public Said ask(String method, URI uri, Optional<String> authorization, byte[] body) throws IOException {
        Map<String, String> fields = new HashMap<>();
        authorization.ifPresent(credentials -> fields.put("Authorization", credentials));
        if (body.length > 0) {
            fields.put("Content-Type", "application/json");
        }
        OutgoingHttp.Reply reply = http.send(method, uri, fields, body, limits);
        return new Said(reply.status(), read(reply.bytes()));
    }

    private static Optional<Tree.Members> read(byte[] body) {
        if (body.length == 0) {
            return Optional.of(Tree.Members.NONE);
        }
        try {
            return Optional.of(JsonReader.readObject(body, new Faults()));
        } catch (Refused noDocument) {
            return Optional.empty();
        }
    }
}
