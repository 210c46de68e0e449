package io.pilothouse.core.base;

import java.util.List;

/** The one way to say no to a caller: a reason that every listener maps to its own status, and a sentence for a person. */
public final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why a request is refused; each listener maps it to a status in one exhaustive switch. */
    public enum Reason {
        BAD_REQUEST,
        UNAUTHORIZED,
        FORBIDDEN,
        NOT_FOUND,
        METHOD_NOT_ALLOWED,
        CONFLICT,
        PRECONDITION_FAILED,
        PAYLOAD_TOO_LARGE,
        UNSUPPORTED_MEDIA_TYPE,
        UNPROCESSABLE,
        FAILED_DEPENDENCY,
        TOO_MANY_REQUESTS,
        UNAVAILABLE
    }

    private final Reason reason;
    private final String sentence;
    private final transient List<Fault> details;

    public Refused(Reason reason, String message) {
        this(reason, message, List.of());
    }

    private Refused(Reason reason, String message, List<Fault> details) {
        // A refusal is an ordinary answer: no stack trace is taken for it.
        super(message, null, false, false);
        this.reason = reason;
        this.sentence = message;
        this.details = List.copyOf(details);
    }

    public static Refused badRequest(List<Fault> details) {
        String more = details.size() > 1 ? " (and " + (details.size() - 1) + " more, see details)" : "";
        Fault first = details.getFirst();
        String where = first.path().isEmpty() ? "" : first.path() + ": ";
        return new Refused(Reason.BAD_REQUEST, where + first.message() + more, details);
    }

    public static Refused badRequest(String path, String message) {
        return badRequest(List.of(new Fault(path, message)));
    }

    public static Refused tooMany(int most, String what) {
        return new Refused(Reason.CONFLICT, "An organization has at most " + most + " " + what + ": delete one first");
    }

    /** The same words for a thing that does not exist and for one of another organization. */
    public static Refused notFound(String what) {
        return new Refused(Reason.NOT_FOUND, what + " not found");
    }

    public Reason reason() {
        return reason;
    }

    public List<Fault> details() {
        return details;
    }

    /** The sentence for the caller. */
    public String sentence() {
        return sentence;
    }
}
