package io.pilothouse.console;

import io.pilothouse.core.service.Endpoint;
import java.util.Optional;

/** Lines to paste: how to reach a service. */
final class Snippets {
    private Snippets() {}

    /** A client for one endpoint; {@code $PASSWORD} stands for the password of the service. */
    static Optional<String> client(Endpoint endpoint) {
        return switch (endpoint.protocol()) {
            case "https" ->
                Optional.of("curl --user \"%s:$PASSWORD\" -d 'SELECT version()' https://%s:%s"
                        .formatted(endpoint.username(), endpoint.host(), endpoint.port()));
            case "nativesecure" ->
                Optional.of("clickhouse client --secure --host %s --port %s --user %s --password \"$PASSWORD\""
                        .formatted(endpoint.host(), endpoint.port(), endpoint.username()));
            case "mysql" ->
                Optional.of("mysql --host %s --port %s --user %s --password"
                        .formatted(endpoint.host(), endpoint.port(), endpoint.username()));
            default -> Optional.empty();
        };
    }

    static String python(Endpoint https) {
        return """
                import clickhouse_connect
                client = clickhouse_connect.get_client(
                    host="%s", port=%s, username="%s", password="...", secure=True)""".formatted(quotable(https.host()), https.port(), quotable(https.username()));
    }

    /** A text as it may stand within double quotes of Python. */
    private static String quotable(String text) {
        return text.replace("\\", "\\\\")
                .replace("\"", "\\\"")
                .replace("\n", "\\n")
                .replace("\r", "\\r");
    }
}
