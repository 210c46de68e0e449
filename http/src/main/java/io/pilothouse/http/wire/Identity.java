package io.pilothouse.http.wire;

import io.pilothouse.core.right.Caller;

/** A caller, and the secret that proved it; the secret stays with the request and is never shown. */
record Identity(Caller caller, String secret) {
    @Override
    public String toString() {
        return "Identity[" + caller.keyId() + "]";
    }
}
