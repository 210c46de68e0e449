package io.pilothouse.console;

import static io.pilothouse.console.Html.tag;

import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.RequestField;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What all pages have: the head, the way around, and the headers that let a browser load nothing from elsewhere. */
final class Page {
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
            + "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    private static final int OK = 200;

    /** The field of a form by which it is done once, however often it is sent. */
    static final String ONCE = "once";

    /** The pages that every page leads to. */
    private static final List<Way> WAYS = List.of(
            new Way("/", "Services"),
            new Way("/alerts", "Alerts"),
            new Way("/keys", "Keys"),
            new Way("/members", "Members"),
            new Way("/roles", "Roles"),
            new Way("/activities", "Activities"),
            new Way("/requests", "Requests"));

    private static final Way EMULATOR = new Way("/emulator", "Emulator");

    private final Assets assets;
    private final List<Way> ways;

    private record Way(String path, String label) {
        boolean leadsTo(String here) {
            return here.equals(path) || here.startsWith(path + "/");
        }
    }

    /** {@code emulated} leads to the controls of the emulator too. */
    Page(Assets assets, boolean emulated) {
        this.assets = assets;
        this.ways = emulated ? Stream.concat(WAYS.stream(), Stream.of(EMULATOR)).toList() : WAYS;
    }

    /** Writes the main part of a page. */
    @FunctionalInterface
    interface Main {
        void write(Html html);
    }

    Answer of(int status, String title, @Nullable Visit visit, Main main) {
        Html html = new Html();
        html.in(tag("html", "lang", "en"), () -> {
            html.in("head", () -> head(html, title));
            html.in("body", () -> {
                html.in(tag("a", "class", "skip", "href", "#main"), "Skip to the content");
                html.in("header", () -> header(html, visit));
                html.in(tag("main", "id", "main"), () -> main.write(html));
            });
        });
        return guarded(Answer.text(status, "text/html; charset=utf-8", "<!DOCTYPE html>\n" + html));
    }

    /** A page with one part that the browser asks for again and again, and then gets alone. */
    Answer live(Visit visit, String title, String id, Main head, Main live) {
        String query = visit.exchange().query();
        String self =
                query.isEmpty() ? visit.exchange().path() : visit.exchange().path() + "?" + query;
        if (asksForPart(visit)) {
            return part(html -> livePart(html, id, self, () -> live.write(html)));
        }
        return of(OK, title, visit, html -> {
            head.write(html);
            livePart(html, id, self, () -> live.write(html));
        });
    }

    /** What htmx asks for is always the live part of a page. */
    static boolean asksForPart(Visit visit) {
        return !visit.exchange().field(RequestField.HX_REQUEST).isEmpty();
    }

    static Answer part(Main part) {
        Html html = new Html();
        part.write(html);
        return guarded(Answer.text(OK, "text/html; charset=utf-8", html.toString()));
    }

    /** The part of a page that is asked for again where it is; it takes its own place. */
    static void livePart(Html html, String id, String path, Runnable content) {
        livePart(html, id, path, "3s", content);
    }

    /** The same for what changes at another pace. */
    static void livePart(Html html, String id, String path, String every, Runnable content) {
        html.in(
                tag(
                        "div",
                        "id",
                        id,
                        "class",
                        "live",
                        "hx-get",
                        path,
                        "hx-trigger",
                        "every " + every,
                        "hx-swap",
                        "outerMorph"),
                content);
    }

    private void head(Html html, String title) {
        html.one(tag("meta", "charset", "utf-8"));
        html.one(tag("meta", "name", "viewport", "content", "width=device-width, initial-scale=1"));
        // An answer that is an error leaves on the page what was there.
        html.one(tag(
                "meta",
                "name",
                "htmx-config",
                "content",
                "{\"includeIndicatorCSS\": false, \"noSwap\": [204, 304, \"4xx\", \"5xx\"]}"));
        html.in("title", title + " · Pilothouse");
        html.one(tag("link", "rel", "icon", "href", assets.href("icon.svg")));
        html.one(tag("link", "rel", "stylesheet", "href", assets.href("console.css")));
        html.in(tag("script", "src", assets.href("htmx.min.js"), "defer", "defer"), "");
        html.in(tag("script", "src", assets.href("console.js"), "defer", "defer"), "");
    }

    private void header(Html html, @Nullable Visit visit) {
        html.in(tag("a", "class", "name", "href", "/"), "Pilothouse");
        if (visit == null) {
            return;
        }
        String here = visit.exchange().path();
        html.in(
                tag("nav", "aria-label", "Pages"),
                () -> ways.forEach(way -> html.in(
                        tag("a", "href", way.path(), "aria-current", way.leadsTo(here) ? "page" : null), way.label())));
        form(html, visit, "/sign-out", () -> {
            html.in(tag("span", "class", "key"), visit.caller().keyName());
            html.in(tag("button", "type", "submit"), "Sign out");
        });
    }

    /** A form that changes something; it carries what proves that it is from one of these pages. */
    static void form(Html html, Visit visit, String action, Runnable content) {
        html.in(tag("form", "method", "post", "action", action), () -> {
            html.one(tag(
                    "input",
                    "type",
                    "hidden",
                    "name",
                    "token",
                    "value",
                    visit.session().formToken()));
            html.one(tag(
                    "input",
                    "type",
                    "hidden",
                    "name",
                    ONCE,
                    "value",
                    UUID.randomUUID().toString()));
            content.run();
        });
    }

    /** What may be wider than the screen: it can be scrolled without a mouse, and says what it is. */
    static Html.Tag wide(String name) {
        return tag("div", "class", "wide", "tabindex", "0", "role", "region", "aria-label", name);
    }

    /** A field with its label. */
    static void field(Html html, String label, String name, @Nullable String value, String type) {
        html.in("label", () -> {
            html.in("span", label);
            html.one(tag("input", "type", type, "name", name, "value", value, "required", "required"));
        });
    }

    /** A line to paste, and a button that copies it where the browser lets a page do so. */
    static void copied(Html html, String id, String line) {
        html.in(tag("pre", "id", id), line);
        html.in(tag("button", "type", "button", "data-copy", id, "hidden", "hidden"), "Copy");
    }

    /** What does the same elsewhere: a line of curl, the command where there is one, and what Terraform says. */
    static void same(Html html, Visit visit, ApiCall call) {
        html.in("pre", call.curl(visit.api()));
        call.command().ifPresent(line -> html.in(tag("pre", "class", "command"), line));
        html.in(tag("pre", "class", "terraform"), call.terraform());
    }

    /** A sentence about what went wrong, read out at once by a screen reader. */
    static void trouble(Html html, String sentence) {
        html.in(tag("p", "class", "trouble", "role", "alert"), sentence);
    }

    static Answer guarded(Answer answer) {
        return answer.with("Content-Security-Policy", POLICY)
                .with("X-Content-Type-Options", "nosniff")
                .with("Referrer-Policy", "same-origin")
                .with("Cross-Origin-Opener-Policy", "same-origin")
                .unstored();
    }
}
