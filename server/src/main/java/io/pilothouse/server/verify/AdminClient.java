package io.pilothouse.server.verify;

import io.pilothouse.core.base.Tree;
import io.pilothouse.outgoing.OutgoingHttp;
import io.pilothouse.server.client.CommandRefused;
import io.pilothouse.server.client.JsonClient;
import io.pilothouse.server.client.OwnServer;
import io.pilothouse.server.config.Config;
import io.pilothouse.server.config.HostPort;
import io.pilothouse.server.config.Options;
import io.pilothouse.server.log.Escaped;
import java.io.IOException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLException;

/** Asks the program that runs with these settings on this machine, at its admin address. */
public final class AdminClient {
    private static final Duration ANSWER = Duration.ofMinutes(1);
    private static final int MAX_ANSWER_BYTES = 4 << 20;

    private final String base;
    private final Optional<String> token;
    private final JsonClient client;

    private AdminClient(String base, Optional<String> token, JsonClient client) {
        this.base = base;
        this.token = token;
        this.client = client;
    }

    /** An answer: its status, and its document; empty if the body is not JSON. */
    record Said(int status, Tree.Members document) {
        boolean isFine() {
            return status / 100 == 2;
        }

        /** What an error says, fit for a terminal. */
        String message() {
            return Escaped.text(document.text("message").orElse("The program answers " + status));
        }
    }

    /** {@code authority} is the certificate of the program's own, by which it speaks TLS where {@code tls-names} is set. */
    public static AdminClient of(Config config, Path authority) throws CommandRefused {
        HostPort listens = config.get(Options.ADMIN_LISTEN);
        Optional<OwnServer.Trusted> trusted = OwnServer.trusted(config, authority);
        try {
            OwnServer server = OwnServer.at(listens, trusted);
            return new AdminClient(
                    server.base(),
                    config.find(Options.ADMIN_TOKEN),
                    new JsonClient(server.http(), new OutgoingHttp.Limits(ANSWER, ANSWER, MAX_ANSWER_BYTES)));
        } catch (UnknownHostException e) {
            throw new CommandRefused(listens + " names a host that cannot be looked up.", e);
        } catch (IOException | GeneralSecurityException e) {
            throw new CommandRefused(
                    "The certificate " + trusted.map(OwnServer.Trusted::file).orElse(authority) + " cannot be read.",
                    e);
        }
    }

    Said ask(String method, String target) throws CommandRefused {
        try {
            JsonClient.Said said =
                    client.ask(method, URI.create(base + target), token.map(secret -> "Bearer " + secret), new byte[0]);
            if (said.status() == 401) {
                throw new CommandRefused(base + " asks for its token: set " + Options.ADMIN_TOKEN.variable() + ".");
            }
            return new Said(said.status(), said.document());
        } catch (SSLException e) {
            throw new CommandRefused(
                    base + " shows a certificate that is not the one of these settings: give --data, tls-cert and"
                            + " tls-names as for the program that runs.",
                    e);
        } catch (IOException e) {
            throw new CommandRefused(
                    "No program answers at " + base + ": " + Options.ADMIN_LISTEN.flag()
                            + " names where the one that runs has its admin address.",
                    e);
        }
    }
}
