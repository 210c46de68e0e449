package io.pilothouse.plane.local.bundled;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BootLoginTest {
    private BootLogin gate;
    private Thread serving;

    @BeforeEach
    void open() throws IOException {
        gate = new BootLogin(Thread::startVirtualThread);
        serving = Thread.ofVirtual().start(gate::serve);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        gate.close();
        serving.join();
    }

    @Test
    void firstQuestionIsAYesAndAllOthersANo() throws IOException {
        assertThat(ask(gate.address().getPath())).startsWith("HTTP/1.1 200");
        assertThat(ask(gate.address().getPath())).startsWith("HTTP/1.1 403");
        assertThat(ask(gate.address().getPath())).startsWith("HTTP/1.1 403");
    }

    @Test
    void strangersDoNotUseUpTheYes() throws IOException {
        assertThat(ask("/")).startsWith("HTTP/1.1 403");
        assertThat(ask(gate.address().getPath() + "x")).startsWith("HTTP/1.1 403");
        assertThat(say("x".repeat(9000))).startsWith("HTTP/1.1 403");
        try (Socket silent = connect()) {
            silent.shutdownOutput();
        }

        assertThat(ask(gate.address().getPath())).startsWith("HTTP/1.1 200");
    }

    @Test
    void strangersWhoSayNothingHoldNobodyUp() throws IOException {
        List<Socket> silent = new ArrayList<>();
        try {
            for (int each = 0; each < 40; each++) {
                silent.add(connect());
            }
            long asked = System.nanoTime();

            assertThat(ask(gate.address().getPath())).startsWith("HTTP/1.1 200");

            assertThat(Duration.ofNanos(System.nanoTime() - asked))
                    .as("one after another they would take 20 s")
                    .isLessThan(Duration.ofSeconds(10));
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    @Test
    void addressIsOnLoopbackAndCannotBeGuessed() throws IOException {
        URI address = gate.address();

        assertThat(address.getHost()).isEqualTo("127.0.0.1");
        assertThat(address.getPath()).matches("/[0-9a-f]{32}");
        try (BootLogin other = new BootLogin(Thread::startVirtualThread)) {
            assertThat(other.address()).isNotEqualTo(address);
        }
    }

    private String ask(String path) throws IOException {
        return say("GET " + path + " HTTP/1.1\r\nHost: x\r\nAuthorization: Basic ZGVmYXVsdDo=\r\n\r\n");
    }

    private String say(String text) throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    private Socket connect() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), gate.address().getPort());
    }
}
