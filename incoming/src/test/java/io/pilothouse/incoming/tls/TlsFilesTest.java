package io.pilothouse.incoming.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.testkit.SimTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A certificate and its key in files that somebody else replaces. */
class TlsFilesTest {
    private final SimTime time = new SimTime();
    private final TlsAuthority authority;
    private final Path certificate;
    private final Path key;
    private final TlsFiles files;

    TlsFilesTest(@TempDir Path folder) throws IOException, GeneralSecurityException {
        authority = TlsAuthority.open(folder, time, new SecureRandom());
        certificate = folder.resolve("server.crt");
        key = folder.resolve("server.key");
        files = new TlsFiles(certificate, key, new SecureRandom());
        replace();
    }

    @Test
    void replacedFilesAreShownSoonAndDamagedOnesNever() throws IOException, GeneralSecurityException {
        TlsServer server = new TlsServer(files, time);
        X509Certificate first = server.shown();
        time.advance(Duration.ofSeconds(4));
        X509Certificate second = replace();
        assertThat(server.shown()).isEqualTo(first);
        time.advance(Duration.ofSeconds(1));
        assertThat(server.shown()).isEqualTo(second);
        Files.writeString(certificate, "half of it");
        time.advance(Duration.ofMinutes(1));
        assertThat(server.shown()).isEqualTo(second);
        X509Certificate third = replace();
        time.advance(Duration.ofSeconds(5));
        assertThat(server.shown()).isEqualTo(third);
    }

    @Test
    void theWholeChainIsShown() throws IOException, GeneralSecurityException {
        Files.write(
                certificate,
                List.of(
                        Files.readString(certificate),
                        new String(TlsPem.write(authority.certificate()), java.nio.charset.StandardCharsets.US_ASCII)));
        assertThat(files.issue(time.now()).chain()).hasSize(2).endsWith(authority.certificate());
    }

    @Test
    void filesThatDoNotFitAreRefusedWithASentence() throws IOException, GeneralSecurityException {
        byte[] mine = Files.readAllBytes(key);
        replace();
        Files.write(key, mine);
        assertThatThrownBy(() -> files.issue(time.now())).hasMessageContaining("does not belong to");
        Files.writeString(key, "-----BEGIN RSA PRIVATE KEY-----\n");
        assertThatThrownBy(() -> files.issue(time.now())).hasMessageContaining("openssl pkcs8 -topk8");
        Files.delete(key);
        assertThatThrownBy(() -> files.issue(time.now())).hasMessageContaining("cannot be read");
        Files.writeString(certificate, "");
        assertThatThrownBy(() -> files.issue(time.now())).hasMessageContaining("holds no certificate");
    }

    @Test
    void certificateForAnotherNameIsRefusedWhereOneIsWanted() throws IOException, GeneralSecurityException {
        TlsFiles wildcard = files.covering("*.db.example.org");
        assertThatThrownBy(() -> wildcard.issue(time.now())).hasMessageContaining("is not for *.db.example.org");
        replace("localhost", "*.DB.example.org");
        assertThat(wildcard.issue(time.now()).chain()).hasSize(1);
        replace("db.example.org", "*.example.org");
        assertThatThrownBy(() -> wildcard.issue(time.now())).hasMessageContaining("is not for *.db.example.org");
    }

    private X509Certificate replace(String... names) throws IOException, GeneralSecurityException {
        TlsAuthority.Leaf leaf = authority.issue(List.of(names), time.now());
        Files.write(certificate, TlsPem.write(leaf.certificate()));
        Files.write(key, TlsPem.write(leaf.key()));
        return leaf.certificate();
    }

    private X509Certificate replace() throws IOException, GeneralSecurityException {
        return replace("localhost");
    }
}
