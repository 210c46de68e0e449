package io.pilothouse.plane.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.pilothouse.plane.local.DatabaseClient.Answer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DatabaseClientTest {
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofSeconds(10);

    private final DatabaseClient client = new DatabaseClient();

    @ParameterizedTest
    @MethodSource
    void answersAreTextRefusalOrSilence(String answer, Answer understood) throws IOException, InterruptedException {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread database = Thread.ofVirtual().start(() -> say(server, answer));
            assertThat(client.query(new PortSet(server.getLocalPort()), "own", "SELECT 1", LONG))
                    .isEqualTo(understood);
            database.join();
        }
    }

    static Stream<Arguments> answersAreTextRefusalOrSilence() {
        Answer nothing = new Answer.Silence("it closed the connection without an answer");
        return Stream.of(
                arguments("HTTP/1.0 200 OK\r\nX: y\r\n\r\n42\n", new Answer.Text("42")),
                arguments(
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n42\r\n1\r\n\n\r\n0\r\n\r\n",
                        new Answer.Text("42")),
                arguments(
                        "HTTP/1.1 404 Not Found\r\n\r\nCode: 60. DB::Exception: No table t. (X)",
                        new Answer.Refusal(60, "No table t. (X).")),
                arguments(
                        "HTTP/1.1 500 Oops\r\n\r\nCode: 46, e.displayText() = DB::Exception: No, e.what() = x",
                        new Answer.Refusal(46, "No.")),
                arguments(
                        "HTTP/1.1 502 Bad Gateway\r\n\r\n",
                        new Answer.Refusal(0, "The database answered 502 Bad Gateway.")),
                arguments("", nothing),
                arguments("HTTP/1.1 200 OK\r\n", nothing),
                arguments(
                        "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n42\n",
                        new Answer.Silence("its answer broke off")));
    }

    private static void say(ServerSocket server, String answer) {
        try (Socket socket = server.accept()) {
            socket.setSoTimeout((int) LONG.toMillis());
            byte[] question = new byte[1024];
            int read = socket.getInputStream().read(question);
            assertThat(new String(question, 0, read, StandardCharsets.US_ASCII))
                    .startsWith("POST /?wait_end_of_query=1 ");
            socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    @Test
    void databaseIsAskedAndPinged() throws IOException {
        try (TinyHttpServer server = new TinyHttpServer(0, "26.7")) {
            assertThat(client.ping(server.ports(), LONG)).isTrue();
            assertThat(client.query(server.ports(), "own", "SELECT version()", LONG))
                    .isEqualTo(new Answer.Text("26.7"));
            assertThat(server.questions()).containsExactly("SELECT version()");
        }
    }

    @Test
    void closedPortAndMutePeerAreSilence() throws IOException {
        PortSet closed;
        try (ServerSocket mute = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            closed = new PortSet(mute.getLocalPort());
            assertThat(client.query(closed, "own", "SELECT 1", SHORT))
                    .isEqualTo(new Answer.Silence("it did not answer within 300 ms"));
            assertThat(client.ping(closed, SHORT)).isFalse();
        }
        assertThat(client.query(closed, "own", "SELECT 1", SHORT))
                .isEqualTo(new Answer.Silence("nothing answers on its port"));
    }

    @Test
    void answerWithoutAnEndIsCutOff() throws IOException, DatabaseFailure, InterruptedException {
        try (ServerSocket endless = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread talker = Thread.ofVirtual().start(() -> talkWithoutEnd(endless));
            assertThat(client.query(new PortSet(endless.getLocalPort()), "own", "SELECT 1", Duration.ofSeconds(30)))
                    .isInstanceOf(Answer.Silence.class);
            talker.join();
        }
    }

    @Test
    void capabilitiesAreAskedNotGuessed() throws IOException, DatabaseFailure, InterruptedException {
        ClickHouse.Bundled bundled = new ClickHouse.Bundled(Path.of("x"), Optional.of("1"));
        ClickHouse.Binary binary = new ClickHouse.Binary(Path.of("x"), Optional.empty());
        PortSet free = new PortSets(new PortSets.PortRange(30_000, 30_899), PortSets::isFree).give(UUID.randomUUID());
        try (TinyHttpServer server = new TinyHttpServer(free.http(), "18.16.1")) {
            assertThat(Capabilities.ask(client, server.ports(), "own", bundled))
                    .isEqualTo(new Capabilities("18.16.1", false, false, false, false));
            assertThatThrownBy(() -> Capabilities.ask(client, server.ports(), "own", new ClickHouse.None("None.")))
                    .isInstanceOf(DatabaseFailure.class)
                    .hasMessage("None.");
            try (ServerSocket tcp = bind(server.ports().nativeProtocol());
                    ServerSocket mysql = bind(server.ports().mysql())) {
                Thread greeter = Thread.ofVirtual().start(() -> greet(mysql));
                assertThat(Capabilities.ask(client, server.ports(), "own", binary))
                        .isEqualTo(new Capabilities("18.16.1", false, tcp.isBound(), true, true));
                greeter.join();
            }
        }
    }

    @Test
    void databaseThatFallsSilentIsAFault() {
        assertThatThrownBy(() -> Capabilities.ask(
                        client, new PortSet(1), "own", new ClickHouse.Bundled(Path.of("x"), Optional.of("1"))))
                .isInstanceOf(DatabaseFailure.class)
                .hasMessage("The database does not answer.");
    }

    private static ServerSocket bind(int port) throws IOException {
        return new ServerSocket(port, 5, InetAddress.getLoopbackAddress());
    }

    private static void greet(ServerSocket mysql) {
        try (Socket socket = mysql.accept()) {
            socket.getOutputStream().write(new byte[] {1, 0, 0, 0, 10});
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    private static void talkWithoutEnd(ServerSocket endless) {
        try (Socket socket = endless.accept()) {
            byte[] noise = "x".repeat(65_536).getBytes(StandardCharsets.US_ASCII);
            while (true) {
                socket.getOutputStream().write(noise);
            }
        } catch (IOException cutOff) {
            assertThat(cutOff).isNotNull();
        }
    }
}
