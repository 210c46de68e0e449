package io.pilothouse.console;

import static io.pilothouse.console.Html.tag;

import io.pilothouse.http.wire.Answer;
import org.jspecify.annotations.Nullable;

/** What all pages have: the head, the way around, and the headers that let a browser load nothing from elsewhere. */
final class Page {
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
            + "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    private final Assets assets;

    Page(Assets assets) {
        this.assets = assets;
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

    private static void header(Html html, @Nullable Visit visit) {
        html.in(tag("a", "class", "name", "href", "/"), "Pilothouse");
        if (visit == null) {
            return;
        }
        html.in(tag("nav", "aria-label", "Pages"), () -> html.in(tag("a", "href", "/"), "Services"));
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
            content.run();
        });
    }

    /** A field with its label. */
    static void field(Html html, String label, String name, @Nullable String value, String type) {
        html.in("label", () -> {
            html.in("span", label);
            html.one(tag("input", "type", type, "name", name, "value", value, "required", "required"));
        });
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
