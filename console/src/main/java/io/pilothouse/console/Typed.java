package io.pilothouse.console;

import static io.pilothouse.console.Html.tag;

import io.pilothouse.console.query.SecretText;
import io.pilothouse.console.screen.FormBody;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.FieldChange;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Tree;
import io.pilothouse.http.json.JsonReader;
import io.pilothouse.http.wire.Exchange;
import io.pilothouse.http.wire.Verb;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What somebody typed into a form that could not be taken, such as after the session had ended: it goes back into its
 * form. Secrets are not among it: those of a JSON document are blanked, and any other text that names one is left out.
 */
record Typed(String path, Map<String, String> fields) {
    static final Typed NOTHING = new Typed("", Map.of());

    /** With this field a form is shown again with what it holds, and does nothing. */
    static final String BACK = "back";

    private static final String THEN = "then";
    /** What says which form it was, and what nobody types. */
    private static final Set<String> FORM = Set.of("form", "row");

    private static final String KEPT = "typed.";
    private static final Pattern PATH = Pattern.compile("/[A-Za-z0-9._@+:-][A-Za-z0-9/._@+:-]{0,500}");
    /** In the name of a field, and in a text that is no document. */
    private static final Pattern SECRET =
            Pattern.compile("password|identified|secret|credential|token|\\bkey\\b", Pattern.CASE_INSENSITIVE);

    Typed {
        fields = Map.copyOf(fields);
    }

    /** Of a form that was sent; nothing where it held nothing that somebody types. */
    static Typed of(Exchange exchange) {
        return exchange.verb() == Verb.POST && PATH.matcher(exchange.path()).matches()
                ? of(exchange.path(), Fields.of(exchange.body()).values())
                : NOTHING;
    }

    private static Typed of(String path, Map<String, String> sent) {
        Map<String, String> kept = new TreeMap<>();
        sent.forEach((name, text) -> {
            boolean kind = FORM.contains(name);
            boolean left = name.equals(Page.ONCE)
                    || name.equals(BACK)
                    || SECRET.matcher(name).find();
            String harmless = kind ? text : left ? "" : harmless(text);
            if (!harmless.isEmpty()) {
                kept.put(name, harmless);
            }
        });
        return new Typed(path, kept);
    }

    /** What a form of {@link #write} carried. */
    static Typed carried(Fields form) {
        String path = form.text(THEN);
        return PATH.matcher(path).matches() ? of(path, kept(form)) : NOTHING;
    }

    private static Map<String, String> kept(Fields form) {
        Map<String, String> kept = new TreeMap<>();
        form.values().forEach((name, text) -> {
            if (name.startsWith(KEPT)) {
                kept.put(name.substring(KEPT.length()), text);
            }
        });
        return kept;
    }

    private static String harmless(String text) {
        Tree.Members document = text.strip().startsWith("{") ? document(text) : null;
        if (document == null) {
            return SECRET.matcher(text).find() || SecretText.mayBeIn(text) ? "" : text;
        }
        Tree.Members blanked = FieldChange.withoutSecrets(document);
        // As it was typed, with its lines, where it holds no secret.
        return blanked.equals(document) ? text : FormBody.text(blanked);
    }

    private static Tree.@Nullable Members document(String text) {
        try {
            return JsonReader.readObject(text.getBytes(StandardCharsets.UTF_8), new Faults());
        } catch (Refused malformed) {
            return null;
        }
    }

    boolean isEmpty() {
        return FORM.containsAll(fields.keySet());
    }

    /** The fields with which another form carries it. */
    void write(Html html) {
        if (!isEmpty()) {
            hidden(html, THEN, path);
            // Each by itself, so that the sign-in is hardly larger than the form was.
            fields.forEach((name, text) -> hidden(html, KEPT + name, text));
        }
    }

    /** The button that brings it back into its form. */
    void offer(Html html, String formToken) {
        if (isEmpty()) {
            return;
        }
        html.in(tag("form", "method", "post", "action", path), () -> {
            hidden(html, "token", formToken);
            hidden(html, BACK, "true");
            fields.forEach((name, text) -> hidden(html, name, text));
            html.in(tag("button", "type", "submit"), "Back to what I typed");
        });
        html.in(tag("p", "class", "quiet"), "Nothing was done. Secrets are not kept and have to be typed again.");
    }

    private static void hidden(Html html, String name, String value) {
        html.one(tag("input", "type", "hidden", "name", name, "value", value));
    }

    /** Shows nothing of what was typed. */
    @Override
    public String toString() {
        return "Typed[" + path + "]";
    }
}
