package io.pilothouse.pipes.worker.postgres;

import io.pilothouse.core.base.Tree;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.worker.aws.AwsKeys;
import io.pilothouse.pipes.worker.aws.AwsRegion;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import io.pilothouse.pipes.worker.outside.Trouble.SourceAway;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import org.postgresql.PGProperty;

/** Connects to the source with the credentials of the pipe, and says in a sentence what its refusals mean. */
final class PostgresLogin {
    private static final int CONNECT_SECONDS = 10;
    private static final Duration HOLDS = Duration.ofMinutes(15);
    private static final String SCHEME = "https://";
    private static final String NO_LOGIN = "28000";
    private static final String UNREACHED = "08001";
    /** The texts of values mean the same wherever the server is. */
    private static final String SAME_TEXTS =
            "SET TimeZone = 'UTC'; SET DateStyle = 'ISO, YMD'; SET IntervalStyle = 'postgres'; SET bytea_output = 'hex';"
                    + " SET extra_float_digits = 1; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0";

    /** Classes of errors that stay until somebody changes the source or the pipe. */
    private static final Set<String> OF_THE_OWNER = Set.of("0A", "22", "28", "3D", "3F", "42", "55");

    /** What goes into the address of a connection, where more could mean more. */
    private static final Pattern HOST = Pattern.compile("[\\p{Alnum}._:%-]+");

    private static final int USUAL_PORT = 5432;
    /** Somebody else is about to make, use or lock the same thing: it passes. */
    private static final Set<String> PASSING = Set.of("55006", "42710", "55P03");

    private static final String FORBIDDEN = "42501";
    /** The server, or its lack of TLS, refuses the connection. */
    private static final String REJECTED = "08004";

    private final Tree.Members source;
    private final Tree.Members credentials;
    private final Optional<AwsKeys> keys;
    private final Clock clock;

    PostgresLogin(Link link, Assignment assignment, Clock clock) {
        this.keys = AwsKeys.of(link, assignment, clock);
        this.clock = clock;
        this.source = assignment.source();
        this.credentials = assignment.secrets().members("credentials").orElse(Tree.Members.NONE);
    }

    Connection open() throws SQLException {
        return open(properties());
    }

    /** One that can follow changes. */
    Connection openReplication() throws SQLException, Owner {
        Properties properties = properties();
        PGProperty.REPLICATION.set(properties, "database");
        PGProperty.PREFER_QUERY_MODE.set(properties, "simple");
        PGProperty.ASSUME_MIN_SERVER_VERSION.set(properties, "12");
        try {
            return open(properties);
        } catch (SQLException error) {
            if (isForbidden(error)) {
                String user = credentials.text("username").orElse("");
                throw new Owner("The user " + user + " may not replicate: ALTER ROLE " + SourceTable.quoted(user)
                        + " REPLICATION, or on Amazon's servers GRANT rds_replication.");
            }
            throw error;
        }
    }

    static boolean isForbidden(SQLException error) {
        return FORBIDDEN.equals(error.getSQLState());
    }

    private Connection open(Properties properties) throws SQLException {
        String host = source.text("host").orElse("");
        if (!HOST.matcher(host).matches()) {
            throw new SQLException("there is no such host", NO_LOGIN);
        }
        String address = "jdbc:postgresql://" + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port() + "/"
                + URLEncoder.encode(source.text("database").orElse(""), StandardCharsets.UTF_8);
        Connection connection = DriverManager.getConnection(address, properties);
        boolean ready = false;
        try (Statement statement = connection.createStatement()) {
            statement.execute(SAME_TEXTS);
            ready = true;
            return connection;
        } finally {
            if (!ready) {
                connection.close();
            }
        }
    }

    private int port() {
        return source.number("port").map(Double::intValue).orElse(USUAL_PORT);
    }

    private Properties properties() throws SQLException {
        Properties properties = new Properties();
        PGProperty.USER.set(properties, credentials.text("username").orElse(""));
        PGProperty.PASSWORD.set(
                properties,
                keys.isPresent()
                        ? proof(keys.get())
                        : credentials.text("password").orElse(""));
        PGProperty.CONNECT_TIMEOUT.set(properties, CONNECT_SECONDS);
        PGProperty.TCP_KEEP_ALIVE.set(properties, true);
        PGProperty.APPLICATION_NAME.set(properties, "pilothouse");
        PostgresTls.set(properties, source);
        return properties;
    }

    /** What a database of Amazon's takes in place of a password: an address, signed with a key of the role. */
    private String proof(AwsKeys role) throws SQLException {
        String named = source.text("tlsHost")
                .filter(name -> !name.isEmpty())
                .orElseGet(() -> source.text("host").orElse(""));
        String region = AwsRegion.of(named)
                .orElseThrow(() -> new SQLException(
                        "the name " + named
                                + " does not say which region of AWS it is in; give its own name as tlsHost",
                        NO_LOGIN));
        try {
            String address = role.signature(region, "rds-db")
                    .presigned(
                            URI.create(SCHEME + named + ":" + port()),
                            Map.of(
                                    "Action",
                                    "connect",
                                    "DBUser",
                                    credentials.text("username").orElse("")),
                            HOLDS,
                            clock.instant());
            return address.substring(SCHEME.length());
        } catch (SourceAway away) {
            throw new SQLException(away.sentence(), UNREACHED, away);
        } catch (IllegalArgumentException _) {
            throw new SQLException("there is no such host", NO_LOGIN);
        }
    }

    /** What an error means for the pipe; the driver puts no credentials into its messages. */
    Trouble meaning(SQLException error) {
        String state = error.getSQLState() == null ? "" : error.getSQLState();
        String said = String.valueOf(error.getMessage()).strip();
        String first =
                said.startsWith("FATAL: ") || said.startsWith("ERROR: ") ? said.substring("ERROR: ".length()) : said;
        String where = source.text("host").orElse("") + ":" + port();
        boolean owner = state.equals(REJECTED)
                || (state.length() > 2 && OF_THE_OWNER.contains(state.substring(0, 2)) && !PASSING.contains(state));
        return owner
                ? new Owner("PostgreSQL at " + where + " refuses: " + first)
                : new SourceAway("PostgreSQL at " + where + " does not answer as it should: " + first);
    }
}
