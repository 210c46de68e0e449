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
            html.in(
                    "p",
                    "With a key of the management API, or as a member of the organization. You may do here what the roles of "
                            + "that key or member allow.");
            if (trouble != null) {
                Page.trouble(html, trouble);
            }
            html.in(tag("form", "method", "post", "action", "/sign-in", "class", "card"), () -> {
                typed.write(html);
                input(html, "Key id, or e-mail address of a member", "keyId", "text", "username");
                input(html, "Secret", "keySecret", "password", "current-password");
                html.in(tag("button", "type", "submit"), "Sign in");
            });
            html.in(
                    "p",
                    () -> html.text("The first key was printed by ")
                            .in("code", "./pilothouse up")
                            .text(" and is in ")
                            .in("code", "credentials.json")
                            .text(" in its data folder."));
            html.in(
                    "p",
                    () -> html.text("Somebody invited you? ")
                            .in(Html.tag("a", "href", "/join"), "Join with the token")
                            .text("."));
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
