package io.pilothouse.pipes.worker.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.base.Tree;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.RoleKey;
import io.pilothouse.pipes.wire.Words;
import io.pilothouse.pipes.worker.outside.FakeParent;
import io.pilothouse.pipes.worker.outside.Trouble;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a database of Amazon's is shown in place of a password. */
class PostgresLoginTest {
    private static final Clock NOW = Clock.fixed(Instant.parse("2026-01-02T03:04:05Z"), ZoneOffset.UTC);
    private static final RoleKey KEY =
            new RoleKey("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "a/token+1==");

    private static PostgresLogin login(FakeParent parent, int port, String tlsHost) {
        return new PostgresLogin(
                parent.link(),
                new Assignment(
                        "p",
                        "postgres",
                        new Tree.Members(Map.of(
                                "host", new Tree.Text("127.0.0.1"),
                                "tlsHost", new Tree.Text(tlsHost),
                                "port", new Tree.Figure(port),
                                "database", new Tree.Text("d"),
                                "authentication", new Tree.Text("IAM_ROLE"),
                                "disableTls", new Tree.Flag(true))),
                        new Tree.Members(
                                Map.of("credentials", new Tree.Members(Map.of("username", new Tree.Text("ada b"))))),
                        Tree.Members.NONE,
                        new Assignment.Target("", "", List.of(), List.of(), ""),
                        0,
                        Assignment.Errand.MOVE,
                        0,
                        new Assignment.Share(0, 1, 1, 1, 1000)),
                NOW);
    }

    /** Reads what a client sends in place of a password, and refuses it. */
    private static String password(ServerSocket server) throws IOException {
        try (Socket client = server.accept()) {
            DataInputStream in = new DataInputStream(client.getInputStream());
            DataOutputStream out = new DataOutputStream(client.getOutputStream());
            in.readNBytes(in.readInt() - 4);
            // It wants the password as it is.
            out.writeByte('R');
            out.writeInt(8);
            out.writeInt(3);
            out.flush();
            in.readByte();
            byte[] password = in.readNBytes(in.readInt() - 4);
            byte[] refusal = "SFATAL\0C28P01\0Mno\0\0".getBytes(StandardCharsets.US_ASCII);
            out.writeByte('E');
            out.writeInt(4 + refusal.length);
            out.write(refusal);
            out.flush();
            return new String(password, 0, password.length - 1, StandardCharsets.UTF_8);
        }
    }

    @Test
    void roleIsProvenByAnAddressThatIsSignedForTheDatabaseByItsOwnName() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                FakeParent parent = new FakeParent(_ -> KEY.tree())) {
            CompletableFuture<String> shown = CompletableFuture.supplyAsync(() -> {
                try {
                    return password(server);
                } catch (IOException broken) {
                    return broken.toString();
                }
            });
            PostgresLogin login = login(parent, server.getLocalPort(), "db.abc.us-east-1.rds.amazonaws.com");
            assertThatThrownBy(login::open).isInstanceOf(SQLException.class);
            assertThat(shown.join())
                    .startsWith("db.abc.us-east-1.rds.amazonaws.com:" + server.getLocalPort()
                            + "/?Action=connect&DBUser=ada%20b&X-Amz-Algorithm=AWS4-HMAC-SHA256"
                            + "&X-Amz-Credential=AKIDEXAMPLE%2F20260102%2Fus-east-1%2Frds-db%2Faws4_request"
                            + "&X-Amz-Date=20260102T030405Z&X-Amz-Expires=900")
                    .containsPattern("&X-Amz-Signature=[0-9a-f]{64}$");
        }
    }

    @Test
    void whatIsMissingIsSaidInASentence() throws IOException {
        try (FakeParent parent = new FakeParent(
                _ -> new Tree.Members(Map.of(Words.REFUSED, new Tree.Text("There is no key for it."))))) {
            assertSaid(login(parent, 1, "db.example.com"), Trouble.Owner.class, "give its own name as tlsHost");
            assertSaid(
                    login(parent, 1, "db.abc.us-east-1.rds.amazonaws.com"),
                    Trouble.SourceAway.class,
                    "There is no key for it.");
        }
    }

    private static void assertSaid(PostgresLogin login, Class<? extends Trouble> type, String words) {
        assertThatThrownBy(login::open)
                .isInstanceOfSatisfying(
                        SQLException.class,
                        error -> assertThat(login.meaning(error))
                                .isInstanceOf(type)
                                .hasMessageContaining(words));
    }
}
