package io.pilothouse.core.pipe;

import static io.pilothouse.core.base.FieldShape.flag;
import static io.pilothouse.core.base.FieldShape.form;
import static io.pilothouse.core.base.FieldShape.number;
import static io.pilothouse.core.base.FieldShape.object;
import static io.pilothouse.core.base.FieldShape.objects;
import static io.pilothouse.core.base.FieldShape.text;
import static io.pilothouse.core.base.FieldShape.texts;
import static io.pilothouse.core.base.FieldShape.word;

import io.pilothouse.core.base.FieldShape;
import io.pilothouse.core.base.NumberRule;
import io.pilothouse.core.base.PatternRule;
import io.pilothouse.core.base.Tree;
import java.util.List;

/** The shapes of the sources that are databases: each has settings, and tables that are mapped to tables. */
final class PipeDatabaseShapes {
    private static final NumberRule ONE_OR_MORE = NumberRule.wholeFrom(1);
    private static final PatternRule BUCKET = PatternRule.of("gs://.+", "must begin with gs://");
    /** Everyone who may read a pipe sees its URI. */
    private static final PatternRule URI_WITHOUT_LOGIN = PatternRule.of(
            "mongodb(\\+srv)?://[^@\\s]+",
            "must begin with mongodb:// or mongodb+srv://, and the login belongs into credentials");

    private static final FieldShape TARGET_TABLE = text("targetTable").needed();
    private static final FieldShape TABLE_ENGINE = word("tableEngine", "MergeTree", "ReplacingMergeTree", "Null");
    private static final FieldShape REPLICATION_MODE =
            word("replicationMode", "cdc", "snapshot", "cdc_only").orElse("cdc");
    private static final FieldShape SYNC_INTERVAL =
            number("syncIntervalSeconds", ONE_OR_MORE).orElse(60).changeable();
    private static final FieldShape PULL_BATCH =
            number("pullBatchSize", ONE_OR_MORE).orElse(100_000).changeable();
    private static final FieldShape NULLABLE_COLUMNS = flag("allowNullableColumns");
    private static final FieldShape LOAD_PARALLELISM =
            number("initialLoadParallelism", ONE_OR_MORE).orElse(4);
    private static final FieldShape ROWS_PER_PARTITION =
            number("snapshotNumRowsPerPartition", NumberRule.wholeFrom(1000)).orElse(100_000);
    private static final FieldShape PARALLEL_TABLES =
            number("snapshotNumberOfParallelTables", ONE_OR_MORE).orElse(1);
    private static final FieldShape DELETE_ON_MERGE = flag("deleteOnMerge");

    private static final FieldShape HOST = text("host").needed().changeable();
    private static final FieldShape AUTHENTICATION =
            word("authentication", "basic", "IAM_ROLE").orElse("basic");
    private static final FieldShape IAM_ROLE = text("iamRole");
    /** A role needs no password. */
    private static final FieldShape LOGIN = object(
                    "credentials", text("username").needed(), text("password"))
            .hidden()
            .changeable();

    private static final FieldShape TLS_HOST = text("tlsHost").changeable();
    private static final FieldShape CA_CERTIFICATE = text("caCertificate").changeable();
    private static final FieldShape DISABLE_TLS = flag("disableTls").changeable();
    private static final FieldShape SKIP_VERIFICATION =
            flag("skipCertVerification").changeable();

    static final List<FieldShape> POSTGRES = List.of(
            word(
                            "type",
                            "postgres",
                            "supabase",
                            "neon",
                            "alloydb",
                            "planetscale",
                            "rdspostgres",
                            "aurorapostgres",
                            "cloudsqlpostgres",
                            "azurepostgres",
                            "crunchybridge",
                            "tigerdata")
                    .orElse("postgres"),
            HOST,
            port(5432),
            text("database").needed().changeable(),
            AUTHENTICATION,
            IAM_ROLE,
            LOGIN,
            TLS_HOST,
            CA_CERTIFICATE,
            DISABLE_TLS,
            SKIP_VERIFICATION,
            settings(
                    REPLICATION_MODE,
                    SYNC_INTERVAL,
                    PULL_BATCH,
                    text("publicationName"),
                    text("replicationSlotName"),
                    NULLABLE_COLUMNS,
                    LOAD_PARALLELISM,
                    ROWS_PER_PARTITION,
                    PARALLEL_TABLES,
                    flag("enableFailoverSlots"),
                    DELETE_ON_MERGE),
            tables(
                    text("sourceSchemaName").needed(),
                    text("sourceTable").needed(),
                    TARGET_TABLE,
                    texts("excludedColumns"),
                    flag("useCustomSortingKey"),
                    texts("sortingKeys"),
                    TABLE_ENGINE,
                    text("partitionKey"),
                    text("partitionByExpr")));

    static final List<FieldShape> MYSQL = List.of(
            word("type", "mysql", "rdsmysql", "auroramysql", "planetscalevitess", "mariadb", "rdsmariadb")
                    .orElse("mysql"),
            HOST,
            port(3306),
            AUTHENTICATION.changeable(),
            IAM_ROLE.changeable(),
            LOGIN,
            TLS_HOST,
            CA_CERTIFICATE,
            DISABLE_TLS,
            SKIP_VERIFICATION,
            number("serverId", NumberRule.whole(1, 4_294_967_295.0)).changeable(),
            settings(
                    REPLICATION_MODE,
                    word("replicationMechanism", "GTID", "FILE_POS").orElse("GTID"),
                    SYNC_INTERVAL,
                    PULL_BATCH,
                    flag("useCompression").changeable(),
                    NULLABLE_COLUMNS,
                    LOAD_PARALLELISM,
                    ROWS_PER_PARTITION,
                    PARALLEL_TABLES,
                    DELETE_ON_MERGE),
            tables(
                    text("sourceSchemaName").needed(),
                    text("sourceTable").needed(),
                    TARGET_TABLE,
                    texts("excludedColumns"),
                    flag("useCustomSortingKey"),
                    texts("sortingKeys"),
                    TABLE_ENGINE,
                    text("partitionKey")));

    static final List<FieldShape> MONGODB = List.of(
            form("uri", URI_WITHOUT_LOGIN).needed().changeable(),
            word("readPreference", "primary", "primaryPreferred", "secondary", "secondaryPreferred", "nearest")
                    .needed()
                    .changeable(),
            object("credentials", text("username").needed(), text("password").needed())
                    .hidden()
                    .changeable(),
            TLS_HOST,
            CA_CERTIFICATE,
            DISABLE_TLS,
            SKIP_VERIFICATION,
            settings(
                    REPLICATION_MODE,
                    SYNC_INTERVAL,
                    PULL_BATCH,
                    ROWS_PER_PARTITION,
                    PARALLEL_TABLES,
                    DELETE_ON_MERGE,
                    flag("useJsonNativeFormat").orElse(new Tree.Flag(true))),
            tables(text("sourceDatabaseName").needed(), text("sourceCollection").needed(), TARGET_TABLE, TABLE_ENGINE));

    /** Nothing of it can be changed: it is read once. */
    static final List<FieldShape> BIGQUERY = List.of(
            form("snapshotStagingPath", BUCKET).needed(),
            object("credentials", text("serviceAccountFile").needed()).needed().hidden(),
            settings(
                    word("replicationMode", "snapshot").orElse("snapshot"),
                    NULLABLE_COLUMNS,
                    LOAD_PARALLELISM,
                    ROWS_PER_PARTITION,
                    PARALLEL_TABLES),
            tables(
                    text("sourceDatasetName").needed(),
                    text("sourceTable").needed(),
                    TARGET_TABLE,
                    texts("excludedColumns"),
                    flag("useCustomSortingKey"),
                    texts("sortingKeys"),
                    TABLE_ENGINE));

    private PipeDatabaseShapes() {}

    private static FieldShape port(int usual) {
        return number("port", NumberRule.whole(1, 65_535)).orElse(usual).changeable();
    }

    private static FieldShape settings(FieldShape... fields) {
        return object("settings", fields).orElse(Tree.Members.NONE);
    }

    private static FieldShape tables(FieldShape... fields) {
        return objects("tableMappings", fields).needed();
    }
}
