package io.pilothouse.plane.local;

import io.pilothouse.core.setting.ServiceSettings;
import io.pilothouse.gateway.GatewayOwnUser;
import io.pilothouse.plane.local.bundled.BundledMain;
import io.pilothouse.plane.local.bundled.Egress;
import io.pilothouse.plane.local.turn.Budget;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The text of one database's configuration and users files, written so that every version of ClickHouse accepts it: an
 * old one ignores what it does not know. The database listens on loopback only; the gateway decides which clients may
 * connect.
 */
public final class ConfigFiles {
    /** The control plane's own user in every database. */
    private static final long MARK_CACHE_BYTES = 256L << 20;

    private static final String BOOT = "boot";

    /** The name of a quota, which ClickHouse's refusal of rows shows to a client. */
    private static final String FULL = "disk_of_this_service_is_full";

    private static final String LEAST_FREE = "min_free_disk_bytes_to_perform_insert";
    private static final String READ = "GRANT SELECT, SHOW, dictGet ON *.*";
    // The bundled ClickHouse would open any file of the machine that SQL names; and no user may borrow another's
    // rights.
    private static final List<String> NOT_FOR_USERS = List.of(
            "FILE, SQLITE ON *.*",
            "IMPERSONATE ON *",
            "TABLE ENGINE ON File",
            "TABLE ENGINE ON FileLog",
            "TABLE ENGINE ON SQLite",
            "TABLE ENGINE ON EmbeddedRocksDB",
            "TABLE ENGINE ON Executable",
            "TABLE ENGINE ON ExecutablePool");

    private static final List<String> RIGHTS_OF_PIPES = List.of(
            "INSERT ON *.*",
            "SELECT ON clickpipes_staged.*",
            "CREATE TEMPORARY TABLE ON *.*",
            "S3 ON *.*",
            "AZURE ON *.*",
            "URL ON *.*");

    private final ServiceFolder folder;
    private final PortSet ports;
    private final DatabaseKind kind;
    private final boolean fenced;
    private final Egress egress;
    private final Budget budget;

    /** Which parts of the configuration a database understands. */
    enum DatabaseKind {
        /** Opens only HTTP, boots as the user {@code default}, and opens any file that SQL names. */
        BUNDLED,
        /** A server that supports several authentication methods for each user. */
        SERVER,
        /** A server that supports one password for each user. */
        OLD_SERVER
    }

    /** With {@code fenced}, the operating system itself keeps the bundled ClickHouse from files and programs. */
    ConfigFiles(ServiceFolder folder, PortSet ports, DatabaseKind kind, boolean fenced, Egress egress, Budget budget) {
        this.folder = folder;
        this.ports = ports;
        this.kind = kind;
        this.fenced = fenced;
        this.egress = egress;
        this.budget = budget;
    }

    String config(DatabaseSettings settings) {
        XmlText xml = new XmlText().open("clickhouse");
        logger(xml);
        xml.value("listen_host", "127.0.0.1").value("http_port", ports.http());
        switch (kind) {
            case BUNDLED -> {
                xml.open("http_authentication_servers").open(BOOT);
                xml.fromEnvironment("uri", BundledMain.BOOT_ADDRESS);
                // One attempt: a refusal is final.
                xml.value("connection_timeout_ms", 1000).value("receive_timeout_ms", 1000);
                xml.value("send_timeout_ms", 1000).value("max_tries", 1).close().close();
                // By default it takes two background threads, and warns several times a second that they are too few.
                xml.value("background_schedule_pool_size", 8);
                xml.open("access_control_improvements")
                        .value("table_engines_require_grant", true)
                        .close();
            }
            case SERVER, OLD_SERVER -> {
                xml.value("tcp_port", ports.nativeProtocol()).value("mysql_port", ports.mysql());
                directories(xml);
            }
        }
        paths(xml);
        xml.value("users_config", folder.users());
        xml.value("default_profile", "default")
                .value("default_database", "default")
                .value("timezone", "UTC");
        xml.value("mlock_executable", false).value("mark_cache_size", MARK_CACHE_BYTES);
        xml.value("max_server_memory_usage", Math.min(settings.memoryBytes(), budget.memoryBytes()))
                .value("max_concurrent_queries", ServiceSettings.MAX_QUERIES);
        if (kind != DatabaseKind.BUNDLED) {
            connections(xml);
        }
        if (budget.keptFreeBytes() > 0) {
            xml.open("storage_configuration").open("disks").open("default");
            xml.value("keep_free_space_bytes", budget.keptFreeBytes());
            xml.close().close().close();
        }
        xml.open("backups").value("allowed_path", slashed(folder.exchange())).close();
        xml.open("query_log").value("database", "system").value("table", "query_log");
        xml.value("partition_by", "toYYYYMM(event_date)")
                .value("flush_interval_milliseconds", 7500)
                .close();
        // How long a stop waits for clients that keep their connections open.
        xml.value("shutdown_wait_unfinished", 2);
        // A self-hosted database sends no crash reports.
        xml.open("send_crash_reports").value("enabled", false).close();
        return xml.close().end();
    }

    /** A server refuses hosts by their names; the bundled ClickHouse does not know this, and has a fence around it. */
    private void connections(XmlText xml) {
        xml.open("remote_url_allow_hosts");
        if (egress.toPublic()) {
            xml.value("host_regexp", ".*:443");
        }
        egress.places().forEach(place -> xml.value("host", place.host() + ":" + place.port()));
        xml.close();
    }

    /** Users come from the file, and those that SQL makes are kept among the data. */
    private void directories(XmlText xml) {
        xml.open("user_directories")
                .open("users_xml")
                .value("path", folder.users())
                .close();
        xml.open("local_directory")
                .value("path", slashed(folder.data().resolve("access")))
                .close()
                .close();
    }

    private void logger(XmlText xml) {
        xml.open("logger")
                .value("level", "information")
                .value("log", folder.log().resolve("engine.log"));
        xml.value("errorlog", folder.errorLog())
                .value("size", "10M")
                .value("count", 2)
                .close();
    }

    private void paths(XmlText xml) {
        xml.value("path", slashed(folder.data())).value("tmp_path", slashed(folder.temporary()));
        xml.value("user_files_path", slashed(folder.userFiles()));
        xml.value("format_schema_path", slashed(folder.formatSchemas()));
    }

    String users(DatabaseSettings settings, String ownPassword) {
        XmlText xml = new XmlText().open("clickhouse");
        // Every profile begins with what this one says, so that users which SQL makes have it too.
        SortedMap<String, String> inForce = attempts();
        inForce.putAll(ServiceSettings.inForce(settings.memoryBytes(), settings.settings()));
        boolean refuses = settings.full() && kind != DatabaseKind.OLD_SERVER;
        if (refuses) {
            // Users that SQL made have no quota.
            inForce.put(LEAST_FREE, Long.toString(Long.MAX_VALUE));
        }
        xml.open("profiles").open("default");
        inForce.forEach(xml::value);
        if (refuses) {
            xml.open("constraints").open(LEAST_FREE).empty("const").close().close();
        }
        xml.close();
        SortedMap<String, String> own = attempts();
        settings.settings().forEach(setting -> own.putIfAbsent(setting.name(), setting.byDefault()));
        if (refuses) {
            own.put(LEAST_FREE, "0");
        }
        xml.open(GatewayOwnUser.NAME);
        own.forEach(xml::value);
        xml.close();
        // Only the old ones keep a reader from other servers and files by this alone, and let it change no setting.
        xml.open(GatewayOwnUser.READER)
                .value("profile", "default")
                .value("readonly", kind == DatabaseKind.OLD_SERVER ? 1 : 2)
                .close()
                .close();
        String quota = settings.full() ? FULL : "default";
        xml.open("quotas").empty("default");
        if (settings.full()) {
            xml.open(FULL).open("interval");
            xml.value("duration", 3600).value("written_bytes", 1).close().close();
        }
        xml.close();
        xml.open("users").open("default");
        password(xml, settings);
        // Every client comes through the gateway, which has checked the address already.
        xml.open("networks").value("ip", "::/0").close();
        xml.value("profile", "default").value("quota", quota);
        rights(xml);
        xml.close();
        ownUser(xml, GatewayOwnUser.NAME, GatewayOwnUser.NAME, "default", ownPassword);
        rights(xml);
        xml.close();
        ownUser(xml, GatewayOwnUser.ADMIN, "default", quota, ownPassword);
        rights(xml);
        xml.close();
        ownUser(xml, GatewayOwnUser.READER, GatewayOwnUser.READER, quota, ownPassword);
        if (kind != DatabaseKind.OLD_SERVER) {
            xml.open("grants").value("query", READ).close();
        }
        xml.close();
        pipes(xml, quota, ownPassword);
        return xml.close().close().end();
    }

    /** By default it asks a place that it must not connect to for up to an hour. */
    private SortedMap<String, String> attempts() {
        SortedMap<String, String> attempts = new TreeMap<>();
        if (kind == DatabaseKind.BUNDLED) {
            attempts.put("s3_retry_attempts", "8");
            attempts.put("backup_restore_s3_retry_attempts", "8");
            attempts.put("http_max_tries", "4");
        }
        return attempts;
    }

    /** The beginning of one of the control plane's own users, whose password only it knows. */
    private static void ownUser(XmlText xml, String name, String profile, String quota, String password) {
        xml.open(name);
        xml.value("password_sha256_hex", Secrets.sha256Hex(password.getBytes(StandardCharsets.US_ASCII)));
        xml.open("networks").value("ip", "::1").value("ip", "127.0.0.1").close();
        xml.value("profile", profile).value("quota", quota);
    }

    /** The user of pipes writes rows and reads from object storage; an old server gives it every right. */
    private void pipes(XmlText xml, String quota, String ownPassword) {
        ownUser(xml, GatewayOwnUser.OF_PIPES, GatewayOwnUser.NAME, quota, Secrets.ofPipes(ownPassword));
        if (kind != DatabaseKind.OLD_SERVER) {
            xml.open("grants");
            RIGHTS_OF_PIPES.forEach(right -> xml.value("query", "GRANT " + right));
            xml.close();
        }
        xml.close();
    }

    private void password(XmlText xml, DatabaseSettings settings) {
        String sha256 = settings.password().sha256();
        switch (kind) {
            case OLD_SERVER -> xml.value("password_sha256_hex", sha256);
            case SERVER -> {
                xml.open("auth_methods")
                        .open("password")
                        .value("password_sha256_hex", sha256)
                        .close();
                xml.open("mysql")
                        .value("password_double_sha1_hex", settings.password().doubleSha1());
                xml.close().close();
            }
            case BUNDLED -> {
                xml.open("auth_methods")
                        .open("password")
                        .value("password_sha256_hex", sha256)
                        .close();
                xml.open(BOOT).open("http_authentication").value("server", BOOT).value("scheme", "basic");
                xml.close().close().close();
            }
        }
    }

    private void rights(XmlText xml) {
        switch (kind) {
            case BUNDLED -> {
                xml.open("grants").value("query", "GRANT ALL ON *.*");
                NOT_FOR_USERS.forEach(right -> xml.value("query", "REVOKE " + right));
                if (!fenced) {
                    // A dictionary may name a program as its source, also one that was made within a fence.
                    xml.value("query", "REVOKE CREATE DICTIONARY, dictGet, SYSTEM RELOAD DICTIONARY ON *.*");
                }
                xml.close();
            }
            case SERVER, OLD_SERVER -> xml.value("access_management", 1);
        }
    }

    private static String slashed(Path folder) {
        return folder + "/";
    }
}
