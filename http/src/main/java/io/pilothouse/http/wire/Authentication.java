package io.pilothouse.http.wire;

/** How callers of a listener prove who they are. */
public interface Authentication {
    /**
     * Who sent this request.
     *
     * @throws io.pilothouse.core.domain.Refused with UNAUTHORIZED, in the same words whatever is wrong
     */
    Identity identify(Exchange exchange);

    /** What the header WWW-Authenticate of a 401 says. */
    String challenge();
}
