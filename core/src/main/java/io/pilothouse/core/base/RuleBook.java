package io.pilothouse.core.base;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Every limit and enumeration of the contract, as data, in this one place: a book holds those in which the two editions
 * differ, the constants are the same in both. Checks use them, and the served document shows them by their names.
 */
public record RuleBook(
        Edition edition,
        TextRule serviceName,
        Map<String, WordRule> regionsByProvider,
        int firstServiceReplicas,
        boolean organizationTiersLimit,
        NumberRule pipeReplicas) {

    private static final Map<String, Rule> CONSTANTS = new TreeMap<>();

    // What many things have.
    public static final TextRule DISPLAY_NAME = named("DISPLAY_NAME", TextRule.printable(255));
    public static final TextRule DESCRIPTION = named("DESCRIPTION", TextRule.any(255));
    public static final TextRule IDENTIFIER = named("IDENTIFIER", TextRule.printable(512));
    public static final PatternRule EMAIL = named(
            "EMAIL",
            PatternRule.of("(?=.{3,254}$)[^@\\s]+@[^@\\s]+", "must be an e-mail address of at most 254 characters"));
    public static final SizeRule LIST = named("LIST", SizeRule.atMost(1000));
    public static final SizeRule IP_ACCESS_LIST = named("IP_ACCESS_LIST", SizeRule.atMost(1000));

    // Organizations.
    public static final PatternRule VPC_CIDR_RANGE = named(
            "VPC_CIDR_RANGE",
            PatternRule.of(
                    "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])(\\.(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])){3}/(3[0-2]|[12]?[0-9])",
                    "must be a block of IPv4 addresses, such as 10.0.0.0/16"));

    // Requests of any kind.
    public static final PatternRule IDEMPOTENCY_KEY =
            named("IDEMPOTENCY_KEY", PatternRule.of("[!-~]{1,255}", "must be 1 to 255 visible ASCII characters"));
    public static final NumberRule LIST_LIMIT = named("LIST_LIMIT", NumberRule.whole(1, 1000));
    public static final NumberRule LIST_OFFSET = named("LIST_OFFSET", NumberRule.wholeFrom(0));
    public static final NumberRule EVALUATION_LIMIT = named("EVALUATION_LIMIT", NumberRule.whole(1, 200));

    // Services.
    public static final WordRule PROVIDERS = named("PROVIDERS", WordRule.of("aws", "azure", "gcp"));
    public static final WordRule TIERS = named(
            "TIERS",
            WordRule.of(
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
                    "dedicated_standard_n2d_standard_64_24SSD"));
    public static final WordRule RELEASE_CHANNELS = named("RELEASE_CHANNELS", WordRule.of("slow", "default", "fast"));
    public static final WordRule PROFILES = named(
            "PROFILES",
            WordRule.of(
                    "v1-default",
                    "v1-highmem-xs",
                    "v1-highmem-s",
                    "v1-highmem-m",
                    "v1-highmem-l",
                    "v1-highmem-xl",
                    "v1-highcpu-s",
                    "v1-highcpu-m",
                    "v1-highcpu-l",
                    "v1-highcpu-xl"));
    public static final WordRule COMPLIANCE_TYPES = named("COMPLIANCE_TYPES", WordRule.of("hipaa", "pci"));
    public static final WordRule AUTOSCALING_MODES = named("AUTOSCALING_MODES", WordRule.of("vertical", "horizontal"));
    /** The one of the protocols that can be switched off, and is at first. */
    public static final String SWITCHED_PROTOCOL = "mysql";

    public static final WordRule PROTOCOLS =
            named("PROTOCOLS", WordRule.of("https", "nativesecure", SWITCHED_PROTOCOL));
    public static final NumberRule TOTAL_MEMORY_GB = named("TOTAL_MEMORY_GB", new NumberRule(24, 1068, 12));
    public static final NumberRule REPLICA_MEMORY_GB = named("REPLICA_MEMORY_GB", new NumberRule(8, 356, 4));
    public static final int MAX_UNPAID_REPLICA_MEMORY_GB = 120;
    public static final ChoiceRule BYOC_REPLICA_MEMORY_GB =
            named("BYOC_REPLICA_MEMORY_GB", new ChoiceRule(List.of(48, 116, 172, 232)));
    public static final NumberRule REPLICAS = named("REPLICAS", NumberRule.whole(1, 20));
    public static final NumberRule IDLE_TIMEOUT_MINUTES = named("IDLE_TIMEOUT_MINUTES", NumberRule.whole(5, 1L << 53));
    /** 0 is Sunday. */
    public static final NumberRule WEEKDAY = named("WEEKDAY", NumberRule.whole(0, 6));

    public static final SizeRule SCHEDULE_ENTRIES = named("SCHEDULE_ENTRIES", SizeRule.atMost(100));
    public static final NumberRule SCHEDULE_START_HOUR = named("SCHEDULE_START_HOUR", NumberRule.whole(0, 23));
    public static final NumberRule SCHEDULE_END_HOUR = named("SCHEDULE_END_HOUR", NumberRule.whole(1, 24));
    public static final TextRule ALLOWED_ORIGINS =
            named("ALLOWED_ORIGINS", new TextRule(0, 4096, TextRule.Alphabet.WITHOUT_CONTROLS));
    public static final TextRule ENCRYPTION_IDENTIFIER = named("ENCRYPTION_IDENTIFIER", TextRule.printable(8192));
    public static final PatternRule TAG_KEY = named(
            "TAG_KEY",
            PatternRule.of("[a-zA-Z0-9._-]{1,128}", "must be 1 to 128 of letters, digits, '.', '_' and '-'"));
    public static final PatternRule TAG_VALUE = named(
            "TAG_VALUE",
            PatternRule.of("[a-zA-Z0-9._-]{0,256}", "must be at most 256 of letters, digits, '.', '_' and '-'"));
    public static final PatternRule PASSWORD_SHA256 = named(
            "PASSWORD_SHA256",
            PatternRule.of("([A-Za-z0-9+/]{43}=)?", "must be the SHA-256 of the password in base64, 44 characters"));
    public static final PatternRule PASSWORD_DOUBLE_SHA1 = named(
            "PASSWORD_DOUBLE_SHA1",
            PatternRule.of(
                    "([0-9A-Fa-f]{40})?", "must be the double SHA-1 of the password in hexadecimal, 40 characters"));
    public static final int MAX_SERVICES_OF_A_WAREHOUSE = 1000;

    // Backups.
    public static final NumberRule BACKUP_PERIOD_HOURS = named("BACKUP_PERIOD_HOURS", NumberRule.whole(1, 168));
    public static final NumberRule BACKUP_RETENTION_HOURS =
            named("BACKUP_RETENTION_HOURS", new NumberRule(24, 1080, 24));
    public static final PatternRule BACKUP_START_TIME = named(
            "BACKUP_START_TIME",
            PatternRule.of("([01]?[0-9]|2[0-3]):[0-5][0-9]", "must be a time of day in UTC, HH:MM"));
    public static final int MAX_BACKUPS = 1000;

    // Keys and tokens.
    public static final WordRule KEY_STATES = named("KEY_STATES", WordRule.of("enabled", "disabled"));
    public static final SizeRule KEY_ROLES = named("KEY_ROLES", new SizeRule(1, Integer.MAX_VALUE));
    public static final PatternRule KEY_SHA256 =
            named("KEY_SHA256", PatternRule.of("[A-Za-z0-9+/]{43}=", "must be the base64 of a SHA-256"));
    public static final PatternRule KEY_ID_SUFFIX = named(
            "KEY_ID_SUFFIX", PatternRule.of("[A-Za-z0-9]{4}", "must be the last 4 letters or digits of the key id"));
    public static final int MAX_KEYS = 1000;

    // Pipes, and the private ways to their sources.
    public static final NumberRule PIPE_CONCURRENCY = named("PIPE_CONCURRENCY", NumberRule.whole(0, 34));
    public static final NumberRule PIPE_CPU_MILLICORES = named("PIPE_CPU_MILLICORES", NumberRule.whole(125, 2000));
    public static final NumberRule PIPE_MEMORY_GB = named("PIPE_MEMORY_GB", new NumberRule(0.5, 8, 0));
    public static final NumberRule CDC_CPU_MILLICORES = named("CDC_CPU_MILLICORES", new NumberRule(1000, 32_000, 1000));
    public static final NumberRule CDC_MEMORY_GB = named("CDC_MEMORY_GB", new NumberRule(4, 128, 4));
    public static final int MAX_PIPES = 1000;
    public static final NumberRule SEEK_OFFSET = named("SEEK_OFFSET", NumberRule.whole(0, 1L << 53));
    public static final PatternRule SEEK_SEQUENCE_NUMBER = named(
            "SEEK_SEQUENCE_NUMBER", PatternRule.of("0|[1-9][0-9]{0,128}", "must be a number of at most 129 digits"));
    public static final int MAX_SEEK_PARTITIONS = 1000;
    public static final TextRule REVERSE_ENDPOINT_DESCRIPTION =
            named("REVERSE_ENDPOINT_DESCRIPTION", TextRule.filled(255));
    public static final TextRule REVERSE_ENDPOINT_IDENTIFIER = named("REVERSE_ENDPOINT_IDENTIFIER", TextRule.any(2048));
    public static final WordRule MSK_AUTHENTICATIONS =
            named("MSK_AUTHENTICATIONS", WordRule.of("SASL_IAM", "SASL_SCRAM"));
    public static final PatternRule GCP_SERVICE_ATTACHMENT = named(
            "GCP_SERVICE_ATTACHMENT",
            PatternRule.of(
                    "projects/[^/\\s]+/regions/[^/\\s]+/serviceAttachments/[^/\\s]+",
                    "must be projects/…/regions/…/serviceAttachments/…"));
    public static final PatternRule PRIVATE_DNS_NAME = named(
            "PRIVATE_DNS_NAME",
            PatternRule.of(
                    "(?=.{1,253}$)(\\*\\.)?([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+"
                            + "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?",
                    "must be a DNS name; only its first label may be *"));
    public static final SizeRule PRIVATE_DNS_NAMES = named("PRIVATE_DNS_NAMES", SizeRule.atMost(100));
    public static final int MAX_REVERSE_ENDPOINTS = 1000;

    // Alerts, dashboards and webhooks.
    public static final TextRule ALERT_NAME = named("ALERT_NAME", TextRule.any(512));
    public static final TextRule ALERT_TEXT = named("ALERT_TEXT", TextRule.any(4096));
    public static final SizeRule ALERT_CHANNELS = named("ALERT_CHANNELS", SizeRule.atMost(10));
    public static final NumberRule SCHEDULE_OFFSET_MINUTES =
            named("SCHEDULE_OFFSET_MINUTES", NumberRule.whole(0, 1439));
    public static final NumberRule CONSECUTIVE_WINDOWS = named("CONSECUTIVE_WINDOWS", NumberRule.wholeFrom(1));
    public static final TextRule DASHBOARD_NAME = named("DASHBOARD_NAME", TextRule.filled(1024));
    public static final SizeRule DASHBOARD_TAGS = named("DASHBOARD_TAGS", SizeRule.atMost(50));
    public static final TextRule DASHBOARD_TAG = named("DASHBOARD_TAG", TextRule.filled(32));
    public static final SizeRule TILES = named("TILES", SizeRule.atMost(500));
    public static final TextRule TILE_ID = named("TILE_ID", TextRule.any(36));
    public static final TextRule TILE_NAME = named("TILE_NAME", TextRule.any(1024));
    public static final NumberRule TILE_LEFT = named("TILE_LEFT", NumberRule.whole(0, 23));
    public static final NumberRule TILE_TOP = named("TILE_TOP", NumberRule.wholeFrom(0));
    public static final NumberRule TILE_WIDTH = named("TILE_WIDTH", NumberRule.whole(1, 24));
    public static final NumberRule TILE_HEIGHT = named("TILE_HEIGHT", NumberRule.wholeFrom(1));
    public static final WordRule DISPLAY_TYPES = named("DISPLAY_TYPES", WordRule.of("line", "stacked_bar", "number"));
    public static final TextRule WEBHOOK_NAME = named("WEBHOOK_NAME", TextRule.filled(1024));
    public static final TextRule WEBHOOK_URL = named("WEBHOOK_URL", TextRule.filled(2048));
    public static final TextRule WEBHOOK_DESCRIPTION = named("WEBHOOK_DESCRIPTION", TextRule.any(2048));
    public static final TextRule WEBHOOK_BODY = named("WEBHOOK_BODY", TextRule.any(16 * 1024));
    public static final SizeRule WEBHOOK_ENTRIES = named("WEBHOOK_ENTRIES", SizeRule.atMost(100));
    public static final TextRule WEBHOOK_VALUE =
            named("WEBHOOK_VALUE", new TextRule(0, 4096, TextRule.Alphabet.WITHOUT_CONTROLS));
    public static final PatternRule WEBHOOK_HEADER = named(
            "WEBHOOK_HEADER",
            PatternRule.of("[!#$%&'*+.^_`|~A-Za-z-][!#$%&'*+.^_`|~0-9A-Za-z-]*", "is not the name of a header"));
    public static final TextRule SIGNING_SECRET =
            named("SIGNING_SECRET", new TextRule(16, 256, TextRule.Alphabet.WITHOUT_CONTROLS));
    /** Of alerts, of dashboards and of webhooks: as many as one page shows, so that a place in the list is one in memory. */
    public static final int MAX_ALERTS = 1000;

    private static final Map<String, WordRule> SEED_REGIONS = Map.of(
            "aws",
            WordRule.of(
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
                    "us-west-2"),
            "gcp",
            WordRule.of("us-east1", "us-central1", "europe-west4", "asia-southeast1"),
            "azure",
            WordRule.of("eastus", "eastus2", "westus3", "germanywestcentral"));

    private static final Map<String, WordRule> CLOUD_REGIONS = Map.of(
            "aws",
            WordRule.of(
                    "ap-northeast-1",
                    "ap-northeast-2",
                    "ap-south-1",
                    "ap-southeast-1",
                    "ap-southeast-2",
                    "ca-central-1",
                    "eu-central-1",
                    "eu-west-1",
                    "eu-west-2",
                    "il-central-1",
                    "me-central-1",
                    "us-east-1",
                    "us-east-2",
                    "us-west-2"),
            "gcp",
            WordRule.of(
                    "us-east1", "us-central1", "europe-west2", "europe-west4", "asia-southeast1", "asia-northeast1"),
            "azure",
            WordRule.of("eastus", "eastus2", "westus3", "germanywestcentral", "centralus"));

    public static RuleBook of(Edition edition) {
        return switch (edition) {
            case SEED ->
                new RuleBook(
                        edition,
                        new TextRule(1, 50, TextRule.Alphabet.LETTERS_DIGITS_WHITESPACE),
                        SEED_REGIONS,
                        2,
                        true,
                        NumberRule.whole(1, 10));
            case CLOUD ->
                new RuleBook(edition, TextRule.printable(50), CLOUD_REGIONS, 1, false, NumberRule.whole(1, 40));
        };
    }

    public Optional<String> providerOf(String region) {
        return regionsByProvider.entrySet().stream()
                .filter(entry -> entry.getValue().words().contains(region))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    public WordRule regionsOf(String provider) {
        return regionsByProvider.getOrDefault(provider, WordRule.of());
    }

    /** The regions of all providers. */
    public WordRule regions() {
        return new WordRule(regionsByProvider.values().stream()
                .flatMap(regions -> regions.words().stream())
                .sorted()
                .toList());
    }

    /** Gives a constant the name by which the document marks what keeps it. */
    private static <R extends Rule> R named(String name, R rule) {
        CONSTANTS.put(name, rule);
        return rule;
    }

    /** Every rule by the name that the document marks it with: that of its constant, or of its part of the book. */
    public Map<String, Rule> byName() {
        Map<String, Rule> rules = new TreeMap<>(CONSTANTS);
        rules.put("serviceName", serviceName);
        rules.put("pipeReplicas", pipeReplicas);
        rules.put("regions", regions());
        regionsByProvider.forEach((provider, regions) -> rules.put("regions of " + provider, regions));
        return rules;
    }
}
