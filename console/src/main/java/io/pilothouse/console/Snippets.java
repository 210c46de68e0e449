package io.pilothouse.console;

import io.pilothouse.core.scaling.Scaling;
import io.pilothouse.core.service.Endpoint;
import io.pilothouse.core.service.Service;
import java.util.Locale;
import java.util.Optional;

/** Lines to paste: how to reach a service, and what Terraform says for a form. */
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

    /** What Terraform says for an action, or why it cannot. */
    static String terraform(ServiceAction action, Service service) {
        return switch (action) {
            case START, STOP, AWAKE -> "# Terraform's provider starts, stops and wakes no service.";
            case BACKUP -> "# Terraform's provider makes no backup; it sets the schedule of backups.";
            case SCALE -> scaled(service);
            case RESTORE ->
                """
                resource "clickhouse_service" "%s_restored" {
                  name           = "%s restored"
                  cloud_provider = "%s"
                  region         = "%s"
                  backup_id      = "..."
                }""".formatted(
                                label(service),
                                hcl(service.name()),
                                hcl(service.placement().provider()),
                                hcl(service.placement().region()));
            case DELETE ->
                "# Take this resource out of the configuration, then: terraform apply\n" + "# clickhouse_service."
                        + label(service);
        };
    }

    private static String scaled(Service service) {
        Scaling scaling = service.scaling();
        return """
                resource "clickhouse_service" "%s" {
                  # ...
                  min_replica_memory_gb = %s
                  max_replica_memory_gb = %s
                  num_replicas          = %s
                  idle_scaling          = %s
                  idle_timeout_minutes  = %s
                }""".formatted(
                        label(service),
                        scaling.minReplicaMemoryGb(),
                        scaling.maxReplicaMemoryGb(),
                        scaling.numReplicas(),
                        scaling.idleScaling(),
                        scaling.idleTimeoutMinutes());
    }

    /** A text as it may stand within double quotes of Python. */
    private static String quotable(String text) {
        return text.replace("\\", "\\\\")
                .replace("\"", "\\\"")
                .replace("\n", "\\n")
                .replace("\r", "\\r");
    }

    /** The same for Terraform, where nothing of the text is an expression. */
    private static String hcl(String text) {
        return quotable(text).replace("${", "$${").replace("%{", "%%{");
    }

    private static String label(Service service) {
        String label = service.name().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_");
        return label.isEmpty() || Character.isDigit(label.charAt(0)) ? "service_" + label : label;
    }
}
