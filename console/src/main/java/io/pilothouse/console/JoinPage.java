package io.pilothouse.console;

import static io.pilothouse.console.Html.tag;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.member.JoinOperations;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Exchange;
import io.pilothouse.http.wire.Problem;
import java.util.List;

/** Where somebody who was invited becomes a member, and is shown once what they sign in with. */
record JoinPage(Page page, JoinOperations joining) {
    private static final int OK = 200;

    Answer show(Exchange exchange) {
        return form(OK, List.of(), "");
    }

    Answer join(Exchange exchange) {
        Fields form = Fields.of(exchange.body());
        String name = form.text("name");
        try {
            return joined(joining.accept(
                    form.text("token"),
                    name.isEmpty() ? null : name,
                    exchange.requestId(),
                    exchange.client(),
                    new Faults()));
        } catch (Refused refused) {
            List<String> troubles = refused.reason() == Refused.Reason.NOT_FOUND
                    ? List.of("token: accepts no invitation. It is good once, for a week, and until it is withdrawn.")
                    : List.of(refused.sentence());
            return form(Problem.status(refused.reason()), troubles, name);
        }
    }

    private Answer form(int status, List<String> troubles, String name) {
        return page.of(status, "Join", null, html -> {
            html.in("h1", "Join an organization");
            html.in("p", "With the token of an invitation, which the person who invited you passes on.");
            troubles.forEach(trouble -> Page.trouble(html, trouble));
            html.in(tag("form", "method", "post", "action", "/join", "class", "card"), () -> {
                Page.field(html, "Token of the invitation", "token", null, "text");
                html.in("label", () -> {
                    html.in("span", "Your name");
                    html.one(tag("input", "type", "text", "name", "name", "value", name, "autocomplete", "name"));
                });
                html.in(tag("button", "type", "submit"), "Join");
            });
        });
    }

    private Answer joined(Tree.Members member) {
        return page.of(OK, "Joined", null, html -> {
            html.in("h1", "You are a member");
            html.in(
                    "p",
                    "Sign in with your e-mail address and this secret. It is shown this once and kept nowhere: put it "
                            + "into a password manager.");
            html.in("h2", "E-mail address");
            Page.copied(html, "email", member.text("email").orElse(""));
            html.in("h2", "Secret");
            Page.copied(html, "secret", member.text("signInSecret").orElse(""));
            html.in("p", () -> html.in(tag("a", "class", "button", "href", "/sign-in"), "Sign in"));
        });
    }
}
