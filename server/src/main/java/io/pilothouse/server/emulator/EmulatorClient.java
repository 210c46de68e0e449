package io.pilothouse.server.emulator;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Tree;
import io.pilothouse.http.emulator.CommandLine;
import io.pilothouse.http.emulator.EmulatorOperation;
import io.pilothouse.http.json.JsonReader;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.json.TreeJson;
import io.pilothouse.outgoing.OutgoingHttp;
import io.pilothouse.server.client.CommandRefused;
import io.pilothouse.server.client.JsonClient;
import io.pilothouse.server.client.OwnServer;
import io.pilothouse.server.config.HostPort;
import io.pilothouse.server.log.Escaped;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLException;

/** Asks the program that runs with a data folder for an operation of its emulator, as the first key of that folder. */
public final class EmulatorClient {
    private static final int NOT_FOUND = 404;
    private static final int SUCCESS = 200;
    private static final int MAX_BODY = 64 << 20;
    private static final OutgoingHttp.Limits LIMITS =
            new OutgoingHttp.Limits(Duration.ofMinutes(10), Duration.ofMinutes(10), MAX_BODY);

    private final Path credentials;
    private final OwnServer server;
    private final String authorization;
    private final PrintStream out;

    private EmulatorClient(Path credentials, OwnServer server, String authorization, PrintStream out) {
        this.credentials = credentials;
        this.server = server;
        this.authorization = authorization;
        this.out = out;
    }

    /** {@code credentials} is the file of the first start; {@code trusted} the certificate where the listeners speak TLS. */
    public static EmulatorClient of(Path credentials, Optional<OwnServer.Trusted> trusted, PrintStream out)
            throws CommandRefused {
        Tree.Members known = read(credentials);
        String keyId = known.text("key_id").orElse("");
        String keySecret = known.text("key_secret").orElse("");
        URI base = URI.create(known.text("base_url").orElse(""));
        if (base.getHost() == null) {
            throw new CommandRefused(credentials + " does not say where the program listens");
        }
        try {
            String host = base.getHost().replaceAll("^\\[|\\]$", "");
            HostPort listens = new HostPort(host, base.getPort());
            OwnServer server = OwnServer.at(listens, "https".equals(base.getScheme()) ? trusted : Optional.empty());
            return new EmulatorClient(credentials, server, JsonClient.basic(keyId, keySecret), out);
        } catch (IOException | GeneralSecurityException e) {
            throw new CommandRefused("The certificate of " + base + " cannot be read", e);
        }
    }

    private static Tree.Members read(Path credentials) throws CommandRefused {
        try {
            return JsonReader.readObject(Files.readAllBytes(credentials), new Faults());
        } catch (IOException | Refused e) {
            throw new CommandRefused(
                    "There is no first key in " + credentials + ": --data names the folder of the program that runs",
                    e);
        }
    }

    /** Sends what a command line asks for, and prints the result as JSON. */
    public void ask(EmulatorOperation operation, CommandLine line, List<String> typed) throws CommandRefused {
        try {
            CommandLine.Asked asked = line.asked(operation.path(), typed);
            Tree.Members answer = send(operation, asked.path(), body(asked));
            answer.find("result").ifPresent(result -> print(JsonWriter.document(json -> TreeJson.write(json, result))));
        } catch (CommandLine.Misread misread) {
            throw new CommandRefused(String.valueOf(misread.getMessage()), misread);
        }
    }

    private void print(byte[] document) {
        out.println(new String(document, StandardCharsets.UTF_8));
    }

    private static byte[] body(CommandLine.Asked asked) throws CommandRefused {
        if (!asked.files().isEmpty()) {
            String file = asked.files().getFirst();
            try {
                return Files.readAllBytes(Path.of(file));
            } catch (IOException | IllegalArgumentException e) {
                throw new CommandRefused("The file " + Escaped.text(file) + " cannot be read", e);
            }
        }
        return asked.body().values().isEmpty()
                ? new byte[0]
                : JsonWriter.document(json -> TreeJson.write(json, asked.body()));
    }

    private Tree.Members send(EmulatorOperation operation, String path, byte[] body) throws CommandRefused {
        try {
            JsonClient.Said said = new JsonClient(server.http(), LIMITS)
                    .ask(operation.verb().name(), URI.create(server.base() + path), Optional.of(authorization), body);
            if (said.status() == SUCCESS) {
                return said.document();
            }
            throw new CommandRefused(refusal(said.status(), said.document()));
        } catch (SSLException e) {
            throw new CommandRefused(
                    server.base() + " shows a certificate that is not the one of these settings: give --data, tls-cert"
                            + " and tls-names as for the program that runs",
                    e);
        } catch (IOException e) {
            throw new CommandRefused(
                    "No program answers at " + server.base() + ", where " + credentials + " has it", e);
        }
    }

    private static String refusal(int status, Tree.Members document) {
        String error = Escaped.text(document.text("error").orElse("The program answers " + status));
        if (status == NOT_FOUND && error.contains("Path")) {
            return "The program was started without --emulator: " + error;
        }
        List<Tree.Members> details = document.objects("details");
        return details.isEmpty()
                ? error
                : error + " (" + Escaped.text(details.getFirst().text("path").orElse("")) + " "
                        + Escaped.text(details.getFirst().text("message").orElse("")) + ")";
    }
}
