package io.pilothouse.http.wire;

import io.pilothouse.core.key.Credentials;
import io.pilothouse.core.right.Caller;
import io.pilothouse.incoming.GuardedLogin;
import io.pilothouse.incoming.Guesses;
import java.net.InetAddress;
import java.util.function.Function;

/** Tokens of the alerts interface, sent as Bearer. */
public final class BearerAuthentication implements Authentication {
    private final Function<String, Caller> check;
    private final GuardedLogin login;

    public BearerAuthentication(Credentials credentials, Guesses guesses) {
        this(credentials::bearer, guesses);
    }

    public BearerAuthentication(Function<String, Caller> check, Guesses guesses) {
        this.check = check;
        this.login = new GuardedLogin(guesses);
    }

    @Override
    public Identity identify(Exchange exchange) {
        String token = AuthorizationField.token(exchange, "Bearer");
        // A malformed header is looked up as an empty token: one place words every refusal.
        String asked = token == null ? "" : token;
        InetAddress from = exchange.remoteAddress();
        // A token has no part that is not secret: a client that guesses one guesses all of them.
        return new Identity(login.login(from, "token", asked, () -> check.apply(asked)), asked);
    }

    @Override
    public String challenge() {
        return "Bearer realm=\"pilothouse\"";
    }
}
