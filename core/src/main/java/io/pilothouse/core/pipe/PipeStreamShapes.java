package io.pilothouse.core.pipe;

import static io.pilothouse.core.base.FieldShape.flag;
import static io.pilothouse.core.base.FieldShape.form;
import static io.pilothouse.core.base.FieldShape.moment;
import static io.pilothouse.core.base.FieldShape.number;
import static io.pilothouse.core.base.FieldShape.object;
import static io.pilothouse.core.base.FieldShape.text;
import static io.pilothouse.core.base.FieldShape.texts;
import static io.pilothouse.core.base.FieldShape.word;

import io.pilothouse.core.base.FieldShape;
import io.pilothouse.core.base.NumberRule;
import io.pilothouse.core.base.PatternRule;
import io.pilothouse.core.base.TextRule;
import java.util.List;

/** The shapes of the sources that are read as records or files. */
final class PipeStreamShapes {
    /** How Google's services know who reads. */
    static final String SERVICE_ACCOUNT = "SERVICE_ACCOUNT";

    private static final PatternRule HTTPS = PatternRule.of("https://.*", "must begin with https://");
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

    static final List<FieldShape> KAFKA = List.of(
            word("type", "kafka", "redpanda", "msk", "gcmk", "confluent", "warpstream", "azureeventhub", "dokafka")
                    .orElse("kafka"),
            word("format", "JSONEachRow", "Avro", "AvroConfluent", "Protobuf", "CSV")
                    .orElse("JSONEachRow"),
            text("brokers").needed(),
            text("topics").needed(),
            text("region"),
            text("consumerGroup"),
            word("authentication", "PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "IAM_ROLE", "IAM_USER", "MUTUAL_TLS")
                    .changeable(),
            text("iamRole").changeable(),
            CREDENTIALS,
            object(
                    "offset",
                    word("strategy", "from_beginning", "from_latest", "from_timestamp"),
                    form("timestamp", FieldShape.MINUTE)),
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

    static final List<FieldShape> OBJECT_STORAGE = List.of(
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

    static final List<FieldShape> KINESIS = List.of(
            word("format", "JSONEachRow", "Avro", "AvroConfluent").orElse("JSONEachRow"),
            text("streamName").needed(),
            text("region").needed(),
            word("iteratorType", "TRIM_HORIZON", "LATEST", "AT_TIMESTAMP").orElse("LATEST"),
            moment("timestamp", NumberRule.whole(0, 253_402_300_799.0)),
            flag("useEnhancedFanOut"),
            word("authentication", "IAM_ROLE", "IAM_USER").changeable(),
            text("iamRole").changeable(),
            ACCESS_KEY);

    private static final PatternRule MOMENT = PatternRule.of(
            "([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2}))?",
            "must be a moment of RFC 3339, such as 2026-04-10T12:00:00Z");

    static final List<FieldShape> PUBSUB = List.of(
            word("format", "JSONEachRow", "Avro", "Protobuf").orElse("JSONEachRow"),
            text("projectId").needed(),
            text("topic").needed(),
            word("authentication", SERVICE_ACCOUNT).orElse(SERVICE_ACCOUNT).changeable(),
            object("serviceAccountKey", text("serviceAccountFile").needed())
                    .needed()
                    .hidden()
                    .changeable(),
            word("seekType", "latest", "earliest", "timestamp").orElse("latest"),
            form("seekTimestamp", MOMENT),
            text("filter", TextRule.any(256)),
            flag("enableOrdering").orAbsent(),
            number("ackDeadline", NumberRule.whole(10, 600)).changeable());

    private PipeStreamShapes() {}
}
