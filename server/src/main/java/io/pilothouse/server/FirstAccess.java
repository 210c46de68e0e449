package io.pilothouse.server;

import java.util.UUID;

/** The credentials of a first start, in the one moment in which their secrets are known; never shows them by itself. */
record FirstAccess(UUID organizationId, String keyId, String keySecret, String token) {
    @Override
    public String toString() {
        return "FirstAccess[" + organizationId + "]";
    }
}
