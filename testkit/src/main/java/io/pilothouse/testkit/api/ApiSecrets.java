package io.pilothouse.testkit.api;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Every secret that went over the wire so far, to find those that turn up where they do not belong. Safe for many
 * threads.
 */
public final class ApiSecrets {
    private static final Set<String> NAMES = Set.of(
            "password",
            "keySecret",
            "token",
            "accessToken",
            "signingSecret",
            "signInSecret",
            "secretKey",
            "connectionString",
            "serviceAccountKey",
            "privateKey");
    /** Shorter ones may stand anywhere by chance. */
    private static final int MIN_LENGTH = 8;

    private final Map<String, String> kinds = new ConcurrentHashMap<>();

    public void learn(String kind, String secret) {
        kinds.put(secret, kind);
    }

    /** Learns every secret that a request brings, if it is JSON at all. */
    void learnFromRequest(@Nullable String body) {
        if (body == null) {
            return;
        }
        try {
            learn(ApiJson.read(body.getBytes(StandardCharsets.UTF_8)));
        } catch (JacksonException notJson) {
            // An unreadable document has no names.
        }
    }

    /** Learns every secret that this document shows; says whether there was one. */
    boolean learn(JsonNode document) {
        boolean found = false;
        for (Map.Entry<String, JsonNode> member : document.properties()) {
            JsonNode value = member.getValue();
            if (value.isString() && NAMES.contains(member.getKey())) {
                for (String secret : secretsIn(value.asString())) {
                    learn(member.getKey(), secret);
                    found = true;
                }
            }
            found |= learn(value);
        }
        for (int i = 0; document.isArray() && i < document.size(); i++) {
            found |= learn(document.get(i));
        }
        return found;
    }

    /** A text as a whole, and the keys in a connection string; nothing of one whose keys are blanked. */
    private static List<String> secretsIn(String text) {
        List<String> secrets = new ArrayList<>();
        secrets.add(text);
        for (String part : text.split(";", -1)) {
            if (part.matches("(AccountKey|SharedAccessSignature)=.*")) {
                secrets.add(part.substring(part.indexOf('=') + 1));
            }
        }
        secrets.removeIf(secret -> secret.length() < MIN_LENGTH || secret.contains("=***"));
        return secrets;
    }

    /** The kinds of the secrets that stand in a text, never the secrets themselves. */
    public List<String> leaksIn(String text) {
        List<String> leaks = new ArrayList<>();
        kinds.forEach((secret, kind) -> {
            if (text.contains(secret)) {
                leaks.add("shows a " + kind);
            }
        });
        return leaks;
    }
}
