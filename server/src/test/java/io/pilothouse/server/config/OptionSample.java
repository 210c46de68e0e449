package io.pilothouse.server.config;

import io.pilothouse.core.base.Edition;
import io.pilothouse.core.base.IpBlock;
import io.pilothouse.gateway.GatewayPages;
import io.pilothouse.gateway.door.GatewayPorts;
import io.pilothouse.plane.local.PortSets;
import io.pilothouse.plane.local.bundled.Egress;
import io.pilothouse.plane.local.user.DatabaseUsers;
import io.pilothouse.plane.local.user.UserRange;
import io.pilothouse.server.log.LogFormat;
import io.pilothouse.server.log.LogLevel;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** For each option its default, one text that it takes with its value, and one that it refuses. */
record OptionSample(
        Option<?> option, @Nullable Object fallback, String good, Object value, String bad, String requirement) {

    static final List<OptionSample> ALL = List.of(
            new OptionSample(Options.CONFIG, null, "pilothouse.conf", Path.of("pilothouse.conf"), "\0", "a path"),
            new OptionSample(Options.DATA, Path.of(".pilothouse"), "/srv/data", Path.of("/srv/data"), " ", "a path"),
            new OptionSample(
                    StoreOptions.STORE,
                    null,
                    "postgresql://ph@db.example.com/pilothouse",
                    new PostgresAddress("ph", "db.example.com", 5432, "pilothouse", true),
                    "postgresql://ph:secret@db.example.com/pilothouse",
                    "without a password"),
            new OptionSample(
                    StoreOptions.PASSWORD, null, "p".repeat(40), "p".repeat(40), "p q", "visible ASCII characters"),
            new OptionSample(
                    StoreOptions.PASSWORD_FILE, null, "/run/secrets/pg", Path.of("/run/secrets/pg"), " ", "a path"),
            new OptionSample(StoreOptions.ROOT_CERT, null, "/etc/pg/ca.crt", Path.of("/etc/pg/ca.crt"), " ", "a path"),
            new OptionSample(StoreOptions.KEY, null, "/run/key", Path.of("/run/key"), " ", "a path"),
            new OptionSample(
                    StoreOptions.KEY_TEXT, null, "k".repeat(43), "k".repeat(43), "k k", "visible ASCII characters"),
            new OptionSample(StoreOptions.SHARED, false, "true", true, "yes", "true or false"),
            new OptionSample(
                    Options.LISTEN,
                    new HostPort("127.0.0.1", 8080),
                    "[::1]:80",
                    new HostPort("::1", 80),
                    "8080",
                    "HOST:PORT"),
            new OptionSample(Options.CONSOLE, true, "false", false, "off", "true or false"),
            new OptionSample(
                    Options.CONSOLE_LISTEN, null, "127.0.0.1:7", new HostPort("127.0.0.1", 7), "8088", "HOST:PORT"),
            new OptionSample(Options.EMULATOR, false, "true", true, "on", "true or false"),
            new OptionSample(Options.FAULTS, null, "faults.json", Path.of("faults.json"), " ", "a path"),
            new OptionSample(
                    Options.ALERTS_LISTEN,
                    new HostPort("127.0.0.1", 8081),
                    "127.0.0.2:0",
                    new HostPort("127.0.0.2", 0),
                    "127.0.0.1:65536",
                    "HOST:PORT"),
            new OptionSample(
                    Options.QUERY_LISTEN,
                    new HostPort("127.0.0.1", 8082),
                    "127.0.0.3:0",
                    new HostPort("127.0.0.3", 0),
                    "127.0.0.1",
                    "HOST:PORT"),
            new OptionSample(
                    Options.ADMIN_LISTEN,
                    new HostPort("127.0.0.1", 9090),
                    "localhost:65535",
                    new HostPort("localhost", 65_535),
                    "::1:80",
                    "HOST:PORT"),
            new OptionSample(Options.TLS_CERT, null, "tls/a.crt", Path.of("tls/a.crt"), " ", "a path"),
            new OptionSample(Options.TLS_KEY, null, "tls/a.key", Path.of("tls/a.key"), " ", "a path"),
            new OptionSample(
                    Options.TLS_NAMES,
                    null,
                    "api.example.com, 10.0.0.5,::1",
                    List.of("api.example.com", "10.0.0.5", "::1"),
                    "10.0.0.0/8",
                    "addresses or host names"),
            new OptionSample(
                    Options.TRUSTED_PROXIES,
                    null,
                    "10.0.0.0/8, fd00::1",
                    List.of(block("10.0.0.0/8"), block("fd00::1")),
                    "proxy.internal",
                    "addresses or CIDR blocks"),
            new OptionSample(
                    Options.ADMIN_TOKEN,
                    null,
                    "w".repeat(32),
                    "w".repeat(32),
                    "x".repeat(31),
                    "32 to 128 letters and digits"),
            new OptionSample(Options.INSECURE_LISTEN, false, "true", true, "yes", "true or false"),
            new OptionSample(Options.MAX_CONNECTIONS, 10_000, "1000000", 1_000_000, "0", "from 1 to 1000000"),
            new OptionSample(Options.RATE_LIMIT, 0, "1000000", 1_000_000, "-1", "from 0 to 1000000"),
            new OptionSample(Options.FAILED_LOGINS, 60, "0", 0, "-1", "from 0 to 1000000"),
            new OptionSample(Options.ACTIVITY_RETENTION_DAYS, 365, "0", 0, "-1", "from 0 to 36500"),
            new OptionSample(Options.RULES, Edition.SEED, "cloud", Edition.CLOUD, "Seed", "seed, cloud"),
            new OptionSample(Options.PLANE, null, "simulated", Plane.SIMULATED, "moon", "local, simulated"),
            new OptionSample(
                    LocalPlaneOptions.ENGINE, null, "/opt/clickhouse", Path.of("/opt/clickhouse"), " ", "a path"),
            new OptionSample(LocalPlaneOptions.ENGINE_CACHE, null, "/srv/cache", Path.of("/srv/cache"), " ", "a path"),
            new OptionSample(
                    LocalPlaneOptions.ENGINE_USER,
                    new DatabaseUsers.Wanted.Numbered(new UserRange(1_900_000_000, 1_901_000_000)),
                    "clickhouse",
                    new DatabaseUsers.Wanted.Named("clickhouse"),
                    "70000-70000",
                    "two numbers from 1000 on"),
            new OptionSample(
                    LocalPlaneOptions.ENGINE_PORTS,
                    new PortSets.PortRange(25_000, 29_999),
                    "30000-30002",
                    new PortSets.PortRange(30_000, 30_002),
                    "30000-30001",
                    "room for a service"),
            new OptionSample(LocalPlaneOptions.ENGINE_MEMORY, null, "1536M", 1536L << 20, "12", "a unit (M or G)"),
            new OptionSample(LocalPlaneOptions.DISK_RESERVE, null, "2G", 2L << 30, "0G", "a unit (M or G)"),
            new OptionSample(LocalPlaneOptions.MAX_SERVICE_DISK, null, "100G", 100L << 30, "100", "a unit (M or G)"),
            new OptionSample(
                    LocalPlaneOptions.EGRESS,
                    Egress.PUBLIC,
                    "public, s3.internal:9000",
                    new Egress(true, List.of(new Egress.Place("s3.internal", 9000))),
                    "everything",
                    "none, or public"),
            new OptionSample(LocalPlaneOptions.UNFENCED_ENGINE, false, "true", true, "on", "true or false"),
            new OptionSample(LocalPlaneOptions.KEEP_SERVICES, false, "true", true, "on", "true or false"),
            new OptionSample(LocalPlaneOptions.BACKUP_PROOF_DAYS, 7, "0", 0, "-1", "from 0 to 365"),
            new OptionSample(LocalPlaneOptions.NEW_STORE, false, "true", true, "on", "true or false"),
            new OptionSample(
                    LocalPlaneOptions.GATEWAY_HOST, "localhost", "db.example.com", "db.example.com", "a_b", "domain"),
            new OptionSample(
                    LocalPlaneOptions.HOST_NAME, null, "rack-3", "rack-3", "rack 3", "visible ASCII characters"),
            new OptionSample(
                    LocalPlaneOptions.GATEWAY_LISTEN,
                    InetAddress.ofLiteral("127.0.0.1"),
                    "0.0.0.0",
                    InetAddress.ofLiteral("0.0.0.0"),
                    "localhost",
                    "an IP address"),
            new OptionSample(
                    LocalPlaneOptions.GATEWAY_PORTS,
                    new GatewayPorts.Range(20_000, 24_999),
                    "1-65535",
                    new GatewayPorts.Range(1, 65_535),
                    "20000",
                    "two ports"),
            new OptionSample(
                    LocalPlaneOptions.SERVICE_PORTS,
                    new PortPair(8443, 9440),
                    "443,9000",
                    new PortPair(443, 9000),
                    "443,443",
                    "two ports"),
            new OptionSample(LocalPlaneOptions.SERVICE_CERT, null, "/etc/w.crt", Path.of("/etc/w.crt"), " ", "a path"),
            new OptionSample(LocalPlaneOptions.SERVICE_KEY, null, "/etc/w.key", Path.of("/etc/w.key"), " ", "a path"),
            new OptionSample(
                    LocalPlaneOptions.DATABASE_PAGES,
                    GatewayPages.parse("play").orElseThrow(),
                    "dashboard, merges",
                    GatewayPages.parse("merges,dashboard").orElseThrow(),
                    "play,all",
                    "none, all, or pages"),
            new OptionSample(
                    LocalPlaneOptions.AWS_ACCESS_KEY_ID, null, "AKIA1", "AKIA1", "AKIA 1", "letters and digits"),
            new OptionSample(
                    LocalPlaneOptions.AWS_SECRET_ACCESS_KEY,
                    null,
                    "v".repeat(40),
                    "v".repeat(40),
                    "w w",
                    "visible ASCII characters"),
            new OptionSample(
                    LocalPlaneOptions.AWS_ROLES_URL,
                    "https://sts.amazonaws.com",
                    "https://sts.eu-west-1.amazonaws.com",
                    "https://sts.eu-west-1.amazonaws.com",
                    "sts",
                    "http"),
            new OptionSample(
                    LocalPlaneOptions.AWS_KINESIS_URL,
                    null,
                    "http://127.0.0.1:4567",
                    "http://127.0.0.1:4567",
                    "kinesis",
                    "http"),
            new OptionSample(
                    LocalPlaneOptions.PIPE_RUNNER,
                    new PipeHosts(List.of()),
                    "connect=http://one:8083, https://two:8083",
                    new PipeHosts(List.of("http://one:8083", "https://two:8083")),
                    "connect",
                    "workers, or connect="),
            new OptionSample(
                    LocalPlaneOptions.PIPE_TASKS_LISTEN,
                    new HostPort("127.0.0.1", 8084),
                    "0.0.0.0:7000",
                    new HostPort("0.0.0.0", 7000),
                    "7000",
                    "HOST:PORT"),
            new OptionSample(
                    LocalPlaneOptions.PIPE_TASKS_ADDRESS,
                    null,
                    "plane.example.com:7000",
                    new HostPort("plane.example.com", 7000),
                    "plane",
                    "HOST:PORT"),
            new OptionSample(
                    Options.SIMULATED_PROVISIONING_TIME,
                    Duration.ofSeconds(2),
                    "150ms",
                    Duration.ofMillis(150),
                    "2",
                    "a unit"),
            new OptionSample(
                    Options.SERVICE_DOMAIN, null, "db.example.com", "db.example.com", "-.com", "a domain name"),
            new OptionSample(Options.DEFAULT_PROVIDER, "aws", "gcp", "gcp", "ibm", "aws, gcp, azure"),
            new OptionSample(Options.DEFAULT_REGION_AWS, "us-east-1", "eu-west-1", "eu-west-1", "eastus", "us-west-2"),
            new OptionSample(
                    Options.DEFAULT_REGION_GCP, "us-central1", "us-east1", "us-east1", "us-east-1", "us-east1"),
            new OptionSample(Options.DEFAULT_REGION_AZURE, "eastus2", "westus3", "westus3", "moon", "westus3"),
            new OptionSample(Options.PRICE_MEMORY, 0.03725, "0", 0.0, "-1", "an amount"),
            new OptionSample(Options.PRICE_STORAGE, 25.3, "12.5", 12.5, "1e3", "an amount"),
            new OptionSample(Options.QUOTA_SERVICES, null, "20", 20, "-1", "from 0 to 1000000"),
            new OptionSample(Options.QUOTA_REPLICAS, null, "0", 0, "many", "from 0 to 1000000"),
            new OptionSample(
                    Options.WEBHOOK_ALLOW,
                    null,
                    "10.0.0.0/8, fd00::1,hooks.internal",
                    List.of("10.0.0.0/8", "fd00::1", "hooks.internal"),
                    "10.0.0.0/8,",
                    "CIDR blocks or host names"),
            new OptionSample(
                    Options.ALERTS_URL,
                    null,
                    "https://alerts.example.com/pilothouse",
                    "https://alerts.example.com/pilothouse",
                    "https://alerts.example.com/",
                    "without a slash at the end"),
            new OptionSample(Options.LOG_FORMAT, LogFormat.TEXT, "json", LogFormat.JSON, "xml", "text, json"),
            new OptionSample(
                    Options.LOG_LEVEL, LogLevel.INFO, "debug", LogLevel.DEBUG, "loud", "error, warning, info, debug"),
            new OptionSample(
                    StartOptions.READY_FILE, null, "/run/ready.json", Path.of("/run/ready.json"), " ", "a path"),
            new OptionSample(StartOptions.UNTIL_INPUT_ENDS, false, "true", true, "eof", "true or false"),
            new OptionSample(
                    Options.BOOTSTRAP_KEY_ID,
                    null,
                    "abcdefghij0123456789",
                    "abcdefghij0123456789",
                    "abcdefghij012345678-",
                    "20 letters and digits"),
            new OptionSample(
                    Options.BOOTSTRAP_KEY_SECRET,
                    null,
                    "s".repeat(48),
                    "s".repeat(48),
                    "t".repeat(47),
                    "48 letters and digits"),
            new OptionSample(
                    Options.BOOTSTRAP_ALERTS_TOKEN,
                    null,
                    "u".repeat(32),
                    "u".repeat(32),
                    "v".repeat(129),
                    "32 to 128 letters and digits"),
            new OptionSample(
                    Options.BOOTSTRAP_ORGANIZATION_ID,
                    null,
                    "0d5c36aa-3a8a-4cf3-9e6f-4d2b8a1f0c11",
                    UUID.fromString("0d5c36aa-3a8a-4cf3-9e6f-4d2b8a1f0c11"),
                    "1-1-1-1-1",
                    "a UUID"),
            new OptionSample(
                    Options.FIRST_MEMBER_EMAIL,
                    "admin@pilothouse.internal",
                    "ada@example.org",
                    "ada@example.org",
                    "ada",
                    "an e-mail address"),
            new OptionSample(Options.FIRST_MEMBER_NAME, "Admin", "Ada", "Ada", "A".repeat(256), "must"),
            new OptionSample(
                    CertifyOptions.URL, null, "http://127.0.0.1:8080", "http://127.0.0.1:8080", "127.0.0.1", "a URL"),
            new OptionSample(CertifyOptions.TERRAFORM, null, "/opt/tofu", Path.of("/opt/tofu"), " ", "a path"),
            new OptionSample(CertifyOptions.VAR_FILE, null, "test.tfvars", Path.of("test.tfvars"), " ", "a path"),
            new OptionSample(CertifyOptions.CHANGES, null, "other.json", Path.of("other.json"), " ", "a path"),
            new OptionSample(CertifyOptions.JUNIT, null, "certify.xml", Path.of("certify.xml"), " ", "a path"));

    private static IpBlock block(String text) {
        return IpBlock.parse(text).orElseThrow();
    }

    @Override
    public String toString() {
        return option.key();
    }
}
