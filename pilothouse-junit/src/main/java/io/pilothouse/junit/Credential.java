package io.pilothouse.junit;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** A key of the management API; never shows its secret by itself. */
record Credential(String keyId, String keySecret) {
    /** What the header {@code Authorization} has to say. */
    String authorization() {
        return "Basic "
                + Base64.getEncoder().encodeToString((keyId + ":" + keySecret).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String toString() {
        return "Credential[" + keyId + "]";
    }
}
