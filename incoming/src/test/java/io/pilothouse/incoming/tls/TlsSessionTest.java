package io.pilothouse.incoming.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client may and need not do again with TLS. */
class TlsSessionTest {
    private static final int PATIENCE_MILLIS = 10_000;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ServerSocket listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    private final TlsServer server;
    private final AtomicInteger fullHandshakes = new AtomicInteger();
    private final SSLContext client;

    TlsSessionTest(@TempDir Path folder) throws IOException, GeneralSecurityException {
        TlsAuthority authority = TlsAuthority.open(folder, Instant::now, new SecureRandom());
        server = new TlsServer(new TlsLeaves(authority, List.of("localhost")), Instant::now);
        client = SSLContext.getInstance("TLS");
        client.init(null, new TrustManager[] {new Counting()}, null);
        threads.execute(this::echo);
    }

    @AfterEach
    void close() throws IOException {
        listener.close();
        threads.shutdownNow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void returningClientNeedsNoFullHandshake(String version) throws IOException {
        for (int visit = 0; visit < 5; visit++) {
            try (SSLSocket socket = connect(version)) {
                assertThat(echoed(socket, 'a')).isEqualTo('a');
                assertThat(socket.getSession().getProtocol()).isEqualTo(version);
            }
        }
        assertThat(fullHandshakes).hasValue(1);
    }

    @Test
    void clientThatKnowsBothSpeaksTheNewerVersion() throws IOException {
        try (SSLSocket socket = connect("TLSv1.2", "TLSv1.3")) {
            assertThat(socket.getSession().getProtocol()).isEqualTo("TLSv1.3");
        }
        assertThatThrownBy(() -> connect("TLSv1.1")).isInstanceOf(IOException.class);
    }

    @Test
    void clientMayNotHandshakeAgainOnItsConnection() throws IOException {
        try (SSLSocket socket = connect("TLSv1.2")) {
            assertThat(echoed(socket, 'a')).isEqualTo('a');
            assertThatThrownBy(() -> {
                        socket.startHandshake();
                        assertThat(echoed(socket, 'b')).isEqualTo('b');
                    })
                    .isInstanceOf(IOException.class);
        }
    }

    private SSLSocket connect(String... versions) throws IOException {
        SSLSocket socket =
                (SSLSocket) client.getSocketFactory().createSocket(listener.getInetAddress(), listener.getLocalPort());
        try {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.setEnabledProtocols(versions);
            socket.startHandshake();
            return socket;
        } catch (IOException refused) {
            socket.close();
            throw refused;
        }
    }

    private static int echoed(Socket socket, int letter) throws IOException {
        socket.getOutputStream().write(letter);
        return socket.getInputStream().read();
    }

    private void echo() {
        while (!listener.isClosed()) {
            try {
                Socket accepted = listener.accept();
                threads.execute(() -> echo(accepted));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void echo(Socket accepted) {
        try (accepted) {
            byte[] first = accepted.getInputStream().readNBytes(1);
            SSLSocket secured = server.accept(accepted, first, Optional.empty());
            for (int next = secured.getInputStream().read();
                    next >= 0;
                    next = secured.getInputStream().read()) {
                secured.getOutputStream().write(next);
            }
        } catch (IOException gone) {
            // The client is told by its own side.
        }
    }

    /** Is asked once for each full handshake, and never for a resumed session. */
    private final class Counting implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {
            fullHandshakes.incrementAndGet();
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
