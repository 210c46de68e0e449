package io.pilothouse.http.wire;

/** Identifies the callers of a listener. */
public interface Authentication {
    /**
     * The caller that sent this request.
     *
     * @throws io.pilothouse.core.base.Refused with UNAUTHORIZED, in the same words whatever the cause
     */
    Identity identify(Exchange exchange);

    /** The value of the header WWW-Authenticate of a 401. */
    String challenge();
}
