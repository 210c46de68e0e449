package io.pilothouse.server.certify;

import io.pilothouse.outgoing.OutgoingHttp;
import io.pilothouse.server.client.CommandRefused;
import io.pilothouse.server.client.JsonClient;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLSocketFactory;

/** Asks the Pilothouse that is certified against. */
final class Client {
    static final int FINE = 200;
    static final int NOT_FOUND = 404;

    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration ANSWER = Duration.ofMinutes(1);
    private static final int MAX_ANSWER_BYTES = 16 << 20;
    private static final String NOT_AS_PILOTHOUSE = " does not answer as Pilothouse does.";

    private final Place place;
    private final JsonClient client;

    Client(Place place) {
        this.place = place;
        OutgoingHttp http = new OutgoingHttp(
                OutgoingHttp.Resolver.ofMachine(), () -> (SSLSocketFactory) SSLSocketFactory.getDefault(), CONNECT);
        this.client = new JsonClient(http, new OutgoingHttp.Limits(ANSWER, ANSWER, MAX_ANSWER_BYTES));
    }

    /** The credentials of the key. */
    String asKey() {
        return JsonClient.basic(place.keyId(), place.keySecret());
    }

    /** An empty body is no body. */
    JsonClient.Said ask(String method, String url, String authorization, byte[] body) throws CommandRefused {
        try {
            JsonClient.Said said = client.ask(method, URI.create(url), Optional.of(authorization), body);
            if (said.body().isEmpty()) {
                throw new CommandRefused(url + NOT_AS_PILOTHOUSE);
            }
            return said;
        } catch (IOException e) {
            throw new CommandRefused("Nothing answers at " + url + ": " + e.getMessage() + ".", e);
        } catch (IllegalArgumentException e) {
            throw new CommandRefused(url + NOT_AS_PILOTHOUSE, e);
        }
    }
}
