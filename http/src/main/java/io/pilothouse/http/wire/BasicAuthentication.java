package io.pilothouse.http.wire;

import io.pilothouse.core.key.Credentials;
import io.pilothouse.core.right.Caller;
import io.pilothouse.core.right.Client;
import io.pilothouse.incoming.GuardedLogin;
import io.pilothouse.incoming.Guesses;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Keys of the management API, sent as HTTP Basic. */
public final class BasicAuthentication implements Authentication {
    private final KeyCheck check;
    private final GuardedLogin login;

    public BasicAuthentication(Credentials credentials, Guesses guesses) {
        this(credentials::basic, guesses);
    }

    public BasicAuthentication(KeyCheck check, Guesses guesses) {
        this.check = check;
        this.login = new GuardedLogin(guesses);
    }

    /** Looks up a key, or refuses. */
    @FunctionalInterface
    public interface KeyCheck {
        Caller basic(String keyId, String keySecret, Client client);
    }

    @Override
    public Identity identify(Exchange exchange) {
        String pair = pair(AuthorizationField.token(exchange, "Basic"));
        int colon = pair.indexOf(':');
        // A malformed header is looked up as an empty key: one place words every refusal, and does the same work.
        String keyId = colon < 0 ? "" : pair.substring(0, colon);
        String secret = colon < 0 ? "" : pair.substring(colon + 1);
        Client client = exchange.client();
        return new Identity(
                login.login(client.address(), keyId, pair, () -> check.basic(keyId, secret, client)), secret);
    }

    private static String pair(@Nullable String token) {
        if (token == null) {
            return "";
        }
        try {
            return new String(Base64.getDecoder().decode(token), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notBase64) {
            return "";
        }
    }

    @Override
    public String challenge() {
        return "Basic realm=\"pilothouse\", charset=\"UTF-8\"";
    }
}
