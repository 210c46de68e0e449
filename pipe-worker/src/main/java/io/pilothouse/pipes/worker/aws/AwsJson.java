package io.pilothouse.pipes.worker.aws;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.pilothouse.core.secret.AwsSignature;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import io.pilothouse.pipes.worker.outside.Trouble.SourceAway;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A service of AWS whose operations take and give JSON. Safe for many threads. */
public final class AwsJson {
    private static final int TIMEOUT_MILLIS = 30_000;
    private static final Duration ANSWERS_WITHIN = Duration.ofMillis(TIMEOUT_MILLIS);
    private static final int OK = 200;
    private static final int MAX_REFUSAL_BYTES = 1 << 16;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String name;
    private final URI address;
    private final Signer signer;
    private final Dialect dialect;
    private final Clock clock;

    /** Which version of JSON a service speaks, and what its operations are called after. */
    public record Dialect(String contentType, String prefix) {}

    /** What the next request is signed with. */
    @FunctionalInterface
    public interface Signer {
        AwsSignature now() throws SourceAway;
    }

    /** Reads an answer. {@code millis} is when it was given by the clock of the service, 0 where it does not say. */
    @FunctionalInterface
    public interface Reader<T> {
        T read(InputStream in, long millis) throws IOException;
    }

    /** {@code name} is what sentences call the service. */
    public AwsJson(String name, URI address, Signer signer, Dialect dialect, Clock clock) {
        this.name = name;
        this.address = address;
        this.signer = signer;
        this.dialect = dialect;
        this.clock = clock;
    }

    public JsonNode call(String operation, Map<String, ?> question) throws AwsRefusal, Owner, SourceAway {
        return call(operation, question, (in, _) -> JSON.readTree(in));
    }

    /** Asks once; only the answer is read, whatever its size. */
    public <T> T call(String operation, Map<String, ?> question, Reader<T> reader)
            throws AwsRefusal, Owner, SourceAway {
        try {
            byte[] body = JSON.writeValueAsBytes(question);
            Map<String, String> fields = signed(operation, body);
            HttpURLConnection connection = (HttpURLConnection) address.toURL().openConnection();
            connection.setRequestMethod("POST");
            connection.setDoOutput(true);
            connection.setConnectTimeout(TIMEOUT_MILLIS);
            connection.setReadTimeout(TIMEOUT_MILLIS);
            connection.setInstanceFollowRedirects(false);
            connection.setFixedLengthStreamingMode(body.length);
            fields.forEach(connection::setRequestProperty);
            try (OutputStream out = connection.getOutputStream()) {
                out.write(body);
            }
            int status = connection.getResponseCode();
            if (status != OK) {
                try (InputStream in = connection.getErrorStream()) {
                    throw new AwsRefusal(status, code(in));
                }
            }
            try (InputStream in = connection.getInputStream()) {
                return reader.read(in, connection.getDate());
            }
        } catch (JacksonException _) {
            throw new SourceAway(name + " does not answer with JSON.");
        } catch (IOException gone) {
            throw away(gone);
        } catch (IllegalArgumentException _) {
            throw new Owner("The address of " + name + " cannot be used as it is.");
        }
    }

    /** Asks for events that come for as long as the service sends them. */
    public EventFrames subscribe(HttpClient client, String operation, Map<String, ?> question)
            throws AwsRefusal, Owner, SourceAway, InterruptedException {
        try {
            byte[] body = JSON.writeValueAsBytes(question);
            HttpRequest.Builder request = HttpRequest.newBuilder(address)
                    .timeout(ANSWERS_WITHIN)
                    .POST(HttpRequest.BodyPublishers.ofByteArray(body));
            signed(operation, body).forEach(request::header);
            HttpResponse<InputStream> answer = client.send(request.build(), BodyHandlers.ofInputStream());
            if (answer.statusCode() != OK) {
                try (InputStream in = answer.body()) {
                    throw new AwsRefusal(answer.statusCode(), code(in));
                }
            }
            return new EventFrames(answer.body());
        } catch (IOException gone) {
            throw away(gone);
        } catch (IllegalArgumentException _) {
            throw new Owner("The address of " + name + " cannot be used as it is.");
        }
    }

    private Map<String, String> signed(String operation, byte[] body) throws SourceAway {
        return signer.now()
                .sign(
                        "POST",
                        address,
                        Map.of(
                                "content-type",
                                dialect.contentType(),
                                "x-amz-target",
                                dialect.prefix() + "." + operation),
                        body,
                        clock.instant());
    }

    private SourceAway away(IOException gone) {
        return new SourceAway(name + " cannot be reached: " + gone.getMessage());
    }

    /** The name of an error, without the name space that some services put before it. */
    private static String code(@Nullable InputStream in) throws IOException {
        try {
            String text = in == null ? "" : new String(in.readNBytes(MAX_REFUSAL_BYTES), StandardCharsets.UTF_8);
            String type = JSON.readTree(text).path("__type").asText("");
            return type.substring(type.indexOf('#') + 1);
        } catch (JacksonException notOurs) {
            return "";
        }
    }
}
