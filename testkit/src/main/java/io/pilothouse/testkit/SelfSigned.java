package io.pilothouse.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;

/** A key with a certificate for one host name that nobody vouches for, made by the JDK's own tool. */
public record SelfSigned(KeyStore keys) {
    private static final char[] PASSWORD = "for this test only".toCharArray();
    private static final String ALIAS = "own";

    /** The tool leaves a file in the folder. */
    public static SelfSigned forName(String name, Path folder)
            throws IOException, InterruptedException, GeneralSecurityException {
        Path file = folder.resolve(name + ".p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        ALIAS,
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=dns:" + name,
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .inheritIO()
                .start();
        if (keytool.waitFor() != 0) {
            throw new IOException("keytool made no certificate");
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD);
        }
        return new SelfSigned(keys);
    }

    public Certificate certificate() throws GeneralSecurityException {
        return keys.getCertificate(ALIAS);
    }

    /** What a server needs to show the certificate. */
    public KeyManager[] keyManagers() throws GeneralSecurityException {
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, PASSWORD);
        return own.getKeyManagers();
    }
}
