package io.pilothouse.incoming.tls;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;

/** The text form of keys and certificates that every other tool reads (RFC 7468). */
final class TlsPem {
    private static final String KEY = "PRIVATE KEY";
    private static final String CERTIFICATE = "CERTIFICATE";

    private TlsPem() {}

    static byte[] write(PrivateKey key) {
        return write(KEY, key.getEncoded());
    }

    static byte[] write(X509Certificate certificate) throws GeneralSecurityException {
        return write(CERTIFICATE, certificate.getEncoded());
    }

    static X509Certificate readCertificate(byte[] pem) throws GeneralSecurityException {
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem));
    }

    static PrivateKey readKey(byte[] pem) throws GeneralSecurityException {
        return readKey(pem, "EC");
    }

    /** The key of this sort; of the many forms of keys, PKCS #8 is the one that holds every sort. */
    static PrivateKey readKey(byte[] pem, String algorithm) throws GeneralSecurityException {
        String text = new String(pem, StandardCharsets.US_ASCII);
        int begin = text.indexOf(header("BEGIN", KEY));
        int end = text.indexOf(header("END", KEY));
        if (begin < 0 || end < begin) {
            throw new GeneralSecurityException(
                    "no " + KEY + " block; openssl pkcs8 -topk8 -nodes makes one of another form");
        }
        String body = text.substring(begin + header("BEGIN", KEY).length(), end);
        try {
            byte[] encoded = Base64.getMimeDecoder().decode(body);
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
        } catch (IllegalArgumentException notBase64) {
            throw new GeneralSecurityException("the " + KEY + " block is cut off", notBase64);
        }
    }

    private static byte[] write(String label, byte[] content) {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return (header("BEGIN", label) + "\n" + body + "\n" + header("END", label) + "\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static String header(String edge, String label) {
        return "-----" + edge + " " + label + "-----";
    }
}
