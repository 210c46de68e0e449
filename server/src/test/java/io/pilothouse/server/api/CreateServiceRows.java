package io.pilothouse.server.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The rows of the table of create service: for each field its type, values that are taken and come back, and values
 * that are refused. What depends on another field, or on the organization, is a test of its own.
 */
@SuppressWarnings("ImmutableEnumChecker")
enum CreateServiceRows {
    NAME(
            Type.STRING,
            List.of(
                    "'a'",
                    "'Service 1'",
                    "'Größe Ж 7'",
                    "'tab\\tand\\nline'",
                    "'हिन्दी'",
                    "'e\\u0301te\\u0301'",
                    "'no\\u00a0break\\u202f1'",
                    "'日本 ١٢'",
                    name(50),
                    "'" + "𝒜".repeat(50) + "'"),
            List.of(
                    "''",
                    "'  '",
                    "'a-b'",
                    "'a_b'",
                    "'a.b'",
                    "'né!'",
                    "'🙂'",
                    "'a\\u001cb'",
                    "'\\u00a0'",
                    "'\\u0301a'",
                    "' \\u0301'",
                    name(51))),
    PROVIDER(Type.STRING, words("aws", "gcp", "azure"), words("", "AWS", "aws ", "ibm")),
    REGION(
            Type.STRING,
            words(
                    "ap-northeast-1",
                    "ap-south-1",
                    "ap-southeast-1",
                    "ap-southeast-2",
                    "eu-central-1",
                    "eu-west-1",
                    "eu-west-2",
                    "me-central-1",
                    "us-east-1",
                    "us-east-2",
                    "us-west-2",
                    "us-east1",
                    "us-central1",
                    "europe-west4",
                    "asia-southeast1",
                    "eastus",
                    "eastus2",
                    "westus3",
                    "germanywestcentral"),
            words("", "us-east-3", "US-EAST-1", "us_east_1", "ca-central-1", "europe-west2", "centralus")),
    TIER(
            Type.STRING,
            words(
                    "development",
                    "production",
                    "dedicated_high_mem",
                    "dedicated_high_cpu",
                    "dedicated_standard",
                    "dedicated_standard_n2d_standard_4",
                    "dedicated_standard_n2d_standard_8",
                    "dedicated_standard_n2d_standard_32",
                    "dedicated_standard_n2d_standard_128",
                    "dedicated_standard_n2d_standard_32_16SSD",
                    "dedicated_standard_n2d_standard_64_24SSD"),
            words("", "Production", "basic", "dedicated_standard_n2d_standard_64")),
    IP_ACCESS_LIST(
            Type.ARRAY,
            List.of(
                    "[]",
                    "[{'source': '0.0.0.0/0', 'description': 'Anywhere'}]",
                    "[{'source': '203.0.113.7'}, {'source': '10.1.2.3/8', 'description': 'host bits stay as written'}]",
                    "[{'source': '2001:DB8::/32'}, {'source': '::1'}, {'source': '::ffff:192.0.2.1'}]",
                    "[{'source': '192.0.2.1/32', 'description': '" + "d".repeat(255) + "'}]",
                    entries(1000)),
            List.of(
                    "[1]",
                    "['203.0.113.7']",
                    "[{}]",
                    "[{'source': null}]",
                    "[{'source': 7}]",
                    "[{'source': ''}]",
                    "[{'source': 'any'}]",
                    "[{'source': 'localhost'}]",
                    "[{'source': '1.2.3'}]",
                    "[{'source': '1.2.3.256'}]",
                    "[{'source': '01.2.3.4'}]",
                    "[{'source': '1.2.3.4/33'}]",
                    "[{'source': '1.2.3.4/-1'}]",
                    "[{'source': '1.2.3.4/'}]",
                    "[{'source': ' 1.2.3.4'}]",
                    "[{'source': '2001:db8::/129'}]",
                    "[{'source': '2001:db8::g'}]",
                    "[{'source': '1.2.3.4', 'description': 5}]",
                    "[{'source': '1.2.3.4', 'description': '" + "d".repeat(256) + "'}]",
                    entries(1001))),
    MIN_TOTAL_MEMORY_GB(Type.NUMBER, numbers("24", "36", "360", "1068", "24.0", "2.4e1"), totals()),
    MAX_TOTAL_MEMORY_GB(Type.NUMBER, numbers("24", "36", "360", "1068", "1068.0"), totals()),
    MIN_REPLICA_MEMORY_GB(Type.NUMBER, numbers("8", "12", "120", "356", "8.0", "8e0"), replicaSizes()),
    MAX_REPLICA_MEMORY_GB(Type.NUMBER, numbers("8", "12", "120", "356", "356.0"), replicaSizes()),
    NUM_REPLICAS(
            Type.NUMBER, numbers("2", "3", "20", "8.0"), numbers("-1", "0", "1", "21", "2.5", "1e300", "999999999999")),
    AUTOSCALING_MODE(Type.STRING, words("vertical"), words("", "Vertical", "diagonal")),
    IDLE_SCALING(Type.BOOLEAN, List.of("true", "false"), List.of()),
    IDLE_TIMEOUT_MINUTES(
            Type.NUMBER,
            numbers("5", "6", "5.0", "1440", "2147483648", "9007199254740992"),
            numbers("-5", "0", "4", "4.999", "5.5", "9007199254740994", "1e300")),
    IS_READONLY(Type.BOOLEAN, List.of("false"), List.of("true")),
    DATA_WAREHOUSE_ID(Type.STRING, List.of(), words("", "no warehouse", "00000000-0000-4000-8000-000000000000")),
    BACKUP_ID(
            Type.STRING,
            List.of(),
            words("", "no uuid", "00000000-0000-4000-8000-000000000000", "{00000000-0000-4000-8000-000000000000}")),
    ENCRYPTION_KEY(Type.STRING, keys(), identifiersTooLong()),
    ENCRYPTION_ASSUMED_ROLE_IDENTIFIER(Type.STRING, keys(), identifiersTooLong()),
    PRIVATE_PREVIEW_TERMS_CHECKED(Type.BOOLEAN, List.of("true", "false"), List.of()),
    RELEASE_CHANNEL(Type.STRING, words("slow", "default", "fast"), words("", "Fast", "turbo")),
    BYOC_ID(Type.STRING, List.of(), List.of()),
    HAS_TRANSPARENT_DATA_ENCRYPTION(Type.BOOLEAN, List.of("true", "false"), List.of()),
    PRIVATE_ENDPOINT_IDS(
            Type.ARRAY, List.of("[]", "['vpce-1', 'vpce-2']"), List.of("[1]", "[null]", "[['a']]", "['']")),
    ENDPOINTS(
            Type.ARRAY,
            List.of(
                    "[]",
                    "[{'protocol': 'mysql', 'enabled': true}]",
                    "[{'protocol': 'mysql', 'enabled': false}]",
                    "[{'protocol': 'https', 'enabled': true}, {'protocol': 'nativesecure', 'enabled': true}]"),
            List.of(
                    "[true]",
                    "['mysql']",
                    "[{}]",
                    "[{'protocol': 'mysql'}]",
                    "[{'protocol': 'mysql', 'enabled': null}]",
                    "[{'protocol': 'mysql', 'enabled': 'true'}]",
                    "[{'enabled': true}]",
                    "[{'protocol': 5, 'enabled': true}]",
                    "[{'protocol': 'MySQL', 'enabled': true}]",
                    "[{'protocol': 'postgres', 'enabled': true}]",
                    "[{'protocol': 'https', 'enabled': true}, {'protocol': 'https', 'enabled': true}]",
                    "[{'protocol': 'https', 'enabled': false}]",
                    "[{'protocol': 'nativesecure', 'enabled': false}]",
                    "[{'protocol': 'mysql', 'enabled': true}, {'protocol': 'mysql', 'enabled': false}]")),
    PROFILE(
            Type.STRING,
            words(
                    "v1-default",
                    "v1-highmem-xs",
                    "v1-highmem-s",
                    "v1-highmem-m",
                    "v1-highmem-l",
                    "v1-highmem-xl",
                    "v1-highcpu-s",
                    "v1-highcpu-m",
                    "v1-highcpu-l",
                    "v1-highcpu-xl"),
            words("", "v1-highcpu-xs", "v2-default")),
    COMPLIANCE_TYPE(Type.STRING, words("hipaa", "pci"), words("", "HIPAA", "soc2")),
    TAGS(
            Type.ARRAY,
            List.of("[]", "[{'key': 'team', 'value': 'data'}, {'key': 'a.b_c-9'}, {'key': 'empty', 'value': ''}]"),
            List.of(
                    "['team']",
                    "[{}]",
                    "[{'key': ''}]",
                    "[{'key': 'a b'}]",
                    "[{'key': 5}]",
                    "[{'key': 'a', 'value': 5}]",
                    "[{'key': 'a', 'value': 'b c'}]",
                    "[{'key': 'a'}, {'key': 'a'}]")),
    ENABLE_CORE_DUMPS(Type.BOOLEAN, List.of("true", "false"), List.of());

    /** The types of JSON, and a value of each that no field takes by mistake. */
    enum Type {
        STRING("'x'"),
        NUMBER("7.5"),
        BOOLEAN("true"),
        ARRAY("[[[]]]"),
        OBJECT("{'x': 1}");

        private final String sample;

        Type(String sample) {
            this.sample = sample;
        }
    }

    private final Type type;

    // Neither list can be changed, which no type says.
    @SuppressWarnings("ImmutableEnumChecker")
    private final List<String> taken;

    @SuppressWarnings("ImmutableEnumChecker")
    private final List<String> refused;

    CreateServiceRows(Type type, List<String> taken, List<String> refused) {
        this.type = type;
        this.taken = List.copyOf(taken);
        this.refused = List.copyOf(refused);
    }

    /** The name of the field on the wire. */
    String field() {
        StringBuilder field = new StringBuilder();
        for (String word : name().toLowerCase(Locale.ROOT).split("_", -1)) {
            field.append(field.isEmpty() ? word : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
        }
        return field.toString();
    }

    List<String> taken() {
        return taken;
    }

    /** The values that are refused: those of the row, and every other type. */
    List<String> refused() {
        List<String> all = new ArrayList<>(refused);
        Stream.of(Type.values()).filter(other -> other != type).forEach(other -> all.add(other.sample));
        return all;
    }

    private static String name(int length) {
        return "'" + "n".repeat(length) + "'";
    }

    private static List<String> words(String... words) {
        return Stream.of(words).map(word -> "'" + word + "'").toList();
    }

    private static List<String> numbers(String... numbers) {
        return List.of(numbers);
    }

    private static List<String> totals() {
        return numbers("-24", "0", "12", "23", "25", "30", "24.5", "1067", "1069", "1080", "1e300");
    }

    private static List<String> replicaSizes() {
        return numbers("-8", "0", "4", "7", "9", "10", "8.5", "355", "357", "360", "1e300");
    }

    private static List<String> keys() {
        return List.of("'arn:aws:kms:eu-west-1:1:key/2'", "'" + "k".repeat(8192) + "'");
    }

    private static List<String> identifiersTooLong() {
        return List.of("''", "' '", "'a\\nb'", "'" + "k".repeat(8193) + "'");
    }

    private static String entries(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "{'source': '10.0." + i / 256 + "." + i % 256 + "'}")
                .collect(Collectors.joining(", ", "[", "]"));
    }
}
