package io.pilothouse.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.alert.Alert;
import io.pilothouse.core.alert.AlertEvaluation;
import io.pilothouse.core.alert.Delivery;
import io.pilothouse.core.backup.Backup;
import io.pilothouse.core.key.AlertsToken;
import io.pilothouse.core.key.ApiKey;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.webhook.Webhook;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** No statement looks at more rows than it must: each is led by an index, and none sorts. */
class SqlitePlansTest {
    private static final List<DocumentStatements<?>> DOCUMENTS = List.of(
            DocumentStatements.of(Organization.KIND),
            DocumentStatements.of(Service.KIND),
            DocumentStatements.of(ApiKey.KIND),
            DocumentStatements.of(AlertsToken.KIND),
            DocumentStatements.of(Activity.KIND));

    @TempDir
    private Path folder;

    static Stream<Arguments> statementsOfDocuments() {
        return DOCUMENTS.stream().flatMap(kind -> {
            String table = kind.rows.kind().table();
            String byId = "SEARCH " + table + " USING INDEX sqlite_autoindex_" + table + "_1 (id=?)";
            String byOwner = "SEARCH " + table + " USING INDEX " + table + "_by_owner (owner_id=? AND (created_at,id)";
            return Stream.of(
                    Arguments.of(kind.find, byId),
                    Arguments.of(kind.replace, byId),
                    Arguments.of(kind.delete, byId),
                    Arguments.of(
                            kind.listByReference,
                            "SEARCH " + table + " USING INDEX " + table + "_by_reference (reference=?)"),
                    Arguments.of(
                            kind.newestByReference,
                            "SEARCH " + table + " USING INDEX " + table + "_by_reference (reference=?)"),
                    Arguments.of(kind.page, byOwner + ">(?,?))"),
                    Arguments.of(kind.pageBackwards, byOwner + "<(?,?))"),
                    Arguments.of(
                            kind.count,
                            "SEARCH " + table + " USING COVERING INDEX " + table + "_by_owner (owner_id=?)"));
        });
    }

    static Stream<Arguments> statementsOfAlerts() {
        return Stream.of(
                Arguments.of(
                        DocumentStatements.of(Service.KIND).countByLabel,
                        "SEARCH services USING COVERING INDEX services_by_label (label=?)"),
                Arguments.of(
                        DocumentStatements.of(Service.KIND).listByLabel,
                        "SEARCH services USING INDEX services_by_label (label=?)"),
                Arguments.of(
                        DocumentStatements.of(Pipe.KIND).countByLabel,
                        "SEARCH pipes USING COVERING INDEX pipes_by_label (label=?)"),
                Arguments.of(
                        DocumentStatements.of(Backup.KIND).newestByLabel,
                        "SEARCH backups USING INDEX backups_by_label (label=?)"),
                Arguments.of(
                        DocumentStatements.of(Organization.KIND).all,
                        "SEARCH organizations USING INDEX sqlite_autoindex_organizations_1 (id>?)"),
                Arguments.of(
                        DocumentStatements.of(Alert.KIND).page,
                        "SEARCH alerts USING INDEX alerts_by_owner (owner_id=? AND (created_at,id)>(?,?))"),
                Arguments.of(
                        DocumentStatements.of(AlertEvaluation.KIND).pageBackwards,
                        "SEARCH alert_evaluations USING INDEX alert_evaluations_by_owner"
                                + " (owner_id=? AND (created_at,id)<(?,?))"),
                Arguments.of(
                        DocumentStatements.of(Webhook.KIND).listByReference,
                        "SEARCH webhooks USING INDEX webhooks_by_reference (reference=?)"),
                Arguments.of(
                        DocumentStatements.of(Delivery.KIND).listByReference,
                        "SEARCH deliveries USING INDEX deliveries_by_reference (reference=?)"),
                Arguments.of(
                        MetricPointTable.LIST,
                        "SEARCH metric_points USING INDEX sqlite_autoindex_metric_points_1"
                                + " (organization_id=? AND series=? AND minute>? AND minute<?)"));
    }

    static Stream<Arguments> statementsOfTasks() {
        String due = "SEARCH tasks USING INDEX tasks_by_host (host=? AND urgency=? AND ready_at<?)";
        String one = "SEARCH tasks USING INDEX sqlite_autoindex_tasks_1 (kind=? AND subject_id=?)";
        return Stream.of(
                Arguments.of(TaskTable.DUE, due),
                Arguments.of(TaskTable.LEASE, one),
                Arguments.of(TaskTable.EXTEND, one),
                Arguments.of(TaskTable.END_LEASES, due.replace("ready_at<?", "ready_at>? AND ready_at<?")),
                Arguments.of(TaskTable.BEGIN_AGAIN, "SEARCH tasks USING INDEX tasks_unsettled (unsettled_since>?)"),
                Arguments.of(TaskTable.BRING_FORWARD, due.replace("ready_at<?", "ready_at>?")),
                Arguments.of(
                        TaskTable.LATEST_UNSETTLED,
                        "SEARCH tasks USING COVERING INDEX tasks_unsettled (unsettled_since>?)"),
                Arguments.of(TaskTable.RELEASE, one),
                Arguments.of(TaskTable.RELEASE_SETTLED, one),
                Arguments.of(TaskTable.FINISH, one),
                Arguments.of(TaskTable.FIND, one),
                Arguments.of(TaskTable.HOST, one),
                Arguments.of(TaskTable.PLACE, one),
                Arguments.of(TaskTable.DISPLACE, "SEARCH tasks USING INDEX tasks_by_host (host>?)"),
                Arguments.of(TaskTable.NEXT, "SEARCH tasks USING COVERING INDEX tasks_by_host (host=? AND urgency=?)"),
                Arguments.of(TaskTable.COUNT_DUE, due.replace("INDEX", "COVERING INDEX")),
                Arguments.of(
                        TaskTable.COUNT_UNSETTLED,
                        "SEARCH tasks USING COVERING INDEX tasks_unsettled (unsettled_since>?)"));
    }

    static Stream<Arguments> statementsOfKeepings() {
        String one = "SEARCH keepings USING INDEX sqlite_autoindex_keepings_1 (key_id=? AND idempotency_key=?)";
        return Stream.of(Arguments.of(KeepingTable.FIND, one), Arguments.of(KeepingTable.FORGET_ONE, one));
    }

    @ParameterizedTest
    @MethodSource({"statementsOfDocuments", "statementsOfAlerts", "statementsOfTasks", "statementsOfKeepings"})
    void statementIsLedByItsIndex(String statement, String plan) {
        assertThat(plan(statement)).containsExactly(plan);
    }

    @Test
    void forgettingStartsAtTheOldest() {
        assertThat(plan(KeepingTable.FORGET))
                .contains("SEARCH keepings USING INDEX keepings_by_age (kept_at<?)")
                .noneMatch(step -> step.startsWith("SCAN") || step.contains("TEMP B-TREE"));
    }

    @Test
    void forgettingCountsStartsAtTheOldest() {
        assertThat(plan(MetricPointTable.FORGET))
                .contains("SEARCH metric_points USING INDEX metric_points_by_age (minute<?)")
                .noneMatch(step -> step.startsWith("SCAN") || step.contains("TEMP B-TREE"));
    }

    private List<String> plan(String statement) {
        Object[] values =
                new Object[(int) statement.chars().filter(c -> c == '?').count()];
        Arrays.fill(values, 0);
        try (SqliteStore store = SqliteStore.open(folder, Threads.PLATFORM, StoreMetrics.NONE)) {
            return store.read(tables -> ((Transaction) tables)
                    .list("EXPLAIN QUERY PLAN " + statement, row -> row.getString("detail"), values));
        }
    }
}
