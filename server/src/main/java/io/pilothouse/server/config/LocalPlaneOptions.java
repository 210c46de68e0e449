package io.pilothouse.server.config;

import io.pilothouse.core.backup.BucketAccess;
import io.pilothouse.gateway.GatewayPages;
import io.pilothouse.gateway.door.GatewayPorts;
import io.pilothouse.gateway.name.SharedPorts;
import io.pilothouse.plane.local.PortSets;
import io.pilothouse.plane.local.bucket.Buckets;
import io.pilothouse.plane.local.bundled.Egress;
import io.pilothouse.plane.local.share.DiskShare;
import io.pilothouse.plane.local.user.DatabaseUsers;
import io.pilothouse.plane.local.user.UserRange;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The settings of the local plane: which ClickHouse runs, as which user, and where clients reach it. */
public final class LocalPlaneOptions {
    private static final Set<String> UP = Set.of("up");
    private static final Pattern RANGE = Pattern.compile("([0-9]{1,5})-([0-9]{1,5})");
    private static final Pattern NUMBERS = Pattern.compile("([0-9]{1,10})-([0-9]{1,10})");
    private static final Pattern USER = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,31}");

    public static final Option<Path> ENGINE = plain(
            "engine",
            "FILE",
            null,
            Values::path,
            "the ClickHouse program to run services on; otherwise the machine's own, otherwise the bundled ClickHouse");
    public static final Option<Path> ENGINE_CACHE = new Option<>(
            "engine-cache",
            "DIR",
            null,
            Values::path,
            Option.Kind.PLAIN,
            Set.of("up", "engine"),
            "where the bundled ClickHouse is kept; without it in the user's cache folder, for root /var/cache/pilothouse");
    public static final Option<DatabaseUsers.Wanted> ENGINE_USER = plain(
            "engine-user",
            "NAME|FIRST-LAST",
            "1900000000-1901000000",
            LocalPlaneOptions::users,
            "the user that databases run as when started by root, or numbers of users, of which each has its own");
    public static final Option<PortSets.PortRange> ENGINE_PORTS = plain(
            "engine-ports",
            "FIRST-LAST",
            "25000-29999",
            range(PortSets.PortRange::new),
            "loopback ports on which databases listen, three for each; clients never see them");
    public static final Option<Long> ENGINE_MEMORY = plain(
            "engine-memory",
            "SIZE",
            null,
            Values::bytes,
            "memory for all databases together, such as 12G; without it what the machine has beside this program");
    public static final Option<Long> DISK_RESERVE = plain(
            "disk-reserve",
            "SIZE",
            null,
            Values::bytes,
            "disk that databases leave free for the store; without it 1G, of a small disk a twentieth");
    public static final Option<Long> MAX_SERVICE_DISK = plain(
            "max-service-disk",
            "SIZE",
            null,
            Values::bytes,
            "disk that the data of each service may take, such as 100G; without it there is no limit");
    public static final Option<Egress> EGRESS = plain(
            "egress",
            "none|public|LIST",
            "public",
            LocalPlaneOptions::egress,
            "where SQL may connect to: none, public (port 443 of public addresses), HOST:PORT, with commas between");
    public static final Option<Boolean> UNFENCED_ENGINE = plain(
            "unfenced-engine",
            "",
            "false",
            Values::truth,
            "run databases that cannot be fenced in, although other machines can reach a listener");
    public static final Option<Boolean> KEEP_SERVICES =
            plain("keep-services", "", "false", Values::truth, "let databases run on when the control plane stops");
    public static final Option<Integer> BACKUP_PROOF_DAYS = plain(
            "backup-proof-days",
            "N",
            "7",
            Values.number(0, 365),
            "how old the last proof may be that a backup of a service can be restored; 0 proves none but those of ./pilothouse verify");
    public static final Option<Boolean> NEW_STORE = plain(
            "new-store", "", "false", Values::truth, "start beside the data of services that this store does not know");
    public static final Option<String> GATEWAY_HOST = plain(
            "gateway-host",
            "HOST",
            "localhost",
            LocalPlaneOptions::host,
            "the host name or address of services that clients are given");
    public static final Option<String> HOST_NAME = plain(
            "host-name",
            "NAME",
            null,
            Values::visible,
            "what this machine is called among those that share the store; without it as services on it are reached");
    public static final Option<InetAddress> GATEWAY_LISTEN = plain(
            "gateway-listen",
            "ADDRESS",
            "127.0.0.1",
            LocalPlaneOptions::address,
            "the address on which services can be reached, such as 0.0.0.0");
    public static final Option<GatewayPorts.Range> GATEWAY_PORTS = plain(
            "gateway-ports",
            "FIRST-LAST",
            "20000-24999",
            range(GatewayPorts.Range::new),
            "ports on which services can be reached, three for each");

    public static final Option<PortPair> SERVICE_PORTS = plain(
            "service-ports",
            "HTTPS,NATIVE",
            "8443,9440",
            PortPair::read,
            "the ports that services share under service-domain");
    public static final Option<Path> SERVICE_CERT = plain(
            "service-cert",
            "FILE",
            null,
            Values::path,
            "the wildcard certificate (PEM, with its chain) shown there; without it the program's own authority makes one");
    public static final Option<Path> SERVICE_KEY =
            plain("service-key", "FILE", null, Values::path, "the key of that certificate (PEM, PKCS #8)");

    public static final Option<GatewayPages> DATABASE_PAGES = plain(
            "database-pages",
            "none|all|LIST",
            "play",
            LocalPlaneOptions::pages,
            "pages of ClickHouse that clients of a service get without a password, such as play,dashboard");

    public static final Option<String> AWS_ACCESS_KEY_ID = new Option<>(
            "aws-access-key-id",
            "ID",
            null,
            Values.lettersAndDigits(1, 128),
            Option.Kind.UNATTENDED,
            UP,
            "the key of the AWS identity with which the roles of backup buckets and pipes are taken on");
    public static final Option<String> AWS_SECRET_ACCESS_KEY = new Option<>(
            "aws-secret-access-key", "SECRET", null, Values::visible, Option.Kind.SECRET, UP, "the secret of that key");
    public static final Option<String> AWS_ROLES_URL = plain(
            "aws-roles-url",
            "URL",
            "https://sts.amazonaws.com",
            Values::url,
            "where roles are taken on: a service that speaks STS");

    public static final Option<String> AWS_KINESIS_URL = plain(
            "aws-kinesis-url",
            "URL",
            null,
            Values::url,
            "where pipes read streams; without it Kinesis of the region that the pipe names");

    public static final Option<PipeHosts> PIPE_RUNNER = plain(
            "pipe-runner",
            "workers|connect=URL",
            "workers",
            PipeHosts::read,
            "where pipes from Kafka run: here, or in Kafka Connect with these REST addresses, with commas between");
    public static final Option<HostPort> PIPE_TASKS_LISTEN = plain(
            "pipe-tasks-listen",
            "HOST:PORT",
            "127.0.0.1:8084",
            HostPort::read,
            "where tasks of Kafka Connect come in, over TLS, if pipes run there");
    public static final Option<HostPort> PIPE_TASKS_ADDRESS = plain(
            "pipe-tasks-address",
            "HOST:PORT",
            null,
            HostPort::read,
            "where tasks find that address, if not as it is written there");

    private LocalPlaneOptions() {}

    /** The ports that services share; empty without a domain. */
    public static Optional<SharedPorts> shared(Config config) {
        PortPair ports = config.get(SERVICE_PORTS);
        return config.find(Options.SERVICE_DOMAIN)
                .map(domain -> new SharedPorts(domain, ports.https(), ports.nativesecure()));
    }

    /** What the data of each service may take of the disk. */
    public static DiskShare share(Config config) {
        return config.find(MAX_SERVICE_DISK).map(DiskShare::new).orElse(DiskShare.UNLIMITED);
    }

    /** With what the roles of buckets are taken on; empty where that is not set. */
    public static Optional<Buckets.Identity> identity(Config config) {
        Optional<String> secret = config.find(AWS_SECRET_ACCESS_KEY);
        return config.find(AWS_ACCESS_KEY_ID)
                .flatMap(id -> secret.map(hidden -> new BucketAccess.Login.Key(id, hidden, null)))
                .map(key -> new Buckets.Identity(key, URI.create(config.get(AWS_ROLES_URL))));
    }

    private static <T> Option<T> plain(
            String key, String metavar, @Nullable String fallback, Option.Reader<T> reader, String help) {
        return new Option<>(key, metavar, fallback, reader, Option.Kind.PLAIN, UP, help);
    }

    /** Makes a range of its two ends, or refuses them with an {@link IllegalArgumentException}. */
    private interface Ends<T> {
        T range(int first, int last);
    }

    private static <T> Option.Reader<T> range(Ends<T> ends) {
        return text -> {
            Matcher matcher = RANGE.matcher(text);
            try {
                if (matcher.matches()) {
                    return ends.range(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
                }
            } catch (IllegalArgumentException e) {
                // Reported below, like a text that is not a range at all.
            }
            throw new BadValue("must be two ports with a hyphen between, such as 20000-24999, with room for a service");
        };
    }

    private static Egress egress(String text) throws BadValue {
        try {
            return Egress.parse(text);
        } catch (IllegalArgumentException e) {
            throw new BadValue("must be none, or public and places such as s3.internal:9000 with commas between", e);
        }
    }

    private static GatewayPages pages(String text) throws BadValue {
        return GatewayPages.parse(text)
                .orElseThrow(() -> new BadValue("must be none, all, or pages such as play,dashboard"));
    }

    private static DatabaseUsers.Wanted users(String text) throws BadValue {
        Matcher numbers = NUMBERS.matcher(text);
        try {
            if (numbers.matches()) {
                return new DatabaseUsers.Wanted.Numbered(
                        new UserRange(Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2))));
            }
        } catch (IllegalArgumentException e) {
            // Reported below, like a text that is neither.
        }
        if (USER.matcher(text).matches()) {
            return new DatabaseUsers.Wanted.Named(text);
        }
        throw new BadValue("must be the name of a user of this machine, or two numbers from 1000 on with a hyphen"
                + " between, such as 70000-79999");
    }

    private static String host(String text) throws BadValue {
        return text.indexOf(':') < 0 ? Values.domain(text) : address(text).getHostAddress();
    }

    private static InetAddress address(String text) throws BadValue {
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException e) {
            // Reported below.
        }
        throw new BadValue("must be an IP address, such as 127.0.0.1 or 0.0.0.0");
    }
}
