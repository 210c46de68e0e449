package io.pilothouse.http.wire;

import io.pilothouse.core.key.Credentials;
import io.pilothouse.core.right.Caller;
import java.util.function.Function;

/** Tokens of the alerts interface, sent as Bearer. */
public final class BearerAuthentication implements Authentication {
    private final Function<String, Caller> check;

    public BearerAuthentication(Credentials credentials) {
        this(credentials::bearer);
    }

    public BearerAuthentication(Function<String, Caller> check) {
        this.check = check;
    }

    @Override
    public Identity identify(Exchange exchange) {
        String token = AuthorizationField.token(exchange, "Bearer");
        // A malformed header is looked up as an empty token: one place words every refusal.
        String asked = token == null ? "" : token;
        return new Identity(check.apply(asked), asked);
    }

    @Override
    public String challenge() {
        return "Bearer realm=\"pilothouse\"";
    }
}
