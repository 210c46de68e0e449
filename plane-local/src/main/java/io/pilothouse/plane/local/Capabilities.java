package io.pilothouse.plane.local;

import io.pilothouse.gateway.GatewayProtocol;
import io.pilothouse.plane.local.DatabaseClient.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The features of a running database, as it showed when it was asked; never guessed from its version. */
public record Capabilities(String version, boolean backup, boolean nativeProtocol, boolean mysql, boolean reload) {
    private static final Duration MAX_ANSWER = Duration.ofSeconds(5);
    private static final int MAX_GREETING_MILLIS = 1000;
    private static final int MYSQL_PROTOCOL_VERSION = 10;

    /** Asks the database; a refused question means that it cannot, an unanswered one throws. */
    static Capabilities ask(DatabaseClient client, PortSet ports, String password, ClickHouse clickhouse)
            throws DatabaseFailure {
        String version = switch (client.query(ports, password, "SELECT version()", MAX_ANSWER)) {
            case Answer.Text(String value) -> value;
            case Answer.Refusal(int code, String sentence) ->
                throw new DatabaseFailure("Something on the service's port " + ports.http()
                        + " is not its database, or does not know the control plane.");
            case Answer.Silence(String reason) -> throw new DatabaseFailure("The database does not answer.");
        };
        boolean backup = isYes(client.query(
                ports,
                password,
                "SELECT count() FROM system.tables WHERE database = 'system' AND name = 'backups'",
                MAX_ANSWER));
        return switch (clickhouse) {
            // It is never configured to open other ports: there a wrong password would end it.
            case ClickHouse.Bundled bundled -> new Capabilities(version, backup, false, false, false);
            case ClickHouse.Binary binary ->
                new Capabilities(version, backup, opens(ports.nativeProtocol()), greetsAsMysql(ports.mysql()), true);
            case ClickHouse.None none -> throw new DatabaseFailure(none.reason());
        };
    }

    /** Under the contract's names. */
    List<String> protocols() {
        List<String> spoken = new ArrayList<>(List.of(GatewayProtocol.HTTPS.wireName()));
        if (nativeProtocol) {
            spoken.add(GatewayProtocol.NATIVESECURE.wireName());
        }
        if (mysql) {
            spoken.add(GatewayProtocol.MYSQL.wireName());
        }
        return spoken;
    }

    private static boolean isYes(Answer answer) {
        return answer instanceof Answer.Text(String value) && value.equals("1");
    }

    private static boolean opens(int port) {
        try (Socket socket = connect(port)) {
            return socket.isConnected();
        } catch (IOException refused) {
            return false;
        }
    }

    /** A MySQL server speaks first, with its protocol's version behind a head of four bytes. */
    private static boolean greetsAsMysql(int port) {
        try (Socket socket = connect(port)) {
            socket.setSoTimeout(MAX_GREETING_MILLIS);
            InputStream in = socket.getInputStream();
            byte[] head = in.readNBytes(5);
            return head.length == 5 && head[4] == MYSQL_PROTOCOL_VERSION;
        } catch (IOException refused) {
            return false;
        }
    }

    private static Socket connect(int port) throws IOException {
        Socket socket = new Socket();
        socket.connect(
                new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port), MAX_GREETING_MILLIS);
        return socket;
    }
}
