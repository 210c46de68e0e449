package io.pilothouse.console;

import static io.pilothouse.console.Html.tag;

import io.pilothouse.http.wire.Answer;
import org.jspecify.annotations.Nullable;

/** Where people show the key that they sign in with. */
record SignInPage(Page page) {
    /** {@code typed} comes back once somebody has signed in. */
    Answer show(int status, @Nullable String trouble, Typed typed) {
        return page.of(status, "Sign in", null, html -> {
            html.in("h1", "Sign in");
            html.in("p", "With a key of the management API. You may do here what that key may do there.");
            if (trouble != null) {
                Page.trouble(html, trouble);
            }
            html.in(tag("form", "method", "post", "action", "/sign-in", "class", "card"), () -> {
                typed.write(html);
                input(html, "Key id", "keyId", "text", "username");
                input(html, "Key secret", "keySecret", "password", "current-password");
                html.in(tag("button", "type", "submit"), "Sign in");
            });
            html.in(
                    "p",
                    () -> html.text("The first key was printed by ")
                            .in("code", "./pilothouse up")
                            .text(" and is in ")
                            .in("code", "credentials.json")
                            .text(" in its data folder."));
        });
    }

    private static void input(Html html, String label, String name, String type, String completes) {
        html.in("label", () -> {
            html.in("span", label);
            html.one(tag(
                    "input",
                    "name",
                    name,
                    "type",
                    type,
                    "autocomplete",
                    completes,
                    "required",
                    "required",
                    "spellcheck",
                    "false"));
        });
    }
}
