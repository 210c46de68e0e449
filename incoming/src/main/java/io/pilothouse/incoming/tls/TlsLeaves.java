package io.pilothouse.incoming.tls;

import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Certificates of the local authority: new at every start, and renewed long before they expire. */
public final class TlsLeaves implements TlsKeys {
    private static final Duration RENEW_BEFORE_END = Duration.ofNanos(TlsAuthority.LEAF_LIFE.toNanos() / 3);
    /**
     * Applies too when a renewal failed, or when the authority itself expires so soon that a new certificate lasts no
     * longer than the last.
     */
    private static final Duration MIN_BETWEEN_RENEWALS = Duration.ofHours(1);

    private final TlsAuthority authority;
    private final List<String> names;

    public TlsLeaves(TlsAuthority authority, List<String> names) {
        this.authority = authority;
        this.names = List.copyOf(names);
    }

    @Override
    public Issued issue(Instant now) throws GeneralSecurityException {
        TlsAuthority.Leaf leaf = authority.issue(names, now);
        Instant soonest = now.plus(MIN_BETWEEN_RENEWALS);
        Instant renewAt = leaf.certificate().getNotAfter().toInstant().minus(RENEW_BEFORE_END);
        return new Issued(
                List.of(leaf.certificate(), leaf.authority()),
                leaf.key(),
                renewAt.isBefore(soonest) ? soonest : renewAt);
    }

    @Override
    public Duration retryAfter() {
        return MIN_BETWEEN_RENEWALS;
    }
}
