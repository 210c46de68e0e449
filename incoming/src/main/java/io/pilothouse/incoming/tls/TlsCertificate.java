package io.pilothouse.incoming.tls;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Writes and signs X.509 v3 certificates: an authority that signs itself, and servers that it vouches for. */
final class TlsCertificate {
    private static final byte[] ECDSA_WITH_SHA256 = TlsDer.sequence(TlsDer.objectIdentifier("1.2.840.10045.4.3.2"));
    private static final String COMMON_NAME = "2.5.4.3";
    private static final String SUBJECT_KEY_IDENTIFIER = "2.5.29.14";
    private static final String KEY_USAGE = "2.5.29.15";
    private static final String SUBJECT_ALTERNATIVE_NAME = "2.5.29.17";
    private static final String BASIC_CONSTRAINTS = "2.5.29.19";
    private static final String AUTHORITY_KEY_IDENTIFIER = "2.5.29.35";
    private static final String EXTENDED_KEY_USAGE = "2.5.29.37";
    private static final String SERVER_AUTHENTICATION = "1.3.6.1.5.5.7.3.1";
    private static final int SERIAL_BITS = 126;

    private TlsCertificate() {}

    /** The period in which a certificate is valid. */
    record Validity(Instant from, Instant until) {}

    static X509Certificate authority(
            String commonName, PublicKey key, PrivateKey signer, Validity validity, SecureRandom random)
            throws GeneralSecurityException {
        byte[] name = name(commonName);
        byte[] keyId = keyIdentifier(key);
        List<byte[]> extensions = List.of(
                // an authority that vouches for servers only, never for another authority
                extension(BASIC_CONSTRAINTS, true, TlsDer.sequence(TlsDer.bool(true), TlsDer.integer(BigInteger.ZERO))),
                extension(KEY_USAGE, true, TlsDer.bits(1, new byte[] {(byte) 0b0000_0110})),
                extension(SUBJECT_KEY_IDENTIFIER, false, TlsDer.octets(keyId)),
                authorityKeyIdentifier(keyId));
        return signed(name, name, key, validity, extensions, signer, random);
    }

    static X509Certificate server(
            List<String> names,
            PublicKey key,
            X509Certificate authority,
            PrivateKey signer,
            Validity validity,
            SecureRandom random)
            throws GeneralSecurityException {
        List<byte[]> alternatives = new ArrayList<>();
        for (String each : names) {
            alternatives.add(alternativeName(each));
        }
        List<byte[]> extensions = List.of(
                extension(BASIC_CONSTRAINTS, true, TlsDer.sequence()),
                extension(KEY_USAGE, true, TlsDer.bits(7, new byte[] {(byte) 0b1000_0000})),
                extension(EXTENDED_KEY_USAGE, false, TlsDer.sequence(TlsDer.objectIdentifier(SERVER_AUTHENTICATION))),
                extension(SUBJECT_ALTERNATIVE_NAME, false, TlsDer.sequence(alternatives)),
                extension(SUBJECT_KEY_IDENTIFIER, false, TlsDer.octets(keyIdentifier(key))),
                authorityKeyIdentifier(keyIdentifier(authority.getPublicKey())));
        byte[] issuer = authority.getSubjectX500Principal().getEncoded();
        return signed(issuer, name(names.getFirst()), key, validity, extensions, signer, random);
    }

    private static X509Certificate signed(
            byte[] issuer,
            byte[] subject,
            PublicKey key,
            Validity validity,
            List<byte[]> extensions,
            PrivateKey signer,
            SecureRandom random)
            throws GeneralSecurityException {
        // the top bit set keeps the number positive and its length the same for every certificate
        BigInteger serial = new BigInteger(SERIAL_BITS, random).setBit(SERIAL_BITS);
        byte[] content = TlsDer.sequence(
                TlsDer.tagged(0xa0, TlsDer.integer(BigInteger.TWO)),
                TlsDer.integer(serial),
                ECDSA_WITH_SHA256,
                issuer,
                TlsDer.sequence(TlsDer.time(validity.from()), TlsDer.time(validity.until())),
                subject,
                key.getEncoded(),
                TlsDer.tagged(0xa3, TlsDer.sequence(extensions)));
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(signer, random);
        signature.update(content);
        byte[] certificate = TlsDer.sequence(content, ECDSA_WITH_SHA256, TlsDer.bits(0, signature.sign()));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(certificate));
    }

    private static byte[] name(String commonName) {
        return TlsDer.sequence(
                TlsDer.set(TlsDer.sequence(TlsDer.objectIdentifier(COMMON_NAME), TlsDer.utf8(commonName))));
    }

    private static byte[] extension(String identifier, boolean critical, byte[] value) {
        byte[] oid = TlsDer.objectIdentifier(identifier);
        return critical
                ? TlsDer.sequence(oid, TlsDer.bool(true), TlsDer.octets(value))
                : TlsDer.sequence(oid, TlsDer.octets(value));
    }

    private static byte[] authorityKeyIdentifier(byte[] keyId) {
        return extension(AUTHORITY_KEY_IDENTIFIER, false, TlsDer.sequence(TlsDer.tagged(0x80, keyId)));
    }

    private static byte[] alternativeName(String name) {
        return HostName.literal(name)
                .map(InetAddress::getAddress)
                .map(address -> TlsDer.tagged(0x87, address))
                .orElseGet(() -> TlsDer.tagged(0x82, name.getBytes(StandardCharsets.US_ASCII)));
    }

    /** Any stable digest will do (RFC 7093); taking the whole key structure spares us from parsing it. */
    private static byte[] keyIdentifier(PublicKey key) throws GeneralSecurityException {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getEncoded());
        return Arrays.copyOf(digest, 20);
    }
}
