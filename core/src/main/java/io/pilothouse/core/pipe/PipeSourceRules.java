package io.pilothouse.core.pipe;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.FieldShape;
import io.pilothouse.core.base.ShapeCheck;
import io.pilothouse.core.base.Tree;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rules that tie the fields of a source together, kind by kind; pure, over what {@link ShapeCheck} has read. */
public final class PipeSourceRules {
    private static final List<String> NO_AUTHENTICATION_TYPES = List.of("kafka", "redpanda", "warpstream");
    private static final Map<String, List<String>> KAFKA_AUTHENTICATION = Map.of(
            "kafka", List.of("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "IAM_ROLE", "MUTUAL_TLS"),
            "msk", List.of("SCRAM-SHA-512", "IAM_ROLE", "IAM_USER", "MUTUAL_TLS"),
            "confluent", List.of("PLAIN", "MUTUAL_TLS"),
            "gcmk", List.of("PLAIN", "MUTUAL_TLS"),
            "warpstream", List.of("PLAIN"),
            "azureeventhub", List.of("PLAIN"),
            "redpanda", List.of("SCRAM-SHA-256", "SCRAM-SHA-512", "MUTUAL_TLS"),
            "dokafka", List.of("SCRAM-SHA-256", "MUTUAL_TLS"));
    private static final Map<String, List<String>> STORAGE_AUTHENTICATION = Map.of(
            "s3", List.of("IAM_ROLE", "IAM_USER"),
            "gcs", List.of("IAM_USER", "SERVICE_ACCOUNT"),
            "dospaces", List.of("IAM_USER"),
            "cloudflarer2", List.of("IAM_USER"),
            "ovhobjectstorage", List.of("IAM_USER"),
            "azureblobstorage", List.of("CONNECTION_STRING"));
    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm", Locale.ROOT).withResolverStyle(ResolverStyle.STRICT);
    private static final List<String> MARIADB = List.of("mariadb", "rdsmariadb");
    private static final Pattern COMMA = Pattern.compile(",");
    private static final Pattern SECRET_OPTION = Pattern.compile("(?i)password|token");
    private static final Pattern QUEUE = Pattern.compile("https?://.+");
    private static final Pattern SUBSCRIPTION = Pattern.compile("projects/[^/\\s]+/subscriptions/[^/\\s]+");

    /** The places of an address: what lies between its scheme and its path. */
    private static final Pattern PLACES = Pattern.compile("\\s*(?:[\\w+.-]+://)?([^/?#]*)");

    private static final Pattern PORT = Pattern.compile(".*:(\\d+)\\s*");
    private static final Pattern VALID_PORT =
            Pattern.compile("0*(\\d{1,4}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])");

    private final Tree.Members open;
    private final String path;
    private final PipeSecretRules secrets;
    private final Faults faults;

    public PipeSourceRules(PipeKind kind, Tree.Members open, Tree.Members secret, Faults faults) {
        this.open = open;
        this.path = "source." + kind.member();
        this.secrets = new PipeSecretRules(open, secret, faults);
        this.faults = faults;
    }

    public void check(PipeKind kind) {
        Runnable check = switch (kind) {
            case KAFKA -> this::kafka;
            case OBJECT_STORAGE -> this::objectStorage;
            case KINESIS -> this::kinesis;
            case PUBSUB -> this::pubsub;
            case POSTGRES -> this::postgres;
            case MYSQL -> this::mysql;
            case MONGODB -> this::mongodb;
            case BIGQUERY -> this::tables;
        };
        check.run();
    }

    private void kafka() {
        String type = text("type");
        String authentication = text("authentication");
        if (authentication.isEmpty()) {
            if (!NO_AUTHENTICATION_TYPES.contains(type)) {
                fault("authentication", "is required for " + type);
            }
            secrets.requireCredentials(path, List.of());
        } else {
            requireOffered(KAFKA_AUTHENTICATION, type, authentication);
            secrets.requireCredentials(path, kafkaCredentials(type, authentication));
        }
        if (authentication.equals("IAM_ROLE") != open.has("iamRole")) {
            fault("iamRole", open.has("iamRole") ? "belongs to IAM_ROLE only" : "is required by IAM_ROLE");
        }
        requireCertificate("caCertificate");
        COMMA.splitAsStream(text("brokers")).forEach(broker -> requirePorts("brokers", broker));
        open.members("schemaRegistry")
                .flatMap(registry -> registry.text("url"))
                .ifPresent(url -> requirePorts("schemaRegistry.url", url));
        open.members("offset").ifPresent(this::offset);
        if (text("format").equals("AvroConfluent") && !open.has("schemaRegistry")) {
            fault("schemaRegistry", "is required by AvroConfluent");
        }
        requireUuids("reversePrivateEndpointIds");
    }

    private List<String> kafkaCredentials(String type, String authentication) {
        return switch (authentication) {
            case "IAM_ROLE" -> List.of();
            case "IAM_USER" -> List.of("accessKeyId", "secretKey");
            case "MUTUAL_TLS" -> List.of("certificate", "privateKey");
            // Event Hubs puts its whole credential into one text.
            case "PLAIN" ->
                type.equals("azureeventhub") ? List.of("connectionString") : List.of("username", "password");
            default -> List.of("username", "password");
        };
    }

    private void offset(Tree.Members offset) {
        boolean byTime = offset.text("strategy").orElse("").equals("from_timestamp");
        String timestamp = offset.text("timestamp").orElse("");
        if (byTime == timestamp.isEmpty()) {
            fault("offset.timestamp", byTime ? "is required by from_timestamp" : "belongs to from_timestamp only");
        } else if (byTime) {
            requireMinute("offset.timestamp", timestamp);
        }
    }

    /** Its form was checked; whether the calendar has it was not. */
    private void requireMinute(String name, String timestamp) {
        try {
            LocalDateTime.parse(timestamp, MINUTE);
        } catch (DateTimeParseException notATime) {
            fault(name, FieldShape.MINUTE.message());
        }
    }

    private void objectStorage() {
        String type = text("type");
        boolean azure = type.equals("azureblobstorage");
        for (String name : List.of("path", "azureContainerName")) {
            requireIf(azure, name, "azureblobstorage");
        }
        requireIf(!azure, "url", "every type but azureblobstorage");
        requirePorts("url", text("url"));
        requirePorts("queueUrl", text("queueUrl"));
        String authentication = text("authentication");
        if (!authentication.isEmpty()) {
            requireOffered(STORAGE_AUTHENTICATION, type, authentication);
        } else if (azure) {
            fault("authentication", "must be CONNECTION_STRING for azureblobstorage");
        }
        secrets.requireExactly(
                path,
                switch (authentication) {
                    case "IAM_ROLE" -> List.of("iamRole");
                    case "IAM_USER" -> List.of("accessKey");
                    case "CONNECTION_STRING" -> List.of("connectionString");
                    case "SERVICE_ACCOUNT" -> List.of("serviceAccountKey");
                    default -> List.of();
                },
                List.of("iamRole", "accessKey", "connectionString", "serviceAccountKey"));
        queue(type, authentication);
    }

    private void queue(String type, String authentication) {
        if (open.has("queueUrl")) {
            requireQueueOf(type, text("queueUrl"));
            if (!open.flag("isContinuous")) {
                fault("queueUrl", "belongs to a continuous pipe (isContinuous true)");
            }
            if (authentication.isEmpty()) {
                fault("queueUrl", "needs a source with authentication");
            }
        }
        if (open.flag("skipInitialLoad")) {
            if (!open.has("queueUrl")) {
                fault("skipInitialLoad", "needs queueUrl");
            }
            if (open.has("startAfter")) {
                fault("startAfter", "and skipInitialLoad exclude each other");
            }
        }
    }

    private void requireQueueOf(String type, String queueUrl) {
        if (type.equals("s3") && !QUEUE.matcher(queueUrl).matches()) {
            fault("queueUrl", "must be the URL of an SQS queue");
        } else if (type.equals("gcs") && !SUBSCRIPTION.matcher(queueUrl).matches()) {
            fault("queueUrl", "must be projects/…/subscriptions/…");
        } else if (!type.equals("s3") && !type.equals("gcs") && !faults.has(path + ".type")) {
            fault("queueUrl", "belongs to s3 and gcs only");
        }
    }

    private void kinesis() {
        boolean byTime = text("iteratorType").equals("AT_TIMESTAMP");
        if (byTime != open.has("timestamp")) {
            fault("timestamp", byTime ? "is required by AT_TIMESTAMP" : "belongs to AT_TIMESTAMP only");
        }
        open.text("timestamp").ifPresent(timestamp -> requireMinute("timestamp", timestamp));
        secrets.requireExactly(
                path,
                switch (text("authentication")) {
                    case "IAM_ROLE" -> List.of("iamRole");
                    case "IAM_USER" -> List.of("accessKey");
                    default -> List.of();
                },
                List.of("iamRole", "accessKey"));
    }

    private void pubsub() {
        boolean byTime = text("seekType").equals("timestamp");
        if (byTime != open.has("seekTimestamp")) {
            fault("seekTimestamp", byTime ? "is required by timestamp" : "belongs to the seekType timestamp only");
        }
        open.text("seekTimestamp").ifPresent(timestamp -> {
            try {
                OffsetDateTime.parse(timestamp);
            } catch (DateTimeParseException notAMoment) {
                fault("seekTimestamp", "is no moment of the calendar");
            }
        });
    }

    private void postgres() {
        login();
        open.members("settings").ifPresent(this::postgresSettings);
        tables();
    }

    private void mysql() {
        login();
        boolean positions = open.members("settings")
                .flatMap(settings -> settings.text("replicationMechanism"))
                .orElse("")
                .equals("FILE_POS");
        if (positions && MARIADB.contains(text("type"))) {
            fault("settings.replicationMechanism", "must be GTID for " + text("type"));
        }
        tables();
    }

    private void mongodb() {
        String uri = text("uri");
        requirePorts("uri", uri);
        int options = uri.indexOf('?');
        if (options >= 0 && SECRET_OPTION.matcher(uri.substring(options)).find()) {
            fault("uri", "has an option that holds a secret, and a URI is shown to everyone who may read the pipe");
        }
        requireCertificate("caCertificate");
        tables();
    }

    private void login() {
        boolean byRole = text("authentication").equals("IAM_ROLE");
        if (byRole != open.has("iamRole")) {
            fault("iamRole", byRole ? "is required by IAM_ROLE" : "belongs to IAM_ROLE only");
        }
        secrets.requireCredentials(path, byRole ? List.of("username") : List.of("username", "password"));
        requireCertificate("caCertificate");
    }

    private void tables() {
        checkMappings(path + ".tableMappings", open.objects("tableMappings"), faults);
    }

    private void postgresSettings(Tree.Members settings) {
        boolean changesOnly = settings.text("replicationMode").orElse("").equals("cdc_only");
        if (settings.has("replicationSlotName") && !changesOnly) {
            fault("settings.replicationSlotName", "belongs to the replication mode cdc_only");
        }
        if (settings.flag("enableFailoverSlots") && settings.has("replicationSlotName")) {
            fault("settings.enableFailoverSlots", "needs a slot that the pipe makes itself");
        }
    }

    /** The rules inside and between table mappings. */
    private static void checkMappings(String path, List<Tree.Members> mappings, Faults faults) {
        Set<String> targets = new HashSet<>();
        for (int i = 0; i < mappings.size(); i++) {
            Tree.Members mapping = mappings.get(i);
            String at = path + "[" + i + "]";
            if (!targets.add(mapping.text("targetTable").orElse(at))) {
                faults.add(at + ".targetTable", "is named twice");
            }
            requireUnique(at + ".excludedColumns", mapping.items("excludedColumns"), faults);
            requireUnique(at + ".sortingKeys", mapping.items("sortingKeys"), faults);
            boolean keys = !mapping.items("sortingKeys").isEmpty();
            if (mapping.flag("useCustomSortingKey") != keys) {
                faults.add(
                        at + ".sortingKeys", keys ? "needs useCustomSortingKey" : "is required by useCustomSortingKey");
            }
        }
    }

    private static void requireUnique(String path, List<Tree> items, Faults faults) {
        if (new HashSet<>(items).size() < items.size()) {
            faults.add(path, "names something twice");
        }
    }

    /** A port that there is not would be found only when the pipe first connects. */
    private void requirePorts(String name, String address) {
        Matcher places = PLACES.matcher(address);
        places.lookingAt();
        for (String place : COMMA.split(places.group(1), -1)) {
            Matcher port = PORT.matcher(place);
            if (port.matches() && !VALID_PORT.matcher(port.group(1)).matches()) {
                fault(name, "has a port above 65535");
            }
        }
    }

    private void requireOffered(Map<String, List<String>> offered, String type, String authentication) {
        List<String> ways = offered.getOrDefault(type, List.of());
        if (!ways.contains(authentication) && !faults.has(path + ".type") && !faults.has(path + ".authentication")) {
            fault("authentication", "must be one of " + String.join(", ", ways) + " for " + type);
        }
    }

    private void requireIf(boolean belongs, String name, String where) {
        if (belongs != open.has(name)) {
            fault(name, belongs ? "is required" : "belongs to " + where + " only");
        }
    }

    private void requireCertificate(String name) {
        String pem = text(name);
        if (!pem.isEmpty() && !pem.contains("-----BEGIN CERTIFICATE-----")) {
            fault(name, "must be a PEM certificate");
        }
    }

    private void requireUuids(String name) {
        List<Tree> items = open.items(name);
        for (int i = 0; i < items.size(); i++) {
            if (!(items.get(i) instanceof Tree.Text(String text)) || !isUuid(text)) {
                fault(name + "[" + i + "]", "must be a UUID");
            }
        }
    }

    private static boolean isUuid(String text) {
        try {
            return UUID.fromString(text).toString().equalsIgnoreCase(text);
        } catch (IllegalArgumentException notAnId) {
            return false;
        }
    }

    private String text(String name) {
        return open.text(name).orElse("");
    }

    private void fault(String name, String message) {
        if (!faults.has(path + "." + name)) {
            faults.add(path + "." + name, message);
        }
    }
}
