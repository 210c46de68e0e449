package io.pilothouse.server;

import io.pilothouse.core.port.Clock;
import io.pilothouse.incoming.tls.TlsAuthority;
import io.pilothouse.incoming.tls.TlsKeys;
import io.pilothouse.incoming.tls.TlsLeaves;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;

/** A real PostgreSQL that programs have their store in: over TLS, with a password, and it can be started again. */
final class StorePostgres implements AutoCloseable {
    private static final String SECRET = "a-store-secret-nobody-shall-see";
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long BETWEEN_LOOKS_NANOS = 20_000_000;
    private static final int FIRST_PORT = 15_000;
    private static final int PORTS = 4_000;

    private final Path folder;
    private final TlsAuthority authority;
    private EmbeddedPostgres server;

    StorePostgres(Path folder) throws IOException, SQLException {
        this.folder = folder;
        authority = TlsAuthority.open(folder.resolve("authority"), (Clock) Instant::now, new SecureRandom());
        Files.writeString(folder.resolve("password"), SECRET + "\n");
        server = start(freePort());
        execute("CREATE ROLE keeper LOGIN PASSWORD '" + SECRET + "'");
        execute("CREATE DATABASE kept OWNER keeper");
    }

    private EmbeddedPostgres start(int port) throws IOException {
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setDataDirectory(folder.resolve("postgres"))
                .setCleanDataDirectory(false)
                .setDataDirectoryCustomizer(this::askForTlsAndPassword)
                .setPGStartupWait(PATIENCE)
                .setServerConfig("ssl", "on");
        return builder.setPort(port).start();
    }

    /** Below those that the system gives to connections, so that it is still free when the server comes back. */
    private static int freePort() throws IOException {
        long first = ProcessHandle.current().pid();
        for (int tried = 0; tried < PORTS; tried++) {
            try (ServerSocket probe = new ServerSocket(FIRST_PORT + (int) ((first + tried) % PORTS))) {
                return probe.getLocalPort();
            } catch (BindException taken) {
                // Another one.
            }
        }
        throw new IOException("No port is free");
    }

    private void askForTlsAndPassword(File data) {
        Path home = data.toPath();
        try {
            TlsKeys.Issued leaf = new TlsLeaves(authority, List.of("localhost")).issue(Instant.now());
            StringBuilder chain = new StringBuilder();
            for (var certificate : leaf.chain()) {
                chain.append(pem("CERTIFICATE", certificate.getEncoded()));
            }
            Files.writeString(home.resolve("server.crt"), chain);
            Path key = home.resolve("server.key");
            Files.deleteIfExists(key);
            Files.createFile(key, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(
                    key, pem("PRIVATE KEY", Objects.requireNonNull(leaf.key().getEncoded())));
            Files.writeString(home.resolve("pg_hba.conf"), """
                hostssl kept keeper all scram-sha-256
                host all postgres all trust
                local all postgres trust
                """);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String pem(String what, byte[] content) {
        return "-----BEGIN " + what + "-----\n"
                + Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                        .encodeToString(content)
                + "\n-----END " + what + "-----\n";
    }

    /** The flags of a program that has its store here. */
    List<String> flags() {
        return flags(server.getPort());
    }

    int port() {
        return server.getPort();
    }

    /** The same for one that reaches the server by another port of this machine. */
    List<String> flags(int port) {
        return List.of(
                "--store",
                "postgresql://keeper@localhost:" + port + "/kept?sslmode=verify-full",
                "--store-password-file",
                folder.resolve("password").toString(),
                "--store-root-cert",
                authority.certificateFile().toString());
    }

    /** Takes everything out of the database of the programs. */
    void clear() throws SQLException {
        execute("DROP DATABASE kept");
        execute("CREATE DATABASE kept OWNER keeper");
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Runs this in the database of the programs, as the role they come with. */
    void executeAsKeeper(String sql) throws SQLException {
        try (Connection connection = server.getDatabase("postgres", "kept").getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SET ROLE keeper");
            statement.execute(sql);
        }
    }

    /** A number out of the database of the programs. */
    long count(String sql) throws SQLException {
        try (Connection connection = server.getDatabase("postgres", "kept").getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Stops the server, does this while it is away, and starts it on the same port. */
    void whileAway(Work work) throws Exception {
        int port = server.getPort();
        server.close();
        awaitStopped();
        try {
            work.run();
        } finally {
            server = start(port);
        }
    }

    /** Waits until no program has a connection any more: what a dead one left ends when the server comes to it. */
    void awaitNobody() throws SQLException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (connections() > 0) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("A program still has connections");
            }
            LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
        }
    }

    private int connections() throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT COUNT(*) FROM pg_stat_activity WHERE usename = 'keeper'")) {
            row.next();
            return row.getInt(1);
        }
    }

    /** A stop waits for a few seconds only, which a busy disk may exceed. */
    private void awaitStopped() {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (Files.exists(folder.resolve("postgres/postmaster.pid"))) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("The server does not stop");
            }
            LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
        }
    }

    /** Something to do meanwhile. */
    @FunctionalInterface
    interface Work {
        void run() throws Exception;
    }

    @Override
    public void close() throws IOException {
        server.close();
        // Its files lie in the folder of the test, which is deleted next.
        awaitStopped();
    }
}
