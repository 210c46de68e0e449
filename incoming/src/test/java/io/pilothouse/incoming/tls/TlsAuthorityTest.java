package io.pilothouse.incoming.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.pilothouse.core.port.Clock;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsAuthorityTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final List<String> NAMES = List.of("db.example.org", "localhost", "127.0.0.1", "::1");

    @TempDir
    private Path folder;

    @Test
    void authorityIsMadeOnceAndKeptOverRestarts() throws IOException {
        X509Certificate first = open().certificate();
        byte[] key = Files.readAllBytes(keyFile());
        assertThat(open().certificate()).isEqualTo(first);
        assertThat(Files.readAllBytes(keyFile())).isEqualTo(key);
        assertThat(folder).isDirectoryContaining(file -> file.endsWith("ca.crt"));
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("ca.crt", "ca.key");
    }

    @Test
    void keyIsForItsOwnerOnlyAndTheCertificateForEverybody() throws IOException {
        TlsAuthority authority = open();
        assertThat(permissions(keyFile())).isEqualTo("rw-------");
        assertThat(permissions(authority.certificateFile())).isEqualTo("rw-r--r--");
        Files.setPosixFilePermissions(keyFile(), PosixFilePermissions.fromString("rw-rw-rw-"));
        open();
        assertThat(permissions(keyFile())).isEqualTo("rw-------");
    }

    @Test
    void filesAreOrdinaryPem() throws IOException {
        TlsAuthority authority = open();
        assertThat(Files.readString(keyFile()))
                .startsWith("-----BEGIN PRIVATE KEY-----\n")
                .endsWith("-----END PRIVATE KEY-----\n");
        assertThat(Files.readAllLines(authority.certificateFile()))
                .startsWith("-----BEGIN CERTIFICATE-----")
                .allMatch(line -> line.length() <= 64);
    }

    @Test
    void authorityInASafeIsTheSameForEveryFolderAndLeavesNoKeyInOne() throws IOException {
        AtomicReference<byte[]> kept = new AtomicReference<>();
        TlsAuthority.Safe safe = new TlsAuthority.Safe() {
            @Override
            public Optional<byte[]> find() {
                return Optional.ofNullable(kept.get());
            }

            @Override
            public byte[] keep(byte[] made) {
                kept.set(made);
                return made;
            }
        };
        TlsAuthority first = TlsAuthority.open(folder, safe, at(NOW), RANDOM);
        TlsAuthority second = TlsAuthority.open(folder.resolve("other"), safe, at(NOW), RANDOM);
        assertThat(second.certificate()).isEqualTo(first.certificate());
        assertThat(keyFile()).doesNotExist();
        assertThat(first.certificateFile()).hasSameBinaryContentAs(second.certificateFile());
        assertThatIOException()
                .isThrownBy(() -> TlsAuthority.open(folder, safe, at(NOW.plus(Duration.ofDays(3651))), RANDOM))
                .withMessageContaining("it ended on");
    }

    @Test
    void authorityVouchesForServersOnly() throws IOException {
        X509Certificate authority = open().certificate();
        assertThat(authority.getBasicConstraints()).isZero();
        assertThat(authority.getKeyUsage())
                .containsExactly(false, false, false, false, false, true, true, false, false);
        assertThat(authority.getSerialNumber()).isGreaterThan(BigInteger.ZERO);
        assertThat(authority.getSubjectX500Principal().getName()).startsWith("CN=Pilothouse local authority ");
    }

    @Test
    void leafHoldsForEveryNameAndIsVouchedFor() throws IOException, GeneralSecurityException {
        TlsAuthority authority = open();
        TlsAuthority.Leaf leaf = authority.issue(NAMES, NOW);
        assertThat(leaf.certificate().getSubjectAlternativeNames())
                .containsExactlyInAnyOrder(
                        List.of(2, "db.example.org"),
                        List.of(2, "localhost"),
                        List.of(7, "127.0.0.1"),
                        List.of(7, "0:0:0:0:0:0:0:1"));
        assertThat(leaf.certificate().getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
        assertThat(leaf.certificate().getBasicConstraints()).isEqualTo(-1);
        assertThat(leaf.certificate().getNotAfter()).isEqualTo(Date.from(NOW.plus(TlsAuthority.LEAF_LIFE)));
        validate(leaf.certificate(), authority.certificate());
    }

    @Test
    void leafNeverOutlivesItsAuthority() throws IOException, GeneralSecurityException {
        TlsAuthority authority = open();
        Instant nearTheEnd = authority.certificate().getNotAfter().toInstant().minus(Duration.ofDays(5));
        TlsAuthority.Leaf leaf = authority.issue(NAMES, nearTheEnd);
        assertThat(leaf.certificate().getNotAfter())
                .isEqualTo(authority.certificate().getNotAfter());
    }

    @Test
    void keyWithoutItsCertificateIsReplaced() throws IOException {
        open();
        Files.delete(folder.resolve("ca.crt"));
        byte[] unfinished = Files.readAllBytes(keyFile());
        open();
        assertThat(Files.readAllBytes(keyFile())).isNotEqualTo(unfinished);
    }

    @Test
    void certificateThatClientsMayTrustIsNeverReplaced() throws IOException {
        open();
        Files.delete(keyFile());
        refusesWith("its key ca.key is missing");
        assertThat(keyFile()).doesNotExist();
    }

    @Test
    void keyOfAnotherAuthorityIsRefused(@TempDir Path other) throws IOException {
        open();
        TlsAuthority.open(other, at(NOW), RANDOM);
        Files.copy(other.resolve("ca.key"), keyFile(), StandardCopyOption.REPLACE_EXISTING);
        refusesWith("ca.key does not belong to ca.crt");
    }

    @Test
    void brokenFilesAreRefusedWithoutShowingTheKey() throws IOException {
        open();
        String key = Files.readString(keyFile());
        for (String broken :
                List.of("", key.substring(0, 60), key.replace("PRIVATE", "PUBLIC"), key.replace("M", "A"))) {
            Files.writeString(keyFile(), broken);
            assertThatIOException()
                    .isThrownBy(this::open)
                    .withMessageStartingWith("The local certificate authority in " + folder + " cannot be used: ")
                    .satisfies(refusal -> assertThat(refusal.toString())
                            .doesNotContain(key.lines().toList().get(1).substring(0, 20)));
        }
    }

    @Test
    void expiredAuthoritySaysWhatToDo() throws IOException {
        open();
        Instant later = NOW.plus(Duration.ofDays(3651));
        assertThatIOException()
                .isThrownBy(() -> TlsAuthority.open(folder, at(later), RANDOM))
                .withMessageContaining("it ended on 2036-02-27T12:00:00Z; move its two files away");
    }

    private TlsAuthority open() throws IOException {
        return TlsAuthority.open(folder, at(NOW), RANDOM);
    }

    private void refusesWith(String sentence) {
        assertThatIOException().isThrownBy(this::open).withMessageEndingWith("cannot be used: " + sentence);
    }

    private Path keyFile() {
        return folder.resolve("ca.key");
    }

    private static Clock at(Instant now) {
        return () -> now;
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private static void validate(X509Certificate leaf, X509Certificate authority) throws GeneralSecurityException {
        PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(authority, null)));
        parameters.setRevocationEnabled(false);
        parameters.setDate(Date.from(NOW));
        CertPathValidator.getInstance("PKIX")
                .validate(CertificateFactory.getInstance("X.509").generateCertPath(List.of(leaf)), parameters);
    }
}
