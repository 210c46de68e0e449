package io.pilothouse.server.config;

import io.pilothouse.core.base.Edition;
import io.pilothouse.core.base.IpBlock;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.service.ServiceDefaults;
import io.pilothouse.http.helidon.ListenerLimits;
import io.pilothouse.server.log.LogFormat;
import io.pilothouse.server.log.LogLevel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Every setting of the program, in the order in which the help lists them. A setting that is not in {@link #ALL} does
 * not exist.
 */
public final class Options {
    private static final Set<String> UP = Set.of("up");
    /** The command that changes the keys of a stopped store. */
    public static final String KEYS_COMMAND = "keys";

    /** The command that backs the store up and restores it. */
    public static final String STORE_COMMAND = "store";

    /** The command that has a running program prove backups. */
    public static final String VERIFY_COMMAND = "verify";

    public static final String HOSTS_COMMAND = "hosts";

    /** The command that controls the emulator. */
    public static final String EMULATOR_COMMAND = "emulator";

    private static final Set<String> WHERE_THE_STORE_IS =
            Set.of("up", KEYS_COMMAND, STORE_COMMAND, VERIFY_COMMAND, HOSTS_COMMAND, EMULATOR_COMMAND);
    private static final Set<String> HOW_TO_REACH_IT = Set.of("up", VERIFY_COMMAND, HOSTS_COMMAND);
    private static final Set<String> HOW_TO_TRUST_IT = Set.of("up", VERIFY_COMMAND, HOSTS_COMMAND, EMULATOR_COMMAND);
    private static final List<String> PROVIDERS = List.of("aws", "gcp", "azure");
    private static final int KEY_ID_LENGTH = 20;
    private static final int KEY_SECRET_LENGTH = 48;
    private static final int MIN_TOKEN_LENGTH = 32;
    private static final int MAX_TOKEN_LENGTH = 128;

    static final Option<Path> CONFIG = new Option<>(
            "config",
            "FILE",
            null,
            Values::path,
            Option.Kind.FINDS_FILE,
            WHERE_THE_STORE_IS,
            "a file of settings, one key = value a line");
    public static final Option<Path> DATA = new Option<>(
            "data",
            "DIR",
            ".pilothouse",
            Values::path,
            Option.Kind.PLAIN,
            WHERE_THE_STORE_IS,
            "the folder in which everything is kept");
    public static final Option<HostPort> LISTEN =
            plain("listen", "HOST:PORT", "127.0.0.1:8080", HostPort::read, "where the management API listens");
    public static final Option<Boolean> CONSOLE =
            plain("console", "true|false", "true", Values::truth, "show the console to browsers");
    public static final Option<HostPort> CONSOLE_LISTEN = plain(
            "console-listen",
            "HOST:PORT",
            null,
            HostPort::read,
            "where the console listens; without it where the management API does");
    public static final Option<Boolean> EMULATOR = plain(
            "emulator",
            "",
            "false",
            Values::truth,
            "let operators control the clock, organizations, faults and snapshots under /_pilothouse, for tests; on loopback alone");
    public static final Option<Path> FAULTS = plain(
            "faults", "FILE", null, Values::path, "with emulator: a plan of faults (JSON) that is set from the start");
    public static final Option<HostPort> ALERTS_LISTEN =
            plain("alerts-listen", "HOST:PORT", "127.0.0.1:8081", HostPort::read, "where the alerts interface listens");
    public static final Option<HostPort> QUERY_LISTEN =
            plain("query-listen", "HOST:PORT", "127.0.0.1:8082", HostPort::read, "where query endpoints take SQL");
    public static final Option<HostPort> ADMIN_LISTEN = new Option<>(
            "admin-listen",
            "HOST:PORT",
            "127.0.0.1:9090",
            HostPort::read,
            Option.Kind.PLAIN,
            HOW_TO_REACH_IT,
            "where health and metrics are shown");
    public static final Option<Path> TLS_CERT = new Option<>(
            "tls-cert",
            "FILE",
            null,
            Values::path,
            Option.Kind.PLAIN,
            HOW_TO_TRUST_IT,
            "the certificate (PEM, with its chain) by which these listeners speak TLS; read again when it changes");
    public static final Option<Path> TLS_KEY =
            plain("tls-key", "FILE", null, Values::path, "the key of that certificate (PEM, PKCS #8)");
    public static final Option<List<String>> TLS_NAMES = new Option<>(
            "tls-names",
            "LIST",
            null,
            Values::names,
            Option.Kind.PLAIN,
            HOW_TO_TRUST_IT,
            "instead of tls-cert: names and addresses for which the program's own authority makes that certificate");
    public static final Option<List<IpBlock>> TRUSTED_PROXIES = plain(
            "trusted-proxies",
            "LIST",
            null,
            Values::blocks,
            "proxies in front of these listeners and of services whose word for a client's address is taken, with commas between");
    public static final Option<String> ADMIN_TOKEN = new Option<>(
            "admin-token",
            "TOKEN",
            null,
            Values.lettersAndDigits(MIN_TOKEN_LENGTH, MAX_TOKEN_LENGTH),
            Option.Kind.SECRET,
            HOW_TO_REACH_IT,
            "the token that the admin address asks for; without it, it asks for nothing");
    static final Option<Boolean> INSECURE_LISTEN = plain(
            "insecure-listen",
            "",
            "false",
            Values::truth,
            "allow listening without TLS where other machines can reach it");
    public static final Option<Integer> MAX_CONNECTIONS = plain(
            "max-connections",
            "N",
            Integer.toString(ListenerLimits.standard().connections()),
            Values.number(1, 1_000_000),
            "connections that each listener, and the gateway, keeps open at most");
    public static final Option<Integer> RATE_LIMIT = plain(
            "rate-limit",
            "N",
            "0",
            Values.number(0, 1_000_000),
            "requests that each key or token may make in a minute; 0 for any number");
    public static final Option<Integer> FAILED_LOGINS = plain(
            "failed-logins",
            "N",
            "60",
            Values.number(0, 1_000_000),
            "failed logins in a minute after which an address, or a key or service, is held up; 0 for any number");
    public static final Option<Integer> ACTIVITY_RETENTION_DAYS = plain(
            "activity-retention-days",
            "N",
            "365",
            Values.number(0, 36_500),
            "days after which activities are removed; 0 to keep them for ever");
    static final Option<Edition> RULES = plain(
            "rules",
            "seed|cloud",
            "seed",
            Values.constant(List.of(Edition.values())),
            "which limits hold: the contract's own, or the wider ones of the hosted service");
    public static final Option<Plane> PLANE = new Option<>(
            "plane",
            "local|simulated",
            null,
            Values.constant(List.of(Plane.values())),
            Option.Kind.PLAIN,
            UP,
            "where databases run; without it here, or nowhere (simulated) if this machine has no ClickHouse");
    public static final Option<Duration> SIMULATED_PROVISIONING_TIME = plain(
            "simulated-provisioning-time",
            "TIME",
            "2s",
            Values::duration,
            "how long a simulated service takes until it runs");
    public static final Option<String> SERVICE_DOMAIN = plain(
            "service-domain",
            "NAME",
            null,
            Values::domain,
            "the domain under which each service has a host name, all at the same ports; without it, ports of its own");
    static final Option<String> DEFAULT_PROVIDER = plain(
            "default-provider",
            "aws|gcp|azure",
            ServiceDefaults.STANDARD.provider(),
            Values.word(PROVIDERS),
            "the provider of a service that names none");
    static final Option<String> DEFAULT_REGION_AWS = defaultRegion("aws");
    static final Option<String> DEFAULT_REGION_GCP = defaultRegion("gcp");
    static final Option<String> DEFAULT_REGION_AZURE = defaultRegion("azure");
    public static final Option<Double> PRICE_MEMORY = plain(
            "price-memory", "CHC", "0.03725", Values::price, "what a gigabyte of memory costs in an hour, in credits");
    public static final Option<Double> PRICE_STORAGE = plain(
            "price-storage", "CHC", "25.3", Values::price, "what a terabyte on disk costs in 30 days, in credits");
    static final Option<Integer> QUOTA_SERVICES = plain(
            "quota-services",
            "N",
            null,
            Values.number(0, 1_000_000),
            "how many services an organization may have; any number without it");
    static final Option<Integer> QUOTA_REPLICAS = plain(
            "quota-replicas",
            "N",
            null,
            Values.number(0, 1_000_000),
            "how many replicas the services of a warehouse may have together; any number without it");
    public static final Option<List<String>> WEBHOOK_ALLOW = plain(
            "webhook-allow",
            "LIST",
            null,
            Values::places,
            "private addresses, CIDR blocks and host names that webhooks and backup buckets may reach, with commas between");
    public static final Option<String> ALERTS_URL = plain(
            "alerts-url",
            "URL",
            null,
            Values::url,
            "the address of the alerts interface in messages, where it is not the one it listens on");
    public static final Option<LogFormat> LOG_FORMAT = plain(
            "log-format",
            "text|json",
            "text",
            Values.constant(List.of(LogFormat.values())),
            "how log lines on standard error are written");
    public static final Option<LogLevel> LOG_LEVEL = plain(
            "log-level",
            "LEVEL",
            "info",
            Values.constant(List.of(LogLevel.values())),
            "the least that is logged: error, warning, info or debug");
    public static final Option<String> BOOTSTRAP_KEY_ID = new Option<>(
            "bootstrap-key-id",
            "ID",
            null,
            Values.lettersAndDigits(KEY_ID_LENGTH, KEY_ID_LENGTH),
            Option.Kind.UNATTENDED,
            UP,
            "the id of the first key, on an empty store only");
    public static final Option<String> BOOTSTRAP_KEY_SECRET = new Option<>(
            "bootstrap-key-secret",
            "SECRET",
            null,
            Values.lettersAndDigits(KEY_SECRET_LENGTH, KEY_SECRET_LENGTH),
            Option.Kind.SECRET,
            UP,
            "the secret of the first key, on an empty store only");
    public static final Option<String> BOOTSTRAP_ALERTS_TOKEN = new Option<>(
            "bootstrap-alerts-token",
            "TOKEN",
            null,
            Values.lettersAndDigits(MIN_TOKEN_LENGTH, MAX_TOKEN_LENGTH),
            Option.Kind.SECRET,
            UP,
            "the first token of the alerts interface, on an empty store only");
    public static final Option<UUID> BOOTSTRAP_ORGANIZATION_ID = new Option<>(
            "bootstrap-organization-id",
            "UUID",
            null,
            Values::uuid,
            Option.Kind.UNATTENDED,
            UP,
            "the id of the first organization, on an empty store only");
    public static final Option<String> FIRST_MEMBER_EMAIL = plain(
            "first-member-email",
            "ADDRESS",
            "admin@pilothouse.internal",
            Values::email,
            "the e-mail address of the member that every new organization begins with, its admin");
    public static final Option<String> FIRST_MEMBER_NAME =
            plain("first-member-name", "NAME", "Admin", Values::displayName, "the name of that member");

    static final List<Option<?>> ALL = List.of(
            CONFIG,
            DATA,
            StoreOptions.STORE,
            StoreOptions.PASSWORD,
            StoreOptions.PASSWORD_FILE,
            StoreOptions.ROOT_CERT,
            StoreOptions.KEY,
            StoreOptions.KEY_TEXT,
            StoreOptions.SHARED,
            LISTEN,
            CONSOLE,
            CONSOLE_LISTEN,
            EMULATOR,
            FAULTS,
            ALERTS_LISTEN,
            QUERY_LISTEN,
            ADMIN_LISTEN,
            TLS_CERT,
            TLS_KEY,
            TLS_NAMES,
            TRUSTED_PROXIES,
            ADMIN_TOKEN,
            INSECURE_LISTEN,
            MAX_CONNECTIONS,
            RATE_LIMIT,
            FAILED_LOGINS,
            ACTIVITY_RETENTION_DAYS,
            RULES,
            PLANE,
            LocalPlaneOptions.ENGINE,
            LocalPlaneOptions.ENGINE_CACHE,
            LocalPlaneOptions.ENGINE_USER,
            LocalPlaneOptions.ENGINE_PORTS,
            LocalPlaneOptions.ENGINE_MEMORY,
            LocalPlaneOptions.DISK_RESERVE,
            LocalPlaneOptions.MAX_SERVICE_DISK,
            LocalPlaneOptions.EGRESS,
            LocalPlaneOptions.UNFENCED_ENGINE,
            LocalPlaneOptions.KEEP_SERVICES,
            LocalPlaneOptions.BACKUP_PROOF_DAYS,
            LocalPlaneOptions.NEW_STORE,
            LocalPlaneOptions.GATEWAY_HOST,
            LocalPlaneOptions.HOST_NAME,
            LocalPlaneOptions.GATEWAY_LISTEN,
            LocalPlaneOptions.GATEWAY_PORTS,
            LocalPlaneOptions.SERVICE_PORTS,
            LocalPlaneOptions.SERVICE_CERT,
            LocalPlaneOptions.SERVICE_KEY,
            LocalPlaneOptions.DATABASE_PAGES,
            LocalPlaneOptions.AWS_ACCESS_KEY_ID,
            LocalPlaneOptions.AWS_SECRET_ACCESS_KEY,
            LocalPlaneOptions.AWS_ROLES_URL,
            LocalPlaneOptions.AWS_KINESIS_URL,
            LocalPlaneOptions.PIPE_RUNNER,
            LocalPlaneOptions.PIPE_TASKS_LISTEN,
            LocalPlaneOptions.PIPE_TASKS_ADDRESS,
            SIMULATED_PROVISIONING_TIME,
            SERVICE_DOMAIN,
            DEFAULT_PROVIDER,
            DEFAULT_REGION_AWS,
            DEFAULT_REGION_GCP,
            DEFAULT_REGION_AZURE,
            PRICE_MEMORY,
            PRICE_STORAGE,
            QUOTA_SERVICES,
            QUOTA_REPLICAS,
            WEBHOOK_ALLOW,
            ALERTS_URL,
            LOG_FORMAT,
            LOG_LEVEL,
            StartOptions.READY_FILE,
            StartOptions.UNTIL_INPUT_ENDS,
            BOOTSTRAP_KEY_ID,
            BOOTSTRAP_KEY_SECRET,
            BOOTSTRAP_ALERTS_TOKEN,
            BOOTSTRAP_ORGANIZATION_ID,
            FIRST_MEMBER_EMAIL,
            FIRST_MEMBER_NAME,
            CertifyOptions.URL,
            CertifyOptions.TERRAFORM,
            CertifyOptions.VAR_FILE,
            CertifyOptions.CHANGES,
            CertifyOptions.JUNIT);

    /** The region option of each provider. */
    static final Map<String, Option<String>> DEFAULT_REGIONS =
            Map.of("aws", DEFAULT_REGION_AWS, "gcp", DEFAULT_REGION_GCP, "azure", DEFAULT_REGION_AZURE);

    private Options() {}

    private static <T> Option<T> plain(
            String key, String metavar, @Nullable String fallback, Option.Reader<T> reader, String help) {
        return new Option<>(key, metavar, fallback, reader, Option.Kind.PLAIN, UP, help);
    }

    /** Accepts any region of the provider; whether the chosen edition has it is checked once the edition is known. */
    private static Option<String> defaultRegion(String provider) {
        List<String> regions = RuleBook.of(Edition.CLOUD).regionsOf(provider).words();
        return plain(
                "default-region-" + provider,
                "REGION",
                ServiceDefaults.STANDARD.regionByProvider().getOrDefault(provider, ""),
                Values.word(regions),
                "the region of a service on " + provider + " that names none");
    }

    static Optional<Option<?>> findByKey(String key) {
        return ALL.stream().filter(option -> option.key().equals(key)).findFirst();
    }

    static Optional<Option<?>> findByVariable(String variable) {
        return ALL.stream().filter(option -> option.variable().equals(variable)).findFirst();
    }
}
