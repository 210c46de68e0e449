package io.pilothouse.server.client;

import io.pilothouse.outgoing.OutgoingHttp;
import io.pilothouse.server.config.Config;
import io.pilothouse.server.config.HostPort;
import io.pilothouse.server.config.Options;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/** A listener of the program that runs on this machine: the address for its clients, and what speaks to it. */
public record OwnServer(String base, OutgoingHttp http) {
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final int DNS_NAME = 2;

    /** A certificate that clients are to trust; {@code isOfServer} if it is the listener's own and not its authority's. */
    public record Trusted(Path file, boolean isOfServer) {}

    /** What the listeners of this configuration show; {@code authority} is the certificate of the program's own. */
    public static Optional<Trusted> trusted(Config config, Path authority) {
        return config.find(Options.TLS_CERT)
                .map(file -> new Trusted(file, true))
                .or(() -> config.find(Options.TLS_NAMES).map(_ -> new Trusted(authority, false)));
    }

    /**
     * {@code trusted} is empty where the listener speaks no TLS.
     *
     * @throws IOException if the certificate cannot be read, or as an {@link java.net.UnknownHostException} if the host
     *     cannot be looked up
     */
    public static OwnServer at(HostPort listens, Optional<Trusted> trusted)
            throws IOException, GeneralSecurityException {
        InetAddress address = listens.address();
        if (trusted.isEmpty()) {
            return new OwnServer(listens.url(false, address, listens.port()), OutgoingHttp.toAddresses(CONNECT));
        }
        InetAddress reachable = address.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : address;
        List<X509Certificate> certificates = certificates(trusted.get().file());
        SSLSocketFactory tls = trusting(certificates);
        HostPort named = trusted.get().isOfServer() ? named(certificates.getFirst(), listens) : listens;
        return new OwnServer(
                named.url(true, address, listens.port()),
                new OutgoingHttp(_ -> List.of(reachable), () -> tls, CONNECT));
    }

    private static List<X509Certificate> certificates(Path file) throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(file)) {
            List<X509Certificate> chain = CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
                    .map(X509Certificate.class::cast)
                    .toList();
            if (chain.isEmpty()) {
                throw new GeneralSecurityException(file + " holds no certificate");
            }
            return chain;
        }
    }

    /** The certificate is for the name by which others know the program, and not for an address of this machine. */
    private static HostPort named(X509Certificate certificate, HostPort listens) throws GeneralSecurityException {
        Collection<List<?>> names = certificate.getSubjectAlternativeNames();
        return names == null
                ? listens
                : names.stream()
                        .filter(name -> name.getFirst().equals(DNS_NAME))
                        .map(name -> String.valueOf(name.get(1)).replaceFirst("^\\*", "pilothouse"))
                        .findFirst()
                        .map(name -> new HostPort(name, listens.port()))
                        .orElse(listens);
    }

    private static SSLSocketFactory trusting(List<X509Certificate> certificates)
            throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        for (int i = 0; i < certificates.size(); i++) {
            store.setCertificateEntry("certificate " + i, certificates.get(i));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context.getSocketFactory();
    }
}
