package io.pilothouse.core.activity;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a line about refused attempts says of them: attempts of one key that differ in nothing but their moment share a
 * line. The operation is known where the key was.
 */
public record Refusal(Cause cause, @Nullable String operationId, long attempts, Instant since) {
    /** Why an attempt was refused. Only the organization learns it: who was refused is told no cause. */
    public enum Cause {
        WRONG_SECRET,
        /** The secret was right. */
        DISABLED,
        /** The secret was right. */
        EXPIRED,
        /** The secret was right, and the access list of the key does not have the address. */
        ADDRESS,
        NO_RIGHT;

        /** The type of the line: a login that failed, or a request of a key that was known. */
        public String activityType() {
            return this == NO_RIGHT ? "operation_refused" : "user_login_failed";
        }

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
