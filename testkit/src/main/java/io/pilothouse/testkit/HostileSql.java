package io.pilothouse.testkit;

import java.util.List;

/**
 * What SQL of one tenant tries against a place of this machine that is not its own. Every attack has to be refused,
 * whatever became of the preparations.
 */
public record HostileSql(String host, int port, String password) {
    /** How one place can be written. */
    public static final List<String> HOSTS = List.of("127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0.0.0.0");

    private String place() {
        return host + ":" + port;
    }

    /** What only prepares an attack, and may be let through. */
    public List<String> preparations() {
        String place = place();
        String bare = host.replaceAll("[\\[\\]]", "");
        return List.of(
                "CREATE OR REPLACE TABLE u (line String) ENGINE = URL('http://" + place + "/', 'LineAsString')",
                "CREATE OR REPLACE TABLE s (line String) ENGINE = S3('http://" + place
                        + "/bucket/key', NOSIGN, 'LineAsString')",
                "CREATE OR REPLACE TABLE y (a Int8) ENGINE = MySQL('" + place + "', 'd', 't', 'u', 'p')",
                "CREATE DATABASE IF NOT EXISTS p ENGINE = PostgreSQL('" + place + "', 'd', 'u', 'p')",
                "CREATE OR REPLACE DICTIONARY h (k UInt64, v String) PRIMARY KEY k SOURCE(HTTP(url 'http://" + place
                        + "/' format 'TSV')) LIFETIME(0) LAYOUT(FLAT())",
                "CREATE OR REPLACE DICTIONARY c (dummy UInt64) PRIMARY KEY dummy SOURCE(CLICKHOUSE(host '" + bare
                        + "' port " + port + " user 'default' password '" + password
                        + "' db 'system' table 'one')) LIFETIME(0) LAYOUT(FLAT())");
    }

    /** Takes away what would be in the way of the next preparations. */
    public String cleaning() {
        return "DROP DATABASE p";
    }

    /** Each without the further tries that follow a refusal. */
    public List<String> attacks() {
        String place = place();
        String login = "', 'system', 'one', 'default', '" + password + "')";
        return List.of(
                        "SELECT * FROM url('http://" + place + "/?user=default&password=" + password
                                + "&query=SELECT+1', 'LineAsString')",
                        "INSERT INTO FUNCTION url('http://" + place + "/', 'LineAsString', 'line String') VALUES ('x')",
                        "SELECT * FROM remote('" + place + login,
                        "SELECT * FROM remoteSecure('" + place + login,
                        "SELECT * FROM s3('http://" + place + "/bucket/key', NOSIGN, 'LineAsString', 'line String')",
                        "SELECT * FROM gcs('http://" + place + "/bucket/key', NOSIGN, 'LineAsString', 'line String')",
                        "SELECT * FROM mysql('" + place + "', 'd', 't', 'u', 'p')",
                        "SELECT * FROM postgresql('" + place + "', 'd', 't', 'u', 'p')",
                        "SELECT * FROM mongodb('" + place + "', 'd', 'c', 'u', 'p', 'a String')",
                        "SELECT * FROM redis('" + place + "', 'k', 'k String, v String')",
                        "CREATE DATABASE m ENGINE = MySQL('" + place + "', 'd', 'u', 'p')",
                        "BACKUP TABLE u TO S3('http://" + place + "/bucket/b', 'k', 's')",
                        "SELECT * FROM u",
                        "SELECT * FROM s",
                        "SELECT * FROM y",
                        "SELECT * FROM p.t",
                        "SELECT dictGet('h', 'v', toUInt64(1))",
                        "SELECT dictHas('c', toUInt64(1))",
                        "SELECT * FROM executable('cat', 'LineAsString', 'line String')")
                .stream()
                .map(HostileSql::once)
                .toList();
    }

    private static String once(String sql) {
        if (sql.startsWith("BACKUP")) {
            return sql + " SETTINGS backup_restore_s3_retry_attempts = 0";
        }
        return sql.startsWith("SELECT") ? sql + " SETTINGS s3_retry_attempts = 0, http_max_tries = 1" : sql;
    }
}
