package io.pilothouse.console;

import static io.pilothouse.console.Html.tag;

import io.pilothouse.console.screen.Form;
import io.pilothouse.console.screen.FormBody;
import io.pilothouse.console.screen.Input;
import io.pilothouse.console.screen.Screen;
import io.pilothouse.core.base.Fault;
import io.pilothouse.core.base.Tree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes one form of a screen, with the request that it sends and what Terraform says for it. */
final class ScreenForm {
    /** Of what can be chosen, beside what is chosen. */
    private static final int MAX_OFFERED = 50;

    private final Html html;
    private final ScreenLook look;
    private final Form form;
    private final ScreenPage.@Nullable Sent sent;
    private final Map<String, String> before;
    private final Map<String, String> values;
    private final @Nullable String about;
    private boolean focused;

    /** {@code about} is the id of the element that says which line it is a form of; null for one of the page. */
    ScreenForm(Html html, ScreenLook look, Form form, ScreenPage.Sent sent, @Nullable String about) {
        this.about = about;
        this.html = html;
        this.look = look;
        this.form = form;
        this.sent = sent.by(form, look.row()) ? sent : null;
        this.before = look.before(form);
        this.values = this.sent == null ? before : sent.typed().values();
    }

    void write() {
        html.in(tag("div", "class", "card"), () -> {
            Page.form(html, look.visit(), look.visit().exchange().path(), () -> {
                hidden("form", form.name());
                hidden("row", look.row());
                form.inputs().forEach(this::input);
                if (!form.typed().isEmpty()) {
                    labelled("Its " + form.typed() + ", typed", "typed", () -> html.one(field("typed", "text", "")));
                }
                html.in(tag("button", "type", "submit", "aria-describedby", about), form.label());
            });
            ApiCall call = look.call(form, before);
            String ways = call.command().isPresent()
                    ? " with the API, as a command and with Terraform"
                    : " with the API and with Terraform";
            html.in("details", () -> {
                html.in("summary", form.label() + ways);
                Page.same(html, look.visit(), call);
            });
        });
    }

    private void hidden(String name, String value) {
        html.one(tag("input", "type", "hidden", "name", name, "value", value));
    }

    private void input(Input input) {
        String name = input.name();
        String value = values.getOrDefault(name, "");
        switch (input.sort()) {
            case FIXED -> {
                // Sent as it is, and not for people.
            }
            case TEXT, PATH, NUMBER -> labelled(input.label(), name, () -> html.one(field(name, "text", value)));
            case REMOVABLE -> {
                if (before.containsKey(name)) {
                    labelled(input.label(), name, () -> html.one(field(name, "text", value)));
                }
            }
            case SECRET -> labelled(input.label(), name, () -> html.one(field(name, "password", "")));
            case FLAG -> labelled(input.label(), name, () -> checkbox(name));
            case CHOICE -> labelled(input.label(), name, () -> choice(input, value));
            case MANY -> many(input);
            case LINES, ADDRESSES, JSON ->
                labelled(input.label(), name, () -> area(name, "4", value, invalid(name), describedBy(name)));
            case BODY -> body(input, value);
        }
    }

    /** The whole request: what is wrong with any member of it is wrong here. A file fills it in, with a script. */
    private void body(Input input, String value) {
        String name = input.name();
        List<Fault> faults = sent == null ? List.of() : sent.ofWhole();
        boolean wrong = !faults.isEmpty();
        html.in("label", () -> {
            html.in("span", input.label());
            area(name, "16", value, wrong ? "true" : null, wrong ? "fault-" + name : null);
        });
        if (wrong) {
            html.in(
                    tag("div", "id", "fault-" + name),
                    () -> faults.forEach(fault -> Page.trouble(html, ConsoleApi.sentence(fault))));
        }
        html.in(tag("label", "hidden", "hidden", "data-file", name), () -> {
            html.in("span", "Or take it from a file");
            html.one(tag("input", "type", "file", "accept", ".json,application/json"));
        });
    }

    private void area(String name, String rows, String value, @Nullable String invalid, @Nullable String describedBy) {
        html.in(
                tag(
                        "textarea",
                        "name",
                        name,
                        "rows",
                        rows,
                        "spellcheck",
                        "false",
                        "autofocus",
                        focus(invalid),
                        "aria-invalid",
                        invalid,
                        "aria-describedby",
                        describedBy),
                value);
    }

    private Html.Tag field(String name, String type, String value) {
        return tag(
                "input",
                "type",
                type,
                "name",
                name,
                "value",
                value,
                "autocomplete",
                "off",
                "autofocus",
                focus(invalid(name)),
                "aria-invalid",
                invalid(name),
                "aria-describedby",
                describedBy(name));
    }

    /** The first field that is wrong is where the page opens. */
    private @Nullable String focus(@Nullable String invalid) {
        if (invalid == null || focused) {
            return null;
        }
        focused = true;
        return "autofocus";
    }

    private @Nullable String fault(String name) {
        return sent == null ? null : sent.of(name);
    }

    private @Nullable String invalid(String name) {
        return fault(name) == null ? null : "true";
    }

    private @Nullable String describedBy(String name) {
        return fault(name) == null ? null : "fault-" + name;
    }

    /** A field within its label, and what is wrong with it below. */
    private void labelled(String label, String name, Runnable field) {
        html.in("label", () -> {
            html.in("span", label);
            field.run();
        });
        String fault = fault(name);
        if (fault != null) {
            html.in(tag("p", "class", "trouble", "id", "fault-" + name, "role", "alert"), name + ": " + fault);
        }
    }

    private void choice(Input input, String value) {
        html.in(tag("select", "name", input.name()), () -> {
            input.options().forEach(option -> option(option, option.isEmpty() ? "as it is set up" : option, value));
        });
    }

    private static String member(Tree.Members of, String path) {
        return FormBody.shown(FormBody.at(of, path), Screen.Column.Sort.TEXT);
    }

    private void option(String value, String label, String chosen) {
        html.in(tag("option", "value", value, "selected", value.equals(chosen) ? "selected" : null), label);
    }

    private void chosen(String name, String label) {
        html.in(tag("label", "class", "choice"), () -> {
            checkbox(name);
            html.in("span", label);
        });
    }

    private void checkbox(String name) {
        boolean checked = !values.getOrDefault(name, "").isEmpty();
        html.one(
                tag("input", "type", "checkbox", "name", name, "value", "true", "checked", checked ? "checked" : null));
    }

    private void many(Input input) {
        html.in("fieldset", () -> {
            html.in("legend", input.label());
            ConsoleApi.Outcome offered = look.read(input.choices().api());
            if (offered.refused()) {
                html.in("p", String.join(" ", offered.sentences()));
            }
            Map<String, String> labels = new LinkedHashMap<>();
            if (!offered.refused()) {
                offered.objects("")
                        .forEach(each -> labels.put(
                                member(each, input.choices().value()),
                                member(each, input.choices().label())));
            }
            // What is chosen already stays so, even where the list that it is from may not be read.
            String prefix = input.name() + ":";
            List<String> shown = new ArrayList<>();
            values.keySet().stream()
                    .filter(name -> name.startsWith(prefix))
                    .map(name -> name.substring(prefix.length()))
                    .forEach(id -> labels.putIfAbsent(id, id));
            labels.entrySet().stream()
                    .filter(offer -> values.containsKey(prefix + offer.getKey()) || shown.size() < MAX_OFFERED)
                    .forEach(offer -> {
                        shown.add(offer.getKey());
                        chosen(prefix + offer.getKey(), offer.getValue());
                    });
            if (shown.size() < labels.size()) {
                html.in(
                        tag("p", "class", "quiet"),
                        shown.size() + " of " + labels.size() + ", with all that are chosen; the API takes any.");
            }
        });
        String fault = fault(input.name());
        if (fault != null) {
            html.in(tag("p", "class", "trouble", "role", "alert"), input.name() + ": " + fault);
        }
    }
}
