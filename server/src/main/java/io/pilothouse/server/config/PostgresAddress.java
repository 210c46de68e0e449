package io.pilothouse.server.config;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A database of a PostgreSQL server, and whether the way there is TLS with a verified name. */
public record PostgresAddress(String user, String host, int port, String database, boolean tls) {
    private static final Pattern URL =
            Pattern.compile("postgres(?:ql)?://([A-Za-z0-9_.-]{1,63})@([A-Za-z0-9.-]{1,253}|\\[[0-9A-Fa-f:.]+])"
                    + "(?::([0-9]{1,5}))?/([A-Za-z0-9_.-]{1,63})(?:\\?sslmode=(disable|verify-full))?");
    private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final int USUAL_PORT = 5432;
    private static final int MAX_PORT = 65_535;
    private static final String REQUIREMENT = "must be postgresql://USER@HOST:PORT/DATABASE, without a password, and"
            + " with nothing after it but ?sslmode=verify-full or ?sslmode=disable";

    /** Without a word about TLS, it is TLS unless the server is on this machine. */
    static PostgresAddress read(String text) throws BadValue {
        Matcher matcher = URL.matcher(text);
        if (!matcher.matches()) {
            throw new BadValue(REQUIREMENT);
        }
        String host = matcher.group(2);
        int port = matcher.group(3) == null ? USUAL_PORT : Integer.parseInt(matcher.group(3));
        if (port < 1 || port > MAX_PORT) {
            throw new BadValue(REQUIREMENT);
        }
        boolean tls = matcher.group(5) == null
                ? !THIS_MACHINE.contains(host)
                : !matcher.group(5).equals("disable");
        return new PostgresAddress(matcher.group(1), host, port, matcher.group(4), tls);
    }

    /** The address as the driver takes it; {@code root} has the certificates that are trusted, if not the usual ones. */
    public String url(Optional<Path> root) {
        String base = "jdbc:postgresql://" + host + ":" + port + "/" + encoded(database);
        if (!tls) {
            return base + "?sslmode=disable";
        }
        return base + "?sslmode=verify-full&"
                + root.map(file ->
                                "sslrootcert=" + encoded(file.toAbsolutePath().toString()))
                        .orElse("sslfactory=org.postgresql.ssl.DefaultJavaSSLFactory");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** As it is typed. */
    @Override
    public String toString() {
        return "postgresql://" + user + "@" + host + ":" + port + "/" + database + "?sslmode="
                + (tls ? "verify-full" : "disable");
    }
}
