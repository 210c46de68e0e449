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
import java.util.Optional;

/** The kinds of source that the contract has, and the shape of each as data. */
public enum PipeKind {
    KAFKA("kafka"),
    OBJECT_STORAGE("objectStorage"),
    KINESIS("kinesis"),
    POSTGRES("postgres");

    /** Source kinds of the live service that the contract does not have; asked for by name they get a clear answer. */
    public static final List<String> ELSEWHERE = List.of("pubsub", "mysql", "mongodb", "bigquery");

    private static final NumberRule ONE_OR_MORE = NumberRule.wholeFrom(1);
    private static final PatternRule HTTPS = PatternRule.of("https://.*", "must begin with https://");
    private static final PatternRule TO_THE_MINUTE =
            PatternRule.of("([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2})?", "must be YYYY-MM-DDTHH:MM, in UTC");
    private static final FieldShape CREDENTIALS = object(
                    "credentials",
                    text("username"),
                    text("password"),
                    text("accessKeyId"),
                    text("secretKey"),
                    text("connectionString"),
                    text("certificate"),
                    text("privateKey"))
            .hidden()
            .changeable();
    private static final FieldShape ACCESS_KEY = object(
                    "accessKey", text("accessKeyId").needed(), text("secretKey").needed())
            .hidden()
            .changeable();

    private static final List<FieldShape> KAFKA_SHAPE = List.of(
            word("type", "kafka", "redpanda", "msk", "gcmk", "confluent", "warpstream", "azureeventhub", "dokafka")
                    .orElse("kafka"),
            word("format", "JSONEachRow", "Avro", "AvroConfluent", "Protobuf").orElse("JSONEachRow"),
            text("brokers").needed(),
            text("topics").needed(),
            text("consumerGroup"),
            word("authentication", "PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "IAM_ROLE", "IAM_USER", "MUTUAL_TLS")
                    .changeable(),
            text("iamRole").changeable(),
            CREDENTIALS,
            object(
                    "offset",
                    word("strategy", "from_beginning", "from_latest", "from_timestamp"),
                    form("timestamp", TO_THE_MINUTE)),
            object(
                    "schemaRegistry",
                    form("url", HTTPS).needed(),
                    word("authentication", "PLAIN"),
                    object(
                                    "credentials",
                                    text("username").needed(),
                                    text("password").needed())
                            .hidden(),
                    text("caCertificate")),
            text("caCertificate").changeable(),
            texts("reversePrivateEndpointIds").changeable().orAbsent(),
            flag("exactlyOnce").orAbsent());

    private static final List<FieldShape> OBJECT_STORAGE_SHAPE = List.of(
            word("type", "s3", "gcs", "dospaces", "azureblobstorage", "cloudflarer2", "ovhobjectstorage")
                    .orElse("s3"),
            word(
                            "format",
                            "JSONEachRow",
                            "JSONAsObject",
                            "CSV",
                            "CSVWithNames",
                            "TabSeparated",
                            "TabSeparatedWithNames",
                            "Parquet",
                            "Avro")
                    .orElse("JSONEachRow"),
            text("url"),
            text("delimiter"),
            word("compression", "auto", "none", "gzip", "gz", "brotli", "br", "xz", "LZMA", "zstd"),
            flag("isContinuous"),
            text("queueUrl"),
            flag("skipInitialLoad").changeable().orAbsent(),
            text("startAfter").changeable(),
            word("authentication", "IAM_ROLE", "IAM_USER", "CONNECTION_STRING", "SERVICE_ACCOUNT")
                    .changeable(),
            text("iamRole").changeable(),
            text("connectionString").hidden().changeable(),
            ACCESS_KEY,
            text("serviceAccountKey").hidden().changeable(),
            text("path").changeable(),
            text("azureContainerName").changeable());

    private static final List<FieldShape> KINESIS_SHAPE = List.of(
            word("format", "JSONEachRow", "Avro", "AvroConfluent").orElse("JSONEachRow"),
            text("streamName").needed(),
            text("region").needed(),
            word("iteratorType", "TRIM_HORIZON", "LATEST", "AT_TIMESTAMP").orElse("LATEST"),
            number("timestamp", NumberRule.whole(0, 253_402_300_799.0)),
            flag("useEnhancedFanOut"),
            word("authentication", "IAM_ROLE", "IAM_USER").changeable(),
            text("iamRole").changeable(),
            ACCESS_KEY);

    private static final List<FieldShape> TABLE_MAPPING = List.of(
            text("sourceSchemaName").needed(),
            text("sourceTable").needed(),
            text("targetTable").needed(),
            texts("excludedColumns"),
            flag("useCustomSortingKey"),
            texts("sortingKeys"),
            word("tableEngine", "MergeTree", "ReplacingMergeTree", "Null"),
            text("partitionKey"),
            text("partitionByExpr"));

    private static final List<FieldShape> POSTGRES_SHAPE = List.of(
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
            text("host").needed().changeable(),
            number("port", NumberRule.whole(1, 65_535)).orElse(5432).changeable(),
            text("database").needed().changeable(),
            word("authentication", "basic", "IAM_ROLE").orElse("basic"),
            text("iamRole"),
            object("credentials", text("username").needed(), text("password"))
                    .hidden()
                    .changeable(),
            text("tlsHost").changeable(),
            text("caCertificate").changeable(),
            flag("disableTls").changeable(),
            flag("skipCertVerification").changeable(),
            object(
                            "settings",
                            word("replicationMode", "cdc", "snapshot", "cdc_only")
                                    .orElse("cdc"),
                            number("syncIntervalSeconds", ONE_OR_MORE)
                                    .orElse(60)
                                    .changeable(),
                            number("pullBatchSize", ONE_OR_MORE).orElse(100_000).changeable(),
                            text("publicationName"),
                            text("replicationSlotName"),
                            flag("allowNullableColumns"),
                            number("initialLoadParallelism", ONE_OR_MORE).orElse(4),
                            number("snapshotNumRowsPerPartition", NumberRule.wholeFrom(1000))
                                    .orElse(100_000),
                            number("snapshotNumberOfParallelTables", ONE_OR_MORE)
                                    .orElse(1),
                            flag("enableFailoverSlots"),
                            flag("deleteOnMerge"))
                    .orElse(Tree.Members.NONE),
            objects("tableMappings", TABLE_MAPPING.toArray(FieldShape[]::new)).needed());

    /** The names of a table mapping that is removed. */
    public static final List<FieldShape> REMOVED_TABLE =
            List.of(text("sourceSchemaName").needed(), text("sourceTable").needed(), text("targetTable"));

    private final String member;

    PipeKind(String member) {
        this.member = member;
    }

    /** The member of {@code source} that holds this kind. */
    public String member() {
        return member;
    }

    public List<FieldShape> shape() {
        return switch (this) {
            case KAFKA -> KAFKA_SHAPE;
            case OBJECT_STORAGE -> OBJECT_STORAGE_SHAPE;
            case KINESIS -> KINESIS_SHAPE;
            case POSTGRES -> POSTGRES_SHAPE;
        };
    }

    public static List<FieldShape> tableMappingShape() {
        return TABLE_MAPPING;
    }

    public static Optional<PipeKind> find(String member) {
        for (PipeKind kind : values()) {
            if (kind.member.equals(member)) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }
}
