package io.pilothouse.core.pipe;

import static io.pilothouse.core.base.Trees.with;
import static io.pilothouse.core.base.Trees.without;
import static io.pilothouse.core.pipe.GivenPipe.BIGQUERY;
import static io.pilothouse.core.pipe.GivenPipe.COLLECTION;
import static io.pilothouse.core.pipe.GivenPipe.MAPPING;
import static io.pilothouse.core.pipe.GivenPipe.MONGODB;
import static io.pilothouse.core.pipe.GivenPipe.MYSQL;
import static io.pilothouse.core.pipe.GivenPipe.POSTGRES;
import static io.pilothouse.core.pipe.PipeSourceRow.bad;
import static io.pilothouse.core.pipe.PipeSourceRow.fine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every field of the sources that are databases, and the rules that tie them together. */
class PipeDatabaseSourceTest {
    private static final Map<String, Object> LOGIN = Map.of("username", "u", "password", "p");

    @TestFactory
    Stream<DynamicTest> everyRuleOfADatabaseHolds() {
        List<PipeSourceRow> rows = new ArrayList<>();
        postgres(rows);
        mysql(rows);
        mongodb(rows);
        bigquery(rows);
        return rows.stream().map(PipeSourceRow::test);
    }

    private static void postgres(List<PipeSourceRow> rows) {
        fine(rows, "postgres", "is enough", POSTGRES);
        bad(rows, "postgres", "host", without(POSTGRES, "host"));
        bad(rows, "postgres", "port", with(POSTGRES, "port", 65_536));
        bad(rows, "postgres", "credentials", without(POSTGRES, "credentials"));
        bad(rows, "postgres", "iamRole", with(POSTGRES, "authentication", "IAM_ROLE"));
        bad(rows, "postgres", "iamRole", with(with(POSTGRES, "iamRole", "arn:r"), "authentication", "basic"));
        fine(
                rows,
                "postgres",
                "a role",
                with(with(POSTGRES, "iamRole", "arn:r"), "credentials", Map.of("username", "u")));
        for (String one : List.of(
                "syncIntervalSeconds", "pullBatchSize", "initialLoadParallelism", "snapshotNumberOfParallelTables")) {
            bad(rows, "postgres", "settings." + one, with(POSTGRES, "settings", Map.of(one, 0)));
            fine(rows, "postgres", one + " of 1", with(POSTGRES, "settings", Map.of(one, 1)));
        }
        bad(
                rows,
                "postgres",
                "settings.snapshotNumRowsPerPartition",
                with(POSTGRES, "settings", Map.of("snapshotNumRowsPerPartition", 999)));
        bad(
                rows,
                "postgres",
                "settings.replicationSlotName",
                with(POSTGRES, "settings", Map.of("replicationSlotName", "s")));
        bad(
                rows,
                "postgres",
                "settings.enableFailoverSlots",
                with(
                        POSTGRES,
                        "settings",
                        Map.of(
                                "replicationMode",
                                "cdc_only",
                                "replicationSlotName",
                                "s",
                                "enableFailoverSlots",
                                true)));
        fine(rows, "postgres", "failover slots", with(POSTGRES, "settings", Map.of("enableFailoverSlots", true)));
        bad(rows, "postgres", "tableMappings", with(POSTGRES, "tableMappings", List.of()));
        bad(rows, "postgres", "tableMappings[0]", with(POSTGRES, "tableMappings", List.of("t")));
        bad(
                rows,
                "postgres",
                "tableMappings[1].targetTable",
                with(POSTGRES, "tableMappings", List.of(MAPPING, MAPPING)));
        bad(
                rows,
                "postgres",
                "tableMappings[0].excludedColumns",
                with(POSTGRES, "tableMappings", List.of(with(MAPPING, "excludedColumns", List.of("a", "a")))));
        bad(
                rows,
                "postgres",
                "tableMappings[0].sortingKeys",
                with(POSTGRES, "tableMappings", List.of(with(MAPPING, "sortingKeys", List.of("a")))));
        bad(
                rows,
                "postgres",
                "tableMappings[0].sortingKeys",
                with(POSTGRES, "tableMappings", List.of(with(MAPPING, "useCustomSortingKey", true))));
    }

    private static void mysql(List<PipeSourceRow> rows) {
        Map<String, Object> positions = with(MYSQL, "settings", Map.of("replicationMechanism", "FILE_POS"));
        fine(rows, "mysql", "is enough", MYSQL);
        fine(rows, "mysql", "positions", positions);
        fine(rows, "mysql", "MariaDB", with(MYSQL, "type", "mariadb"));
        bad(rows, "mysql", "settings.replicationMechanism", with(positions, "type", "mariadb"));
        bad(rows, "mysql", "settings.replicationMechanism", with(positions, "type", "rdsmariadb"));
        bad(rows, "mysql", "host", without(MYSQL, "host"));
        bad(rows, "mysql", "serverId", with(MYSQL, "serverId", 4_294_967_296L));
        fine(rows, "mysql", "a server id", with(MYSQL, "serverId", 4_294_967_295L));
        bad(rows, "mysql", "credentials", without(MYSQL, "credentials"));
        bad(rows, "mysql", "iamRole", with(MYSQL, "authentication", "IAM_ROLE"));
        fine(rows, "mysql", "a role", with(with(MYSQL, "iamRole", "arn:r"), "credentials", Map.of("username", "u")));
        bad(rows, "mysql", "caCertificate", with(MYSQL, "caCertificate", "no pem"));
        bad(rows, "mysql", "settings.pullBatchSize", with(MYSQL, "settings", Map.of("pullBatchSize", 0)));
        bad(rows, "mysql", "tableMappings[1].targetTable", with(MYSQL, "tableMappings", List.of(MAPPING, MAPPING)));
    }

    private static void mongodb(List<PipeSourceRow> rows) {
        fine(rows, "mongodb", "is enough", MONGODB);
        fine(rows, "mongodb", "a login", with(MONGODB, "credentials", LOGIN));
        bad(rows, "mongodb", "credentials.password", with(MONGODB, "credentials", Map.of("username", "u")));
        bad(rows, "mongodb", "uri", without(MONGODB, "uri"));
        bad(rows, "mongodb", "uri", with(MONGODB, "uri", "postgres://host"));
        bad(rows, "mongodb", "uri", with(MONGODB, "uri", "mongodb://user:secret@host/shop"));
        bad(rows, "mongodb", "uri", with(MONGODB, "uri", "mongodb://h/?authMechanismProperties=AWS_SESSION_TOKEN:s"));
        bad(rows, "mongodb", "uri", with(MONGODB, "uri", "mongodb://h/?tlsCertificateKeyFilePassword=s"));
        fine(rows, "mongodb", "an option", with(MONGODB, "uri", "mongodb://h/password?replicaSet=rs0"));
        bad(rows, "mongodb", "readPreference", without(MONGODB, "readPreference"));
        bad(rows, "mongodb", "readPreference", with(MONGODB, "readPreference", "any"));
        bad(rows, "mongodb", "caCertificate", with(MONGODB, "caCertificate", "no pem"));
        bad(rows, "mongodb", "tableMappings", without(MONGODB, "tableMappings"));
        bad(
                rows,
                "mongodb",
                "tableMappings[0].sourceCollection",
                with(MONGODB, "tableMappings", List.of(without(COLLECTION, "sourceCollection"))));
    }

    private static void bigquery(List<PipeSourceRow> rows) {
        fine(rows, "bigquery", "is enough", BIGQUERY);
        bad(rows, "bigquery", "snapshotStagingPath", without(BIGQUERY, "snapshotStagingPath"));
        bad(rows, "bigquery", "snapshotStagingPath", with(BIGQUERY, "snapshotStagingPath", "s3://bucket"));
        bad(rows, "bigquery", "credentials", without(BIGQUERY, "credentials"));
        bad(rows, "bigquery", "credentials.serviceAccountFile", with(BIGQUERY, "credentials", LOGIN));
        bad(rows, "bigquery", "settings.replicationMode", with(BIGQUERY, "settings", Map.of("replicationMode", "cdc")));
        bad(rows, "bigquery", "tableMappings[0].sourceDatasetName", with(BIGQUERY, "tableMappings", List.of(MAPPING)));
    }
}
