package io.pilothouse.server.certify;

import io.pilothouse.server.client.CommandRefused;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The Pilothouse to certify against: where it is, and as whom to ask it.
 *
 * @param base the management listener, without a slash at the end
 * @param alerts the alerts listener with a token, where they are known
 * @param own whether it was started for this, and ends with it
 */
public record Place(
        String base, String organizationId, String keyId, String keySecret, Optional<Alerts> alerts, boolean own) {
    static final String ORGANIZATION = "CLICKHOUSE_ORG_ID";
    static final String KEY = "CLICKHOUSE_CLOUD_API_KEY";
    static final String SECRET = "CLICKHOUSE_CLOUD_API_SECRET";
    static final String ALERTS = "CLICKSTACK_ENDPOINT";
    static final String TOKEN = "CLICKSTACK_API_KEY";

    /** The alerts interface and a token of it. */
    public record Alerts(String url, String token) {
        @Override
        public String toString() {
            return "Alerts[" + url + "]";
        }
    }

    /** One that is started for a certification, and ends when it is closed. */
    public interface Started extends AutoCloseable {
        Place place();

        @Override
        void close();
    }

    /** Starts one of its own, with everything that it keeps in a folder. */
    @FunctionalInterface
    public interface Starter {
        Started start(Path folder) throws CommandRefused;
    }

    /** One that runs already, with the key in the variables that ClickHouse's provider reads too. */
    static Place running(String base, Map<String, String> environment) throws CommandRefused {
        for (String variable : new String[] {ORGANIZATION, KEY, SECRET}) {
            if (environment.getOrDefault(variable, "").isEmpty()) {
                throw new CommandRefused("With --url the organization and its key are in " + ORGANIZATION + ", " + KEY
                        + " and " + SECRET + ": " + variable + " is not set.");
            }
        }
        Optional<Alerts> alerts = Optional.ofNullable(environment.get(ALERTS))
                .flatMap(url -> Optional.ofNullable(environment.get(TOKEN)).map(token -> new Alerts(url, token)));
        return new Place(
                base,
                environment.getOrDefault(ORGANIZATION, ""),
                environment.getOrDefault(KEY, ""),
                environment.getOrDefault(SECRET, ""),
                alerts,
                false);
    }

    String api() {
        return base + "/v1";
    }

    /** The variables that ClickHouse's provider reads. */
    Map<String, String> environment() {
        Map<String, String> variables = new TreeMap<>();
        variables.put("CLICKHOUSE_API_URL", api());
        variables.put(ORGANIZATION, organizationId);
        variables.put(KEY, keyId);
        variables.put(SECRET, keySecret);
        alerts.ifPresent(each -> {
            variables.put(ALERTS, each.url());
            variables.put(TOKEN, each.token());
        });
        return variables;
    }

    /** The same by the names that modules give variables which they hand to the provider. */
    Map<String, String> inputs() {
        return Map.of(
                "api_url", api(),
                "organization_id", organizationId,
                "token_key", keyId,
                "token_secret", keySecret);
    }

    /** Shows no secret. */
    @Override
    public String toString() {
        return "Place[" + base + "]";
    }
}
