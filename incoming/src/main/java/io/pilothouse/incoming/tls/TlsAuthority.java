package io.pilothouse.incoming.tls;

import io.pilothouse.core.port.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The local certificate authority: made once, kept in two files, and never replaced automatically, because clients
 * trust it.
 */
public final class TlsAuthority {
    /** What clients trust, in the authority's folder. */
    public static final String CERTIFICATE_FILE = "ca.crt";

    static final Duration LEAF_LIFE = Duration.ofDays(90);
    private static final Duration AUTHORITY_LIFE = Duration.ofDays(3650);
    private static final Duration CLOCK_SKEW = Duration.ofHours(1);
    private static final String KEY_FILE = "ca.key";

    private final Path certificateFile;
    private final X509Certificate certificate;
    private final PrivateKey key;
    private final SecureRandom random;

    private TlsAuthority(Path certificateFile, X509Certificate certificate, PrivateKey key, SecureRandom random) {
        this.certificateFile = certificateFile;
        this.certificate = certificate;
        this.key = key;
        this.random = random;
    }

    /** A server's certificate with the key that belongs to it, and the authority's certificate. */
    record Leaf(X509Certificate certificate, PrivateKey key, X509Certificate authority) {}

    /**
     * Reads the authority from its folder, or makes both there on the first start.
     *
     * @throws IOException with a sentence when the files are unreadable, do not belong together or have expired
     */
    public static TlsAuthority open(Path folder, Clock clock, SecureRandom random) throws IOException {
        Files.createDirectories(folder);
        Path keyFile = folder.resolve(KEY_FILE);
        Path certificateFile = folder.resolve(CERTIFICATE_FILE);
        try {
            // the certificate is written last: without it no client can trust the key yet
            if (Files.notExists(certificateFile)) {
                make(keyFile, certificateFile, clock.now(), random);
            }
            return read(keyFile, certificateFile, clock.now(), random);
        } catch (GeneralSecurityException broken) {
            throw new IOException(
                    "The local certificate authority in " + folder + " cannot be used: " + broken.getMessage(), broken);
        }
    }

    /** Where an authority is kept that is not in a folder, as one text (PEM): its certificate, then its key. */
    public interface Safe {
        Optional<byte[]> find() throws IOException;

        /** Keeps it unless there is one meanwhile, and gives the one that is kept. */
        byte[] keep(byte[] made) throws IOException;
    }

    /** The same from a safe, or made there; the folder gets the certificate alone, for clients. */
    public static TlsAuthority open(Path folder, Safe safe, Clock clock, SecureRandom random) throws IOException {
        Files.createDirectories(folder);
        Path certificateFile = folder.resolve(CERTIFICATE_FILE);
        try {
            Optional<byte[]> found = safe.find();
            byte[] kept = found.isPresent() ? found.get() : safe.keep(made(clock.now(), random));
            X509Certificate certificate = TlsPem.readCertificate(kept);
            requireCurrent(certificate, clock.now(), "");
            PrivateKey key = TlsPem.readKey(kept);
            requirePair(key, certificate, random);
            DurableFile.replace(certificateFile, TlsPem.write(certificate), DurableFile.WORLD_READABLE);
            return new TlsAuthority(certificateFile, certificate, key, random);
        } catch (GeneralSecurityException broken) {
            throw new IOException(
                    "The local certificate authority in the store cannot be used: " + broken.getMessage(), broken);
        }
    }

    private static byte[] made(Instant now, SecureRandom random) throws GeneralSecurityException {
        KeyPair pair = newKeyPair(random);
        byte[] certificate = TlsPem.write(certificate(pair, now, random));
        byte[] key = TlsPem.write(pair.getPrivate());
        byte[] both = Arrays.copyOf(certificate, certificate.length + key.length);
        System.arraycopy(key, 0, both, certificate.length, key.length);
        return both;
    }

    /** The file that clients are given to trust. */
    public Path certificateFile() {
        return certificateFile;
    }

    public X509Certificate certificate() {
        return certificate;
    }

    Leaf issue(List<String> names, Instant now) throws GeneralSecurityException {
        KeyPair pair = newKeyPair(random);
        Instant until = earlier(now.plus(LEAF_LIFE), certificate.getNotAfter().toInstant());
        X509Certificate leaf = TlsCertificate.server(
                names,
                pair.getPublic(),
                certificate,
                key,
                new TlsCertificate.Validity(now.minus(CLOCK_SKEW), until),
                random);
        return new Leaf(leaf, pair.getPrivate(), certificate);
    }

    private static void make(Path keyFile, Path certificateFile, Instant now, SecureRandom random)
            throws GeneralSecurityException, IOException {
        KeyPair pair = newKeyPair(random);
        X509Certificate certificate = certificate(pair, now, random);
        DurableFile.replace(keyFile, TlsPem.write(pair.getPrivate()), DurableFile.OWNER_ONLY);
        DurableFile.replace(certificateFile, TlsPem.write(certificate), DurableFile.WORLD_READABLE);
    }

    private static X509Certificate certificate(KeyPair pair, Instant now, SecureRandom random)
            throws GeneralSecurityException {
        // a name of its own lets a trust store distinguish two installations
        String name = String.format(Locale.ROOT, "Pilothouse local authority %08x", random.nextInt());
        return TlsCertificate.authority(
                name,
                pair.getPublic(),
                pair.getPrivate(),
                new TlsCertificate.Validity(now.minus(CLOCK_SKEW), now.plus(AUTHORITY_LIFE)),
                random);
    }

    private static void requireCurrent(X509Certificate certificate, Instant now, String remedy)
            throws GeneralSecurityException {
        Instant end = certificate.getNotAfter().toInstant();
        if (now.isAfter(end)) {
            throw new GeneralSecurityException("it ended on " + end + remedy);
        }
    }

    private static TlsAuthority read(Path keyFile, Path certificateFile, Instant now, SecureRandom random)
            throws GeneralSecurityException, IOException {
        X509Certificate certificate = TlsPem.readCertificate(Files.readAllBytes(certificateFile));
        requireCurrent(
                certificate, now, "; move its two files away, start again and hand out the new " + CERTIFICATE_FILE);
        try {
            Files.setPosixFilePermissions(keyFile, DurableFile.OWNER_ONLY);
            PrivateKey key = TlsPem.readKey(Files.readAllBytes(keyFile));
            requirePair(key, certificate, random);
            return new TlsAuthority(certificateFile, certificate, key, random);
        } catch (NoSuchFileException gone) {
            throw new GeneralSecurityException("its key " + KEY_FILE + " is missing", gone);
        }
    }

    private static void requirePair(PrivateKey key, X509Certificate certificate, SecureRandom random)
            throws GeneralSecurityException {
        byte[] probe = certificate.getEncoded();
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(key, random);
        signature.update(probe);
        byte[] signed = signature.sign();
        signature.initVerify(certificate.getPublicKey());
        signature.update(probe);
        if (!signature.verify(signed)) {
            throw new GeneralSecurityException(KEY_FILE + " does not belong to " + CERTIFICATE_FILE);
        }
    }

    private static KeyPair newKeyPair(SecureRandom random) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"), random);
        return generator.generateKeyPair();
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
