package io.pilothouse.junit;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Tree;
import io.pilothouse.http.json.JsonReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** How to reach a server, as its ready file says it: addresses, and the key of its operator. */
record ServerAccess(URI base, URI alerts, URI query, Credential operator, Optional<Path> authority) {
    static ServerAccess readFrom(Path file) {
        try {
            Tree.Members ready = JsonReader.readObject(Files.readAllBytes(file), new Faults());
            return new ServerAccess(
                    URI.create(text(ready, "base_url")),
                    URI.create(text(ready, "alerts_url")),
                    URI.create(text(ready, "query_url")),
                    new Credential(text(ready, "key_id"), text(ready, "key_secret")),
                    ready.text("ca_file").map(Path::of));
        } catch (IOException | Refused e) {
            throw new PilothouseException("The server started, and its ready file cannot be read", e);
        }
    }

    private static String text(Tree.Members ready, String name) {
        return ready.text(name)
                .orElseThrow(() -> new PilothouseException(
                        "The server's ready file has no " + name + ": its data folder is not a new one"));
    }
}
