package io.pilothouse.pipes.worker.postgres;

import io.pilothouse.core.base.Tree;
import java.util.Properties;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.SSLSession;
import org.postgresql.PGProperty;
import org.postgresql.ssl.DefaultJavaSSLFactory;
import org.postgresql.ssl.PGjdbcHostnameVerifier;
import org.postgresql.ssl.SingleCertValidatingFactory;

/**
 * TLS as the pipe's owner wants it: by default the server's certificate is checked, against the authorities of Java or
 * the one that was given, and against the name of the host or the one that was given.
 */
public final class PostgresTls implements HostnameVerifier {
    private static final String AUTHORITY = "pilothouse.source.authority";
    private static final String HOST = "pilothouse.source.host";

    /** The driver makes one for each connection. */
    public PostgresTls() {}

    @Override
    public boolean verify(String host, SSLSession session) {
        return PGjdbcHostnameVerifier.INSTANCE.verify(System.getProperty(HOST, host), session);
    }

    static void set(Properties properties, Tree.Members source) {
        if (source.flag("disableTls")) {
            PGProperty.SSL_MODE.set(properties, "disable");
            return;
        }
        if (source.flag("skipCertVerification")) {
            PGProperty.SSL_MODE.set(properties, "require");
            return;
        }
        PGProperty.SSL_MODE.set(properties, "verify-full");
        PGProperty.SSL_HOSTNAME_VERIFIER.set(properties, PostgresTls.class.getName());
        // A worker serves one pipe: what holds for the process holds for each of its connections.
        source.text("tlsHost").filter(name -> !name.isBlank()).ifPresent(name -> System.setProperty(HOST, name));
        String authority = source.text("caCertificate").orElse("");
        if (authority.isBlank()) {
            PGProperty.SSL_FACTORY.set(properties, DefaultJavaSSLFactory.class.getName());
        } else {
            System.setProperty(AUTHORITY, authority);
            PGProperty.SSL_FACTORY.set(properties, SingleCertValidatingFactory.class.getName());
            PGProperty.SSL_FACTORY_ARG.set(properties, "sys:" + AUTHORITY);
        }
    }
}
