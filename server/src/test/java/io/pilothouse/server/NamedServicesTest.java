package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pilothouse.testkit.Trusting;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.IntStream;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a domain, all services are at two ports and each has a name; without it, each has its own ports. */
class NamedServicesTest {
    private static final int PORTS = 12;

    @TempDir
    private Path folder;

    private final int first = DoorsProgram.firstOf(PORTS);
    private final int https = DoorsProgram.firstOf(1);
    private final int nativesecure = DoorsProgram.firstOf(1);

    private DoorsProgram named() throws StartRefused {
        return DoorsProgram.start(
                folder,
                first,
                PORTS,
                "--service-domain",
                "db.example.org",
                "--service-ports",
                https + "," + nativesecure);
    }

    @Test
    void everyServiceIsReachedByItsNameForAsLongAsItIsThere()
            throws GeneralSecurityException, IOException, InterruptedException, StartRefused {
        try (DoorsProgram doors = named()) {
            String created = doors.created();
            String other = doors.created();
            assertThat(DoorsProgram.ports(created)).containsExactly(https, nativesecure);
            assertThat(host(created))
                    .matches("[0-9a-f]{16}\\.db\\.example\\.org")
                    .isNotEqualTo(host(other));
            assertThat(listening(first)).isZero();
            for (int port : new int[] {https, nativesecure}) {
                shakeHands(host(created), port);
                shakeHands(host(other), port);
                assertNobody("0123456789abcdef.db.example.org", port);
            }
            doors.delete(created);
            assertNobody(host(created), https);
            shakeHands(host(other), https);
        }
    }

    @Test
    void addressesAreOnesOwnAgainWithoutTheDomain()
            throws GeneralSecurityException, IOException, InterruptedException, StartRefused {
        String created;
        try (DoorsProgram doors = DoorsProgram.start(folder, first, PORTS)) {
            created = doors.created();
        }
        String path = "/services/" + DoorsProgram.id(created);
        try (DoorsProgram doors = named()) {
            String found = doors.program
                    .getAsFirstKey(doors.program.organizationUrl() + path)
                    .body();
            assertThat(DoorsProgram.ports(found)).containsExactly(https, nativesecure);
            shakeHands(host(found), https);
            assertThat(DoorsProgram.ports(created)).noneMatch(DoorsProgram::listens);
        }
        try (DoorsProgram doors = DoorsProgram.start(folder, first, PORTS)) {
            String found = doors.program
                    .getAsFirstKey(doors.program.organizationUrl() + path)
                    .body();
            assertThat(DoorsProgram.ports(found)).isEqualTo(DoorsProgram.ports(created));
            assertThat(DoorsProgram.ports(found)).allMatch(DoorsProgram::listens);
        }
    }

    @Test
    void whatDoesNotFitTogetherRefusesTheStart() throws IOException {
        assertThatExceptionOfType(StartRefused.class)
                .isThrownBy(() -> DoorsProgram.start(
                                folder, first, PORTS, "--service-cert", "missing.crt", "--service-key", "missing.key")
                        .close())
                .satisfies(refused -> assertThat(refused.sentence()).contains("service-domain"));
        try (ServerSocket taken = new ServerSocket(nativesecure, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            assertThatExceptionOfType(StartRefused.class)
                    .isThrownBy(() -> named().close())
                    .satisfies(refused ->
                            assertThat(refused.sentence()).contains("port " + taken.getLocalPort(), "--service-ports"));
        }
    }

    private static long listening(int first) {
        return IntStream.range(first, first + PORTS)
                .filter(DoorsProgram::listens)
                .count();
    }

    private static String host(String answer) {
        return TestProgram.field(answer.substring(answer.indexOf("\"endpoints\"")), "host");
    }

    private void assertNobody(String host, int port) {
        assertThatExceptionOfType(SSLException.class)
                .isThrownBy(() -> shakeHands(host, port))
                .withMessageContaining("unrecognized_name");
    }

    /** As a client does that trusts the program's own authority, and only for this name. */
    private void shakeHands(String host, int port) throws IOException, GeneralSecurityException {
        X509Certificate authority;
        try (InputStream in = Files.newInputStream(LocalProgram.authority(folder))) {
            authority =
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
        try (Socket plain = new Socket(InetAddress.ofLiteral("127.0.0.1"), port);
                SSLSocket socket =
                        (SSLSocket) Trusting.only(authority).getSocketFactory().createSocket(plain, host, port, true)) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            parameters.setServerNames(List.of(new SNIHostName(host)));
            socket.setSSLParameters(parameters);
            socket.startHandshake();
        }
    }
}
