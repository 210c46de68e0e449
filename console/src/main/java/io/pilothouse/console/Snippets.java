package io.pilothouse.console;

import io.pilothouse.core.service.Endpoint;
import java.util.Optional;
import java.util.UUID;

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

    /** For ClickHouse's JDBC driver, {@code com.clickhouse:clickhouse-jdbc}. */
    static String jdbc(Endpoint https) {
        return """
                Connection connection = DriverManager.getConnection(
                    "jdbc:clickhouse:https://%s:%s/default?ssl=true", "%s", "...");""".formatted(quotable(https.host()), https.port(), quotable(https.username()));
    }

    /** The address as a value of Terraform's, from what its provider reads of the service. */
    static String terraform(UUID service) {
        String endpoint = "clickhouse_service.this.endpoints.https.";
        return """
                import { # where it is not in the state yet
                  to = clickhouse_service.this
                  id = "%s"
                }
                output "clickhouse_url" {
                  value = "https://${%shost}:${%sport}"
                }""".formatted(service, endpoint, endpoint);
    }

    /** A text as it may stand within double quotes of Python and of Java. */
    private static String quotable(String text) {
        return text.replace("\\", "\\\\")
                .replace("\"", "\\\"")
                .replace("\n", "\\n")
                .replace("\r", "\\r");
    }
}
