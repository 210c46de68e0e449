package io.pilothouse.incoming.tls;

import io.pilothouse.core.port.Clock;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** Ends TLS at the gateway, with a certificate that is new at every start and renewed long before it expires. */
public final class TlsServer {
    private static final Duration RENEW_BEFORE_END = Duration.ofNanos(TlsAuthority.LEAF_LIFE.toNanos() / 3);
    /**
     * Applies too when a renewal failed, or when the authority itself expires so soon that a new certificate lasts no
     * longer than the last.
     */
    private static final Duration MIN_BETWEEN_RENEWALS = Duration.ofHours(1);

    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};
    private static final System.Logger LOG = System.getLogger(TlsServer.class.getName());

    // Java reads this once, before it serves its first client, and has no other way to say it: a client of TLS 1.2 that
    // handshakes again and again costs much more here than there.
    static {
        System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
    }

    private final TlsAuthority authority;
    private final List<String> names;
    private final Clock clock;
    private final ReentrantLock renewing = new ReentrantLock();
    private volatile Current current;

    private record Current(SSLContext context, Instant renewAt, Instant endsAt) {}

    public TlsServer(TlsAuthority authority, List<String> names, Clock clock) throws GeneralSecurityException {
        this.authority = authority;
        this.names = List.copyOf(names);
        this.clock = clock;
        this.current = make();
    }

    /** Wraps an accepted socket whose first bytes were already read; the handshake is the caller's to start. */
    public SSLSocket accept(Socket socket, byte[] alreadyRead, Optional<String> applicationProtocol)
            throws IOException {
        SSLSocket secured = (SSLSocket)
                context().getSocketFactory().createSocket(socket, new ByteArrayInputStream(alreadyRead), true);
        secured.setUseClientMode(false);
        SSLParameters parameters = secured.getSSLParameters();
        parameters.setProtocols(PROTOCOLS);
        parameters.setUseCipherSuitesOrder(true);
        applicationProtocol.ifPresent(name -> parameters.setApplicationProtocols(new String[] {name}));
        secured.setSSLParameters(parameters);
        return secured;
    }

    /** When the certificate in use expires. */
    public Instant endsAt() {
        return current.endsAt();
    }

    private SSLContext context() {
        // a thread that finds a renewal under way continues with the certificate that is still valid
        if (!clock.now().isBefore(current.renewAt()) && renewing.tryLock()) {
            try {
                if (!clock.now().isBefore(current.renewAt())) {
                    renew();
                }
            } finally {
                renewing.unlock();
            }
        }
        return current.context();
    }

    private void renew() {
        try {
            current = make();
        } catch (GeneralSecurityException failed) {
            LOG.log(System.Logger.Level.ERROR, "the gateway's certificate could not be renewed", failed);
            Current old = current;
            current = new Current(old.context(), clock.now().plus(MIN_BETWEEN_RENEWALS), old.endsAt());
        }
    }

    private Current make() throws GeneralSecurityException {
        Instant now = clock.now();
        TlsAuthority.Leaf leaf = authority.issue(names, now);
        // the key never leaves memory, so the store that Java insists on needs no password
        char[] none = new char[0];
        KeyStore store = KeyStore.getInstance("PKCS12");
        try {
            store.load(null, none);
        } catch (IOException impossible) {
            throw new GeneralSecurityException("an empty key store could not be made", impossible);
        }
        X509Certificate[] chain = {leaf.certificate(), leaf.authority()};
        store.setKeyEntry("gateway", leaf.key(), none, chain);
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, none);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        Instant endsAt = leaf.certificate().getNotAfter().toInstant();
        Instant soonest = now.plus(MIN_BETWEEN_RENEWALS);
        Instant renewAt = endsAt.minus(RENEW_BEFORE_END);
        return new Current(context, renewAt.isBefore(soonest) ? soonest : renewAt, endsAt);
    }
}
