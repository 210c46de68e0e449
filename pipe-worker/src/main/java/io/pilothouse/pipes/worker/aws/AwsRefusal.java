package io.pilothouse.pipes.worker.aws;

import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import io.pilothouse.pipes.worker.outside.Trouble.SourceAway;
import java.util.Set;

/** What a service of AWS answered in place of what it was asked for: a status and the name of an error. */
public final class AwsRefusal extends Exception {
    private static final long serialVersionUID = 1L;

    private static final int SERVER_ERRORS = 500;
    private static final Set<String> THROTTLING = Set.of(
            "ProvisionedThroughputExceededException",
            "KMSThrottlingException",
            "LimitExceededException",
            "RequestLimitExceeded",
            "RequestThrottled",
            "ThrottlingException");

    private final int status;
    private final String code;

    AwsRefusal(int status, String code) {
        super(status + (code.isEmpty() ? "" : " " + code));
        this.status = status;
        this.code = code;
    }

    public boolean is(String name) {
        return code.equals(name) || code.endsWith("." + name);
    }

    /** Whether it was asked more often than it allows. */
    public boolean isThrottling() {
        return THROTTLING.contains(code);
    }

    /** What it means for a pipe where nothing else is known about it. */
    public Trouble trouble(String service) {
        return isThrottling() || status >= SERVER_ERRORS
                ? new SourceAway(service + " answers " + getMessage() + ".")
                : new Owner(service + " refuses the credentials or the request (" + getMessage() + ").");
    }
}
