package io.pilothouse.http.wire;

import io.pilothouse.core.base.Fault;
import io.pilothouse.core.base.Refused;
import java.util.List;
import java.util.UUID;

/** Why a request is not done, in the terms of HTTP: a status, a code word, a sentence for a person, and every fault. */
public record Problem(int status, String code, String sentence, List<Fault> details, UUID requestId) {
    public static final int INTERNAL_ERROR = 500;

    public Problem {
        details = List.copyOf(details);
    }

    static Problem of(Refused refused, UUID requestId) {
        Refused.Reason reason = refused.reason();
        return new Problem(status(reason), reason.name(), refused.sentence(), refused.details(), requestId);
    }

    /** Does not say what went wrong: that is in the log, under the same id. */
    static Problem internal(UUID requestId) {
        return new Problem(
                INTERNAL_ERROR, "INTERNAL_ERROR", "Something went wrong, and it was logged", List.of(), requestId);
    }

    public static int status(Refused.Reason reason) {
        return switch (reason) {
            case BAD_REQUEST -> 400;
            case UNAUTHORIZED -> 401;
            case FORBIDDEN -> 403;
            case NOT_FOUND -> 404;
            case METHOD_NOT_ALLOWED -> 405;
            case CONFLICT -> 409;
            case PRECONDITION_FAILED -> 412;
            case PAYLOAD_TOO_LARGE -> 413;
            case UNSUPPORTED_MEDIA_TYPE -> 415;
            case UNPROCESSABLE -> 422;
            case FAILED_DEPENDENCY -> 424;
            case TOO_MANY_REQUESTS -> 429;
            case UNAVAILABLE -> 503;
        };
    }
}
