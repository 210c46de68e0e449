package io.pilothouse.console;

import io.pilothouse.console.terraform.TerraformBlocks;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Tree;
import io.pilothouse.http.emulator.EmulatorOperation;
import io.pilothouse.http.json.JsonReader;
import io.pilothouse.http.wire.Verb;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One request of the API, as a form sends it and as people may paste it. */
record ApiCall(Verb verb, String path, @Nullable String body) {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._~:-]+");

    static ApiCall of(Verb verb, String path, String body) {
        return new ApiCall(verb, path, body);
    }

    static ApiCall of(Verb verb, String path) {
        return new ApiCall(verb, path, null);
    }

    /** Whether it is of the alerts interface, which has a listener and tokens of its own. */
    boolean ofAlerts() {
        return path.startsWith("/api/v2/");
    }

    /**
     * The same with curl; {@code $KEY} stands for the id and the secret of a key, with a colon between, {@code $TOKEN}
     * for a token of the alerts interface, and {@code $ALERTS} for its address.
     */
    String curl(String api) {
        StringBuilder line =
                new StringBuilder(ofAlerts() ? "curl -s -H \"Authorization: Bearer $TOKEN\" " : "curl -s -u \"$KEY\" ");
        if (verb != Verb.GET) {
            line.append("-X ").append(verb).append(' ');
        }
        if (body != null) {
            line.append("-H 'Content-Type: application/json' -d ")
                    .append(quoted(body))
                    .append(' ');
        }
        return line.append(ofAlerts() ? "\"$ALERTS\"" + quoted(path) : quoted(api + path))
                .toString();
    }

    /** The block of Terraform that says the same, or why there is none. */
    String terraform() {
        return TerraformBlocks.of(verb, path, body);
    }

    /** The command that does the same; empty for what is no control of the emulator, and where no command says it. */
    Optional<String> command() {
        return EmulatorOperation.command(verb, path, document())
                .map(words -> words.stream()
                        .map(word -> PLAIN.matcher(word).matches() ? word : quoted(word))
                        .collect(Collectors.joining(" ", "./pilothouse emulator ", "")));
    }

    /** What is no document says nothing. */
    private Tree.Members document() {
        if (body == null) {
            return Tree.Members.NONE;
        }
        try {
            return JsonReader.readObject(body.getBytes(StandardCharsets.UTF_8), new Faults());
        } catch (Refused malformed) {
            return Tree.Members.NONE;
        }
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }

    /** A body may hold a secret. */
    @Override
    public String toString() {
        return "ApiCall[" + verb + " " + path + "]";
    }
}
