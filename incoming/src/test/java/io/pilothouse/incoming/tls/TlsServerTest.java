package io.pilothouse.incoming.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.testkit.SimTime;
import io.pilothouse.testkit.Trusting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsServerTest {
    private static final List<String> NAMES = List.of("localhost", "127.0.0.1", "::1");

    /** The clients look at the machine's clock, so that every certificate of this test has to hold today. */
    private final SimTime time =
            new SimTime(Instant.now().truncatedTo(ChronoUnit.SECONDS).minus(Duration.ofDays(61)));

    private final TlsAuthority authority;
    private final TlsServer server;

    TlsServerTest(@TempDir Path folder) throws IOException, GeneralSecurityException {
        authority = TlsAuthority.open(folder, time, new SecureRandom());
        server = new TlsServer(new TlsLeaves(authority, NAMES), time);
    }

    @Test
    void leafIsRenewedLongBeforeItsEndAndNotEarlier()
            throws GeneralSecurityException, IOException, InterruptedException {
        X509Certificate first = presented();
        time.advance(Duration.ofDays(59));
        assertThat(presented()).isEqualTo(first);
        time.advance(Duration.ofDays(1));
        X509Certificate second = presented();
        assertThat(second).isNotEqualTo(first);
        assertThat(second.getNotAfter().toInstant()).isEqualTo(time.now().plus(Duration.ofDays(90)));
        assertThat(server.endsAt()).isEqualTo(second.getNotAfter().toInstant());
        assertThat(presented()).isEqualTo(second);
    }

    @Test
    void leafOfAnAuthorityNearItsEndIsNotRenewedForEveryClient()
            throws GeneralSecurityException, IOException, InterruptedException {
        Instant end = authority.certificate().getNotAfter().toInstant();
        time.advanceTo(end.minus(Duration.ofDays(2)));
        TlsServer late = new TlsServer(new TlsLeaves(authority, NAMES), time);
        X509Certificate first = handshake(late, "localhost", "http/1.1", everything());
        assertThat(first.getNotAfter().toInstant()).isEqualTo(end);
        time.advance(Duration.ofMinutes(59));
        assertThat(handshake(late, "localhost", "http/1.1", everything())).isEqualTo(first);
        time.advance(Duration.ofMinutes(1));
        assertThat(handshake(late, "localhost", "http/1.1", everything())).isNotEqualTo(first);
    }

    @Test
    void everyNameOfTheGatewayIsVerifiedByAnOrdinaryClient()
            throws GeneralSecurityException, IOException, InterruptedException {
        for (String name : NAMES) {
            assertThat(handshake(name, "http/1.1")).isNotNull();
        }
        assertThatThrownBy(() -> handshake("db.example.org", "http/1.1")).isInstanceOf(SSLException.class);
    }

    @Test
    void clientThatSpeaksOnlyAnotherHttpIsRefusedInTheHandshake() {
        assertThatThrownBy(() -> handshake("localhost", "h2")).isInstanceOf(SSLException.class);
    }

    private X509Certificate presented() throws GeneralSecurityException, IOException, InterruptedException {
        return handshake("localhost", "http/1.1");
    }

    /** The first byte is read before TLS begins, as the gateway does. */
    private X509Certificate handshake(String name, String applicationProtocol)
            throws GeneralSecurityException, IOException, InterruptedException {
        return handshake(server, name, applicationProtocol, Trusting.only(authority.certificate()));
    }

    private static X509Certificate handshake(TlsServer at, String name, String applicationProtocol, SSLContext trust)
            throws IOException, InterruptedException {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Future<Boolean> served = threads.submit(() -> {
                try (Socket accepted = listener.accept()) {
                    byte[] first = accepted.getInputStream().readNBytes(1);
                    at.accept(accepted, first, Optional.of("http/1.1")).startHandshake();
                    return true;
                } catch (SSLException refused) {
                    return false;
                }
            });
            try (Socket plain = new Socket(listener.getInetAddress(), listener.getLocalPort());
                    SSLSocket secured = (SSLSocket)
                            trust.getSocketFactory().createSocket(plain, name, listener.getLocalPort(), false)) {
                SSLParameters parameters = secured.getSSLParameters();
                parameters.setEndpointIdentificationAlgorithm("HTTPS");
                parameters.setApplicationProtocols(new String[] {applicationProtocol});
                secured.setSSLParameters(parameters);
                secured.startHandshake();
                assertThat(done(served)).isTrue();
                return (X509Certificate) secured.getSession().getPeerCertificates()[0];
            }
        }
    }

    /** Trusts whatever it is shown, for days that are not today. */
    private static SSLContext everything() throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new TrustingAll()}, null);
        return context;
    }

    private static final class TrustingAll extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    private static boolean done(Future<Boolean> served) throws InterruptedException {
        try {
            return served.get();
        } catch (ExecutionException failed) {
            throw new AssertionError(failed);
        }
    }
}
