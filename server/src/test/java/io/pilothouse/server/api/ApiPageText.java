package io.pilothouse.server.api;

import io.pilothouse.core.base.RowIds;
import io.pilothouse.core.right.Role;
import io.pilothouse.core.secret.SecretHash;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The form in which a page shows what a run said: the same for every run. An id that was drawn is shown as one that
 * follows from the place where it first appears, so that a step more leaves the ids of the others as they were.
 */
final class ApiPageText {
    private static final int WIDTH = 130;
    /** A thing with fewer members is shown whole each time. */
    private static final int MANY_MEMBERS = 10;

    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    /** How many digits of an id are in names of services, of hosts and of endpoints. */
    private static final List<Integer> ENDINGS = List.of(8, 16, 17);

    private static final Pattern ENDING = Pattern.compile("\\b[0-9a-f]{8,17}\\b");
    private static final Pattern DRAWN = Pattern.compile(
            "(\"(?:password|keyId|keySecret|keySuffix|accessToken|tokenSuffix|signingSecret|signInSecret|nextLookAt)\": )\"[^\"]*\"");
    private static final Pattern TOKEN = Pattern.compile("(\"token\": )\"[^\"]*\"");
    private static final Pattern SIGNED = Pattern.compile("v1,[A-Za-z0-9+/=]+");
    private static final Pattern MEASURED = Pattern.compile("(?<name>\"durationMs\": )\\d+");

    private final Map<String, String> names = new HashMap<>();
    private final Map<String, Integer> namedAt = new HashMap<>();
    private final Map<String, JsonNode> lastShown = new HashMap<>();
    private final Map<String, String> addresses = new LinkedHashMap<>();
    private String place = "";

    ApiPageText() {
        Stream.of(Role.values()).map(role -> role.id().toString()).forEach(id -> names.put(id, id));
    }

    /** Where the ids that are new from now on first appear. */
    void at(String section, String heading) {
        place = section + " / " + heading;
    }

    /** Shows an address of this run as another one. */
    void show(String address, String as) {
        addresses.put(address, as);
    }

    /** The address of this run for what the page shows. */
    String real(String text) {
        String real = text;
        for (Map.Entry<String, String> address : addresses.entrySet()) {
            real = real.replace(address.getValue(), address.getKey());
        }
        return real;
    }

    String line(String text) {
        String line = SIGNED.matcher(text).replaceAll("v1,…");
        for (Map.Entry<String, String> address : addresses.entrySet()) {
            line = line.replace(address.getKey(), address.getValue());
        }
        line = ID.matcher(line).replaceAll(match -> name(match.group()));
        return ENDING.matcher(line).replaceAll(match -> names.getOrDefault(match.group(), match.group()));
    }

    private String name(String id) {
        String known = id.startsWith("00000000-") ? id : names.get(id);
        return known == null ? newName(id) : known;
    }

    private String newName(String id) {
        String seed = place + " / " + namedAt.merge(place, 1, Integer::sum);
        String hex = HexFormat.of().formatHex(SecretHash.sha256(seed));
        String name = String.join(
                "-",
                hex.substring(0, 8),
                hex.substring(8, 12),
                "4" + hex.substring(12, 15),
                "a" + hex.substring(15, 18),
                hex.substring(18, 30));
        names.put(id, name);
        ENDINGS.forEach(digits -> names.put(ending(id, digits), ending(name, digits)));
        return name;
    }

    private static String ending(String id, int digits) {
        return RowIds.lastDigits(UUID.fromString(id), digits);
    }

    String request(JsonNode body) {
        String inline = inline(body);
        String shown = TOKEN.matcher(inline.length() <= WIDTH ? inline : printed(body, ""))
                .replaceAll("$1\"…\"");
        return line(shown);
    }

    /** {@code whole} shows everything; otherwise a thing that was shown before is shown by what is different. */
    String answer(JsonNode body, boolean whole) {
        JsonNode brief = brief(body);
        String printed = TOKEN.matcher(printed(whole ? body : brief, "")).replaceAll("$1\"…\"");
        String drawn = DRAWN.matcher(line(printed)).replaceAll("$1\"…\"");
        return MEASURED.matcher(drawn).replaceAll("${name}1");
    }

    private JsonNode brief(JsonNode node) {
        return switch (node) {
            case ArrayNode array -> {
                ArrayNode brief = array.arrayNode();
                array.forEach(item -> brief.add(brief(item)));
                yield brief;
            }
            case ObjectNode object -> {
                JsonNode before = object.size() < MANY_MEMBERS
                        ? null
                        : lastShown.put(object.path("id").asString(""), object);
                ObjectNode brief = object.objectNode();
                object.properties().stream()
                        .filter(member -> before == null
                                || member.getKey().equals("id")
                                || !member.getValue().equals(before.get(member.getKey())))
                        .forEach(member -> brief.set(member.getKey(), brief(member.getValue())));
                yield before == null ? brief : brief.put("…", "as before");
            }
            default -> node;
        };
    }

    /** JSON that fits into a line is one line; the outermost members stand apart. */
    private static String printed(JsonNode node, String indent) {
        String inline = inline(node);
        if (!node.isContainer()
                || node.isEmpty()
                || (inline.length() + indent.length() <= WIDTH && !indent.isEmpty())) {
            return inline;
        }
        String inner = indent + "  ";
        StringJoiner lines = new StringJoiner(",\n", "\n", "\n" + indent);
        if (node.isArray()) {
            node.forEach(item -> lines.add(inner + printed(item, inner)));
            return "[" + lines + "]";
        }
        node.properties()
                .forEach(member ->
                        lines.add(inner + quoted(member.getKey()) + ": " + printed(member.getValue(), inner)));
        return "{" + lines + "}";
    }

    private static String inline(JsonNode node) {
        if (!node.isContainer()) {
            return node.toString();
        }
        StringJoiner parts = new StringJoiner(", ");
        if (node.isArray()) {
            node.forEach(item -> parts.add(inline(item)));
            return "[" + parts + "]";
        }
        node.properties().forEach(member -> parts.add(quoted(member.getKey()) + ": " + inline(member.getValue())));
        return "{" + parts + "}";
    }

    private static String quoted(String name) {
        return '"' + name + '"';
    }
}
