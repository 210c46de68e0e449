package io.pilothouse.junit;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Tree;
import io.pilothouse.http.json.JsonReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The few requests that the extension makes itself. With the oldest client of the JDK, as its classes are loaded in a
 * tenth of the time that the others take, and all that a first test costs is start.
 */
record ManagementApi(URI base, Credential key) {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int FIRST_REFUSAL = 400;

    /** Sends a request and gives what its answer has as result. */
    Tree.Members send(String method, String path, @Nullable String body) {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) base.resolve(path).toURL().openConnection(Proxy.NO_PROXY);
            connection.setConnectTimeout((int) PATIENCE.toMillis());
            connection.setReadTimeout((int) PATIENCE.toMillis());
            connection.setRequestMethod(method);
            connection.setRequestProperty("Authorization", key.authorization());
            if (body != null) {
                byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
                connection.setRequestProperty("Content-Type", "application/json");
                connection.setDoOutput(true);
                connection.setFixedLengthStreamingMode(bytes.length);
                try (OutputStream out = connection.getOutputStream()) {
                    out.write(bytes);
                }
            }
            int status = connection.getResponseCode();
            byte[] answer = read(status < FIRST_REFUSAL ? connection.getInputStream() : connection.getErrorStream());
            if (status >= FIRST_REFUSAL) {
                throw new PilothouseException(method + " " + path + " was answered with " + status + ": "
                        + new String(answer, StandardCharsets.UTF_8).strip());
            }
            return answer.length == 0
                    ? Tree.Members.NONE
                    : JsonReader.readObject(answer, new Faults())
                            .members("result")
                            .orElse(Tree.Members.NONE);
        } catch (IOException | Refused e) {
            throw new PilothouseException("The server did not answer " + method + " " + path, e);
        }
    }

    private static byte[] read(@Nullable InputStream body) throws IOException {
        if (body == null) {
            return new byte[0];
        }
        try (body) {
            return body.readAllBytes();
        }
    }

    /** A text that has to be in an object of an answer. */
    static String text(Tree.Members answer, String name) {
        return answer.text(name).orElseThrow(() -> new PilothouseException("The server's answer has no " + name));
    }

    static Tree.Members members(Tree.Members answer, String name) {
        return answer.members(name).orElseThrow(() -> new PilothouseException("The server's answer has no " + name));
    }
}
