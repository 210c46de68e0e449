package io.pilothouse.testkit.api;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** How a caller proves who it is: the value of its Authorization header, or null for a caller who does not. */
public record ApiCredentials(@Nullable String authorization) {
    public static final ApiCredentials NONE = new ApiCredentials(null);

    public static ApiCredentials basic(String keyId, String keySecret) {
        byte[] pair = (keyId + ":" + keySecret).getBytes(StandardCharsets.UTF_8);
        return new ApiCredentials("Basic " + Base64.getEncoder().encodeToString(pair));
    }

    public static ApiCredentials bearer(String token) {
        return new ApiCredentials("Bearer " + token);
    }

    /** Shows nothing, because a failed assertion prints its objects. */
    @Override
    public String toString() {
        return "ApiCredentials[...]";
    }
}
