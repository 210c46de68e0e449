package io.pilothouse.incoming.tls;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Where a server's certificate and its key come from. */
public interface TlsKeys {
    /** A certificate first, then those that vouch for it; {@code renewAt} is when to ask again. */
    record Issued(List<X509Certificate> chain, PrivateKey key, Instant renewAt) {
        public Issued {
            chain = List.copyOf(chain);
        }
    }

    /**
     * What to show from now on; the same as before where nothing has changed.
     *
     * @throws GeneralSecurityException with a sentence; what was shown before is then kept
     */
    Issued issue(Instant now) throws GeneralSecurityException;

    /** When to ask again after a failure. */
    Duration retryAfter();
}
