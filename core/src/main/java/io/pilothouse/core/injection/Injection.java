package io.pilothouse.core.injection;

import io.pilothouse.core.service.Service;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Something that the emulator was asked to let go wrong: whom it may strike, what it does, and how often. Its name is
 * in every trace that it leaves. A fault everywhere else is a client's mistake; this one is nobody's.
 */
public record Injection(String name, Scope scope, Effect effect, Frequency frequency) {
    /** Whom it may strike; null stands for any, and no operation for every one. */
    public record Scope(
            List<String> operations,
            @Nullable UUID keyId,
            @Nullable UUID organizationId,
            @Nullable UUID serviceId) {
        public Scope {
            operations = List.copyOf(operations);
        }

        boolean covers(String operationId, UUID key, UUID organization) {
            return (operations.isEmpty() || operations.contains(operationId))
                    && isOrAny(keyId, key)
                    && isOrAny(organizationId, organization);
        }

        boolean covers(Service service) {
            return isOrAny(serviceId, service.id()) && isOrAny(organizationId, service.organizationId());
        }

        private static boolean isOrAny(@Nullable UUID wanted, UUID given) {
            return wanted == null || wanted.equals(given);
        }
    }

    /** What it does. */
    public sealed interface Effect permits OnRequest, ServiceTrouble {
        /** In a few words, which name no one. */
        String words();
    }

    /** What it does to a request: it begins with a delay, perhaps of nothing. */
    public sealed interface OnRequest extends Effect permits Answered, Delayed, Cut {
        Duration delay();
    }

    /** The request is not done, and this status is its answer; the seconds are for 429 and 503. */
    public record Answered(int status, Duration delay, int retryAfterSeconds) implements OnRequest {
        @Override
        public String words() {
            return "answer " + status;
        }
    }

    /** The request is done later. */
    public record Delayed(Duration delay) implements OnRequest {
        @Override
        public String words() {
            return "delay " + delay.toMillis() + " ms";
        }
    }

    /** The connection ends without an answer, after the request was done or before anything of it is. */
    public record Cut(boolean done, Duration delay) implements OnRequest {
        @Override
        public String words() {
            return done ? "cut after" : "cut before";
        }
    }

    /**
     * How often it strikes what it may strike: after {@code skip} times not at all, then with this probability, each
     * time {@code burst} times in a row, until it has struck {@code count} times; 0 for any number.
     */
    public record Frequency(double probability, int skip, int burst, int count) {
        public static final Frequency ALWAYS = new Frequency(1, 0, 1, 0);
    }

    /** How traces name it. */
    public String label() {
        return name + " (" + effect.words() + ")";
    }
}
