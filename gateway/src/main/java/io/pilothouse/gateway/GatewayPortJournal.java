package io.pilothouse.gateway;

import java.io.IOException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The text form of the port assignments: one line per change, the last line of a service counts. A last line without its
 * line end was cut off by a crash before anybody was told of it, and is dropped; anything else unknown is refused.
 */
record GatewayPortJournal(Map<UUID, Map<GatewayProtocol, Integer>> assigned, int next) {
    private static final Pattern LINE = Pattern.compile("(next|assign|release) ([0-9a-f-]+)((?: [a-z]+=\\d{1,5})*)");
    private static final Pattern PORT = Pattern.compile("([a-z]+)=(\\d+)");

    static GatewayPortJournal read(String text, int firstPort) throws IOException {
        Map<UUID, Map<GatewayProtocol, Integer>> assigned = new LinkedHashMap<>();
        int next = firstPort;
        String whole = text.substring(0, text.lastIndexOf('\n') + 1);
        for (String line : whole.lines().toList()) {
            Matcher matcher = LINE.matcher(line);
            if (!matcher.matches()) {
                throw broken(line, null);
            }
            try {
                switch (matcher.group(1)) {
                    case "next" -> next = Integer.parseInt(matcher.group(2));
                    case "release" -> assigned.remove(UUID.fromString(matcher.group(2)));
                    default -> {
                        Map<GatewayProtocol, Integer> ports = ports(matcher.group(3));
                        assigned.put(UUID.fromString(matcher.group(2)), ports);
                        next = ports.values().stream()
                                .mapToInt(port -> port + 1)
                                .max()
                                .orElse(next);
                    }
                }
            } catch (IllegalArgumentException unreadable) {
                throw broken(line, unreadable);
            }
        }
        requireOneOwnerEach(assigned);
        return new GatewayPortJournal(assigned, next);
    }

    /** The shortest text that says the same. */
    String written() {
        StringBuilder text = new StringBuilder();
        assigned.forEach((service, ports) -> text.append(assignment(service, ports)));
        return text.append("next ").append(next).append('\n').toString();
    }

    static String assignment(UUID service, Map<GatewayProtocol, Integer> ports) {
        StringBuilder line = new StringBuilder("assign ").append(service);
        ports.forEach((protocol, port) ->
                line.append(' ').append(protocol.wireName()).append('=').append(port));
        return line.append('\n').toString();
    }

    static String release(UUID service) {
        return "release " + service + "\n";
    }

    private static Map<GatewayProtocol, Integer> ports(String text) {
        Map<GatewayProtocol, Integer> ports = new EnumMap<>(GatewayProtocol.class);
        Matcher matcher = PORT.matcher(text);
        while (matcher.find()) {
            GatewayProtocol protocol =
                    GatewayProtocol.find(matcher.group(1)).orElseThrow(IllegalArgumentException::new);
            ports.put(protocol, Integer.parseInt(matcher.group(2)));
        }
        return ports;
    }

    private static void requireOneOwnerEach(Map<UUID, Map<GatewayProtocol, Integer>> assigned) throws IOException {
        Map<Integer, UUID> owners = new HashMap<>();
        for (Map.Entry<UUID, Map<GatewayProtocol, Integer>> entry : assigned.entrySet()) {
            for (int port : entry.getValue().values()) {
                if (owners.putIfAbsent(port, entry.getKey()) != null) {
                    throw new IOException("The file of the gateway's ports gives port " + port + " out twice.");
                }
            }
        }
    }

    private static IOException broken(String line, @Nullable Throwable cause) {
        return new IOException("The file of the gateway's ports has a line that cannot be read: " + line, cause);
    }
}
