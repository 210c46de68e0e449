package io.pilothouse.incoming.tls;

import io.pilothouse.core.port.Clock;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** Ends TLS, with a certificate that is replaced while clients come and go. */
public final class TlsServer {
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};
    private static final System.Logger LOG = System.getLogger(TlsServer.class.getName());

    // Java reads this once, before it serves its first client, and has no other way to say it: a client of TLS 1.2 that
    // handshakes again and again costs much more here than there.
    static {
        System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
    }

    private final TlsKeys keys;
    private final Clock clock;
    private final ReentrantLock renewing = new ReentrantLock();
    private volatile Current current;

    private record Current(SSLContext context, List<X509Certificate> chain, Instant renewAt) {}

    public TlsServer(TlsKeys keys, Clock clock) throws GeneralSecurityException {
        this.keys = keys;
        this.clock = clock;
        this.current = make(keys.issue(clock.now()));
    }

    /** Wraps an accepted socket whose first bytes were already read; the handshake is the caller's to start. */
    public SSLSocket accept(Socket socket, byte[] alreadyRead, Optional<String> applicationProtocol)
            throws IOException {
        SSLSocket secured = (SSLSocket)
                fresh().context().getSocketFactory().createSocket(socket, new ByteArrayInputStream(alreadyRead), true);
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
        return current.chain().getFirst().getNotAfter().toInstant();
    }

    /** The certificate that the next client is shown. */
    X509Certificate shown() {
        return fresh().chain().getFirst();
    }

    private Current fresh() {
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
        return current;
    }

    private void renew() {
        Current old = current;
        try {
            TlsKeys.Issued issued = keys.issue(clock.now());
            // the same certificate keeps its context, and with it the sessions that clients may resume
            current = issued.chain().equals(old.chain())
                    ? new Current(old.context(), old.chain(), issued.renewAt())
                    : make(issued);
        } catch (GeneralSecurityException failed) {
            LOG.log(System.Logger.Level.ERROR, "A certificate could not be renewed", failed);
            current = new Current(old.context(), old.chain(), clock.now().plus(keys.retryAfter()));
        }
    }

    private static Current make(TlsKeys.Issued issued) throws GeneralSecurityException {
        // the key never leaves memory, so the store that Java insists on needs no password
        char[] none = new char[0];
        KeyStore store = KeyStore.getInstance("PKCS12");
        try {
            store.load(null, none);
        } catch (IOException impossible) {
            throw new GeneralSecurityException("an empty key store could not be made", impossible);
        }
        store.setKeyEntry("server", issued.key(), none, issued.chain().toArray(X509Certificate[]::new));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, none);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        return new Current(context, issued.chain(), issued.renewAt());
    }
}
