package io.pilothouse.pipes.worker.files;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.pilothouse.pipes.wire.Sql;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import io.pilothouse.pipes.worker.outside.Trouble.SourceAway;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Tokens of access of a service account, each held for three quarters of its time. Those of Google go to Google; those
 * of another server come from the place that the URL of the source names, and go back to it.
 */
final class GoogleTokens implements BucketLogin {
    private static final int TIMEOUT_MILLIS = 30_000;
    private static final int OK = 200;
    private static final int MAX_ANSWER_BYTES = 1 << 16;
    private static final long MAX_SECONDS = 3600;
    private static final String STORAGE = "storage.googleapis.com";
    private static final Set<String> GIVERS = Set.of("oauth2.googleapis.com", "accounts.google.com");
    /** What a header field can hold. */
    private static final Pattern TOKEN = Pattern.compile("[\\x21-\\x7e]{1,8192}");

    private static final Pattern WORD = Pattern.compile("\\w{1,64}");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final GoogleKey key;
    private final Clock clock;
    private @Nullable String token;
    private Instant until = Instant.MIN;

    private GoogleTokens(GoogleKey key, Clock clock) {
        this.key = key;
        this.clock = clock;
    }

    /** Those of the key in base64, for a bucket at this address. */
    static GoogleTokens of(String base64, String bucket, Clock clock) throws Owner {
        GoogleKey key = GoogleKey.parse(base64);
        URI storage;
        try {
            storage = URI.create(bucket);
        } catch (IllegalArgumentException _) {
            throw new Owner("The URL of the source cannot be used as it is.");
        }
        String place = Objects.requireNonNullElse(storage.getRawAuthority(), "");
        String giver = Objects.requireNonNullElse(key.address().getRawAuthority(), "");
        boolean sameScheme = Objects.equals(storage.getScheme(), key.address().getScheme());
        boolean google = isOfGoogle(place) && "https".equals(storage.getScheme()) && GIVERS.contains(giver);
        boolean own = !isOfGoogle(place) && place.equals(giver);
        if (!sameScheme || !(google || own)) {
            throw new Owner("The token_uri of the serviceAccountKey must be https://oauth2.googleapis.com/token and the"
                    + " URL of the source at https://" + STORAGE + ", or both at the same server.");
        }
        return new GoogleTokens(key, clock);
    }

    private static boolean isOfGoogle(String place) {
        return place.equals(STORAGE) || place.endsWith("." + STORAGE);
    }

    @Override
    public Map<String, String> sign(String method, URI address) throws SourceAway {
        return Map.of("Authorization", bearer());
    }

    @Override
    public synchronized boolean renew(Map<String, String> refused) {
        // Another thread may have another one already.
        if (refused.containsValue("Bearer " + token)) {
            token = null;
        }
        return true;
    }

    @Override
    public Arguments arguments() throws SourceAway {
        return new Arguments(Arguments.NOBODY, ", headers('Authorization' = " + Sql.text(bearer()) + ")");
    }

    private synchronized String bearer() throws SourceAway {
        Instant now = clock.instant();
        if (token == null || !now.isBefore(until)) {
            JsonNode answer = asked(now);
            String given = answer.path("access_token").asText("");
            if (!TOKEN.matcher(given).matches()) {
                throw new SourceAway("The token address of the service account gives no token.");
            }
            long seconds = Math.clamp(answer.path("expires_in").asLong(0), 0, MAX_SECONDS);
            token = given;
            // The rest of its time is for the file that the database begins to read last.
            until = now.plusSeconds(seconds * 3 / 4);
        }
        return "Bearer " + token;
    }

    /** An account or a key that was made a moment ago may be refused until all of Google knows it: it is asked again. */
    private JsonNode asked(Instant now) throws SourceAway {
        byte[] body = ("grant_type="
                        + URLEncoder.encode("urn:ietf:params:oauth:grant-type:jwt-bearer", StandardCharsets.UTF_8)
                        + "&assertion=" + key.assertion(now))
                .getBytes(StandardCharsets.US_ASCII);
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) key.address().toURL().openConnection();
            connection.setRequestMethod("POST");
            connection.setDoOutput(true);
            connection.setConnectTimeout(TIMEOUT_MILLIS);
            connection.setReadTimeout(TIMEOUT_MILLIS);
            connection.setInstanceFollowRedirects(false);
            connection.setRequestProperty("Content-Type", "application/x-www-form-urlencoded");
            try (OutputStream out = connection.getOutputStream()) {
                out.write(body);
            }
            int status = connection.getResponseCode();
            if (status != OK) {
                throw new SourceAway("The token address of the service account refuses its key (" + status
                        + reason(connection.getErrorStream()) + ").");
            }
            return read(connection.getInputStream());
        } catch (JacksonException _) {
            throw new SourceAway("The token address of the service account does not answer with JSON.");
        } catch (IOException | IllegalArgumentException gone) {
            throw new SourceAway("The token address of the service account cannot be reached: " + gone.getMessage());
        }
    }

    private static JsonNode read(InputStream answer) throws IOException {
        try (answer) {
            return JSON.readTree(answer.readNBytes(MAX_ANSWER_BYTES));
        }
    }

    /** The word that says why, where there is one. */
    private static String reason(@Nullable InputStream answer) throws IOException {
        if (answer == null) {
            return "";
        }
        try {
            String word = read(answer).path("error").asText("");
            return WORD.matcher(word).matches() ? " " + word : "";
        } catch (JacksonException _) {
            return "";
        }
    }
}
