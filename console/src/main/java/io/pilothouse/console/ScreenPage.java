package io.pilothouse.console;

import static io.pilothouse.console.Html.tag;

import io.pilothouse.console.plot.Measure;
import io.pilothouse.console.plot.Rates;
import io.pilothouse.console.screen.Form;
import io.pilothouse.console.screen.FormBody;
import io.pilothouse.console.screen.Input;
import io.pilothouse.console.screen.Screen;
import io.pilothouse.core.base.Fault;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.pipe.progress.PipeFigure;
import io.pilothouse.core.pipe.progress.PipeProgress;
import io.pilothouse.core.port.Clock;
import io.pilothouse.http.json.Ids;
import io.pilothouse.http.wire.Answer;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Shows a screen, and does what its forms ask for. */
record ScreenPage(
        Page page,
        ConsoleApi api,
        PipeProgress progress,
        Rates rates,
        Clock clock,
        ShownOnce shownOnce,
        Screen screen) {
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int MAX_LINES = 200;

    Answer show(Visit visit) {
        return show(visit, Sent.NOTHING);
    }

    Answer act(Visit visit) {
        Fields typed = Fields.of(visit.exchange().body());
        Console.requireToken(visit, typed);
        ScreenLook look = new ScreenLook(visit, api, screen, typed.text("row"));
        Form form = form(typed.text("form"));
        if (!typed.text(Typed.BACK).isEmpty()) {
            return show(visit, new Sent(OK, form.name(), typed, List.of()));
        }
        if (!form.typed().isEmpty()) {
            String wanted = FormBody.shown(FormBody.at(look.required().result(), form.typed()), Screen.Column.Sort.TEXT)
                    .strip();
            if (!typed.text("typed").equals(wanted)) {
                Fault fault = new Fault("typed", "type " + wanted + " to do this");
                return show(visit, new Sent(BAD_REQUEST, form.name(), typed, List.of(fault)));
            }
        }
        ConsoleApi.Outcome outcome = api.send(visit, look.call(form, typed.values()), typed.text(Page.ONCE));
        if (outcome.refused()) {
            return show(visit, new Sent(outcome.status(), form.name(), typed, outcome.faults()));
        }
        String then = look.filled(form.then().isEmpty() ? screen.path() : form.then(), outcome.result());
        return form.shown().isEmpty() ? Console.seeOther(then) : shown(visit, form, outcome, then);
    }

    private Form form(String name) {
        for (Screen.Part part : screen.parts()) {
            List<Form> forms = switch (part) {
                case Screen.Asked asked -> List.of(asked.form());
                case Screen.Lines lines -> lines.forms();
                case Screen.Facts _, Screen.History _ -> List.of();
            };
            for (Form form : forms) {
                if (form.name().equals(name)) {
                    return form;
                }
            }
        }
        throw Refused.notFound("Form");
    }

    /** The only time that a secret is shown. */
    private Answer shown(Visit visit, Form form, ConsoleApi.Outcome outcome, String then) {
        return shownOnce.lead(visit, form.label(), html -> {
            html.in("h1", "Done: " + form.label());
            html.in("p", "This is shown once, and nowhere else:");
            for (String member : form.shown()) {
                Tree value = FormBody.at(outcome.result(), member);
                if (value != null) {
                    once(html, member, value);
                }
            }
            html.in("p", () -> html.in(tag("a", "href", then), "Go on"));
        });
    }

    /** Each value apart, to be copied: of an object all members, of a list all items. */
    private static void once(Html html, String path, Tree value) {
        switch (value) {
            case Tree.Members members ->
                members.values().forEach((name, member) -> once(html, path + "." + name, member));
            case Tree.Items items -> {
                for (int at = 0; at < items.values().size(); at++) {
                    once(html, path + "[" + at + "]", items.values().get(at));
                }
            }
            case Tree.Text _, Tree.Figure _, Tree.Flag _, Tree.Nothing _ -> {
                html.in("h2", path);
                Page.copied(html, "shown-" + path, FormBody.shown(value, Screen.Column.Sort.TEXT));
            }
        }
    }

    private Answer show(Visit visit, Sent sent) {
        ScreenLook look = new ScreenLook(visit, api, screen, "");
        ConsoleApi.Outcome main = look.required();
        if (main.refused()) {
            return page.of(main.status(), "Not possible", visit, html -> {
                html.in("h1", "This is not possible");
                main.sentences().forEach(sentence -> Page.trouble(html, sentence));
            });
        }
        if (Page.asksForPart(visit)) {
            return Page.part(html -> live(html, look, sent));
        }
        String title = look.filled(screen.title(), main.result());
        return page.of(sent.status(), title, visit, html -> {
            html.in("h1", title);
            sent.elsewhere().forEach(fault -> Page.trouble(html, ConsoleApi.sentence(fault)));
            if (!screen.ways().isEmpty()) {
                html.in(
                        tag("nav", "aria-label", "Related pages", "class", "pages"),
                        () -> screen.ways()
                                .forEach(way -> html.in(
                                        tag("a", "href", look.filled(way.path(), main.result())), way.label())));
            }
            if (!screen.live().isEmpty()) {
                live(html, look, sent);
            }
            screen.parts().forEach(part -> part(html, look, part, sent));
        });
    }

    private void live(Html html, ScreenLook look, Sent sent) {
        Page.livePart(
                html,
                "live",
                look.visit().exchange().path(),
                () -> screen.live().forEach(part -> part(html, look, part, sent)));
    }

    private void part(Html html, ScreenLook look, Screen.Part part, Sent sent) {
        html.in("h2", part.heading());
        switch (part) {
            case Screen.Asked(Form form) -> new ScreenForm(html, look, form, sent, null).write();
            case Screen.Facts facts -> facts(html, look, facts);
            case Screen.Lines lines -> lines(html, look, lines, sent);
            case Screen.History history ->
                AlertPlot.write(html, look.read(history.api()).objects(""), clock.now());
        }
    }

    private void facts(Html html, ScreenLook look, Screen.Facts facts) {
        ConsoleApi.Outcome read = look.read(facts.api());
        if (read.refused()) {
            refused(html, read, facts.empty());
            return;
        }
        html.in(
                "dl",
                () -> facts.columns().forEach(column -> {
                    html.in("dt", column.label());
                    html.in("dd", () -> value(html, column, read.result()));
                }));
    }

    private void lines(Html html, ScreenLook look, Screen.Lines lines, Sent sent) {
        ConsoleApi.Outcome read = look.read(lines.api());
        if (read.refused()) {
            refused(html, read, lines.empty());
            return;
        }
        List<Tree.Members> all = read.objects(lines.within());
        if (all.isEmpty()) {
            html.in("p", lines.empty());
            return;
        }
        html.in(
                Page.wide(lines.heading()),
                () -> html.in("table", () -> {
                    html.in(
                            tag("caption", "class", "quiet"),
                            all.size() > MAX_LINES
                                    ? "The first " + MAX_LINES + " of " + all.size() + "; the API lists all"
                                    : all.size() + " in all");
                    html.in(
                            "thead",
                            () -> html.in("tr", () -> {
                                lines.columns().forEach(column -> html.in(tag("th", "scope", "col"), column.label()));
                                if (!lines.forms().isEmpty()) {
                                    html.in(tag("th", "scope", "col"), "Actions");
                                }
                            }));
                    html.in(
                            "tbody",
                            () -> all.stream().limit(MAX_LINES).forEach(item -> line(html, look, lines, item, sent)));
                }));
    }

    private void line(Html html, ScreenLook look, Screen.Lines lines, Tree.Members item, Sent sent) {
        ScreenLook row = look.at(ScreenLook.rowOf(item));
        String id = lines.forms().isEmpty()
                ? null
                : "line-" + lines.forms().getFirst().name() + "-" + row.row();
        html.in("tr", () -> {
            boolean first = true;
            for (Screen.Column column : lines.columns()) {
                if (first) {
                    html.in(tag("th", "scope", "row", "id", id), () -> named(html, look, lines, column, item));
                } else {
                    html.in("td", () -> value(html, column, item));
                }
                first = false;
            }
            if (!lines.forms().isEmpty()) {
                html.in("td", () -> lines.forms().forEach(form -> new ScreenForm(html, row, form, sent, id).write()));
            }
        });
    }

    private void named(Html html, ScreenLook look, Screen.Lines lines, Screen.Column column, Tree.Members item) {
        if (lines.link().isEmpty()) {
            value(html, column, item);
            return;
        }
        String name = FormBody.shown(FormBody.at(item, column.path()), column.sort());
        html.in(tag("a", "href", look.filled(lines.link(), item)), name.isBlank() ? "without a name" : name);
    }

    private void value(Html html, Screen.Column column, Tree of) {
        String shown = FormBody.shown(FormBody.at(of, column.path()), column.sort());
        switch (column.sort()) {
            case TEXT -> html.text(shown.isEmpty() ? "–" : shown);
            case STATE -> html.in(tag("span", "class", "state " + shown.replaceAll("[^A-Za-z_]", "")), shown);
            case MOMENT -> moment(html, shown, "never");
            case END -> moment(html, shown, "not yet");
            case JSON -> html.in("code", shown);
            case FIGURE -> html.text(figure(column.path(), of));
            case RATE -> html.text(rate(Measure.PER_SECOND, column.path(), of));
            case BYTE_RATE -> html.text(rate(Measure.BYTES_PER_SECOND, column.path(), of));
        }
    }

    private static void moment(Html html, String text, String otherwise) {
        try {
            html.moment(Instant.parse(text));
        } catch (DateTimeException none) {
            html.text(text.isEmpty() ? otherwise : text);
        }
    }

    private String figure(String name, Tree of) {
        return counted(name, of).map(Object::toString).orElse("not known");
    }

    /** A rate is known to those who stay on the page, which asks again every few seconds. */
    private String rate(Measure measure, String name, Tree of) {
        return counted(name, of)
                .map(count -> rates.perSecond(pipeId(of) + " " + name, clock.now(), count))
                .map(rate -> rate.isNaN() ? "known in a few seconds" : measure.shown(rate))
                .orElse("not known");
    }

    private Optional<Long> counted(String name, Tree of) {
        return Optional.ofNullable(pipeId(of))
                .flatMap(progress::find)
                .map(figures -> figures.values().get(PipeFigure.valueOf(name)));
    }

    private static @Nullable UUID pipeId(Tree of) {
        return Ids.parse(FormBody.shown(FormBody.at(of, "id"), Screen.Column.Sort.TEXT));
    }

    /** What is not there is said in the page's own words; anything else in those of the API. */
    private static void refused(Html html, ConsoleApi.Outcome read, String empty) {
        if (read.status() == NOT_FOUND) {
            html.in("p", empty);
        } else {
            html.in("p", String.join(" ", read.sentences()));
        }
    }

    /** What a form sent that was refused, so that nobody types it again. */
    record Sent(int status, String form, Fields typed, List<Fault> faults) {
        static final Sent NOTHING = new Sent(OK, "", new Fields(Map.of()), List.of());

        boolean by(Form other, String row) {
            return form.equals(other.name()) && typed.text("row").equals(row);
        }

        /** What is wrong with one field: what it is called is where a fault begins. */
        @Nullable
        String of(String path) {
            for (Fault fault : faults) {
                if (belongs(fault, path)) {
                    return fault.path().equals(path) ? fault.message() : ConsoleApi.sentence(fault);
                }
            }
            return null;
        }

        /** Everything that is wrong with a request that is typed whole. */
        List<Fault> ofWhole() {
            return status == BAD_REQUEST ? faults : List.of();
        }

        /** What is wrong with no field of the form, and everything of a line, which may be gone with its form. */
        List<Fault> elsewhere() {
            if (typed.values().containsKey(Input.WHOLE)) {
                return status == BAD_REQUEST ? List.of() : faults;
            }
            return typed.text("row").isEmpty()
                    ? faults.stream()
                            .filter(fault -> typed.values().keySet().stream().noneMatch(name -> belongs(fault, name)))
                            .toList()
                    : faults;
        }

        private static boolean belongs(Fault fault, String path) {
            return fault.path().equals(path)
                    || (!path.isEmpty()
                            && (fault.path().startsWith(path + ".")
                                    || fault.path().startsWith(path + "[")));
        }

        /** Shows no secret. */
        @Override
        public String toString() {
            return "Sent[" + status + " " + form + "]";
        }
    }
}
