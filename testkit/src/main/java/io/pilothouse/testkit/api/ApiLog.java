package io.pilothouse.testkit.api;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** The log of a program under test, one JSON document a line, and the checks of that log in the end. */
public final class ApiLog extends OutputStream {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Override
    public synchronized void write(int b) {
        bytes.write(b);
    }

    @Override
    public synchronized void write(byte[] from, int offset, int length) {
        bytes.write(from, offset, length);
    }

    public synchronized String text() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** Every line, of a log that is complete. */
    public List<JsonNode> lines() {
        ContractJson json = new ContractJson();
        List<JsonNode> lines = new ArrayList<>();
        text().lines().forEach(line -> lines.add(json.read(line.getBytes(StandardCharsets.UTF_8))));
        return lines;
    }

    /**
     * The violations in a complete log: a secret in it, or an answered request that does not have exactly one line of
     * its own.
     */
    public List<String> faults(Set<UUID> requestIds, ApiSecrets secrets) {
        List<String> faults = new ArrayList<>();
        secrets.leaksIn(text()).forEach(leak -> faults.add("the log " + leak));
        Map<String, List<JsonNode>> byRequest = new HashMap<>();
        for (JsonNode line : lines()) {
            if (line.path("event").asString("").equals("request")) {
                byRequest
                        .computeIfAbsent(line.path("request_id").asString(""), _ -> new ArrayList<>())
                        .add(line);
            }
        }
        for (UUID id : requestIds) {
            List<JsonNode> lines = byRequest.getOrDefault(id.toString(), List.of());
            boolean whole = lines.size() == 1
                    && lines.getFirst().path("status").isInt()
                    && lines.getFirst().path("duration_ms").isNumber();
            if (!whole) {
                faults.add("the request " + id + " has these lines in the log: " + lines);
            }
        }
        return faults;
    }
}
