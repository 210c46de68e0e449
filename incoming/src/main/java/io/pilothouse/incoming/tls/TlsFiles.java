package io.pilothouse.incoming.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** A certificate that others issue, in two files that they replace while the program runs. */
public final class TlsFiles implements TlsKeys {
    private static final Duration LOOK_EVERY = Duration.ofSeconds(5);

    private final Path certificate;
    private final Path key;
    private final Optional<String> name;
    private final SecureRandom random;

    public TlsFiles(Path certificate, Path key, SecureRandom random) {
        this(certificate, key, Optional.empty(), random);
    }

    private TlsFiles(Path certificate, Path key, Optional<String> name, SecureRandom random) {
        this.certificate = certificate;
        this.key = key;
        this.name = name;
        this.random = random;
    }

    /** The same files, which have to be for this name, such as {@code *.example.org}. */
    public TlsFiles covering(String wanted) {
        return new TlsFiles(certificate, key, Optional.of(wanted), random);
    }

    @Override
    public Issued issue(Instant now) throws GeneralSecurityException {
        try {
            List<X509Certificate> chain = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(certificate)))
                    .stream()
                    .map(X509Certificate.class::cast)
                    .toList();
            if (chain.isEmpty()) {
                throw new GeneralSecurityException(certificate + " holds no certificate");
            }
            X509Certificate first = chain.getFirst();
            PrivateKey read =
                    TlsPem.readKey(Files.readAllBytes(key), first.getPublicKey().getAlgorithm());
            requirePair(read, first);
            requireName(first);
            return new Issued(chain, read, now.plus(LOOK_EVERY));
        } catch (IOException unreadable) {
            throw new GeneralSecurityException(
                    "the files " + certificate + " and " + key + " cannot be read: " + unreadable.getMessage(),
                    unreadable);
        }
    }

    @Override
    public Duration retryAfter() {
        return LOOK_EVERY;
    }

    private void requireName(X509Certificate first) throws GeneralSecurityException {
        if (name.isEmpty()) {
            return;
        }
        Collection<List<?>> shown = first.getSubjectAlternativeNames();
        boolean covers = shown != null
                && shown.stream()
                        .anyMatch(each -> each.get(1) instanceof String text && text.equalsIgnoreCase(name.get()));
        if (!covers) {
            throw new GeneralSecurityException(certificate + " is not for " + name.get());
        }
    }

    private void requirePair(PrivateKey read, X509Certificate first) throws GeneralSecurityException {
        Signature signature = Signature.getInstance(
                switch (read.getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    case "EdDSA" -> "EdDSA";
                    case String other -> throw new GeneralSecurityException("keys of " + other + " are not supported");
                });
        byte[] probe = first.getEncoded();
        signature.initSign(read, random);
        signature.update(probe);
        byte[] signed = signature.sign();
        signature.initVerify(first.getPublicKey());
        signature.update(probe);
        if (!signature.verify(signed)) {
            throw new GeneralSecurityException(key + " does not belong to " + certificate);
        }
    }
}
