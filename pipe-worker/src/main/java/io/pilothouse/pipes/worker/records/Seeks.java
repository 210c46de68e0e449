package io.pilothouse.pipes.worker.records;

import io.pilothouse.pipes.wire.Span;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;

/**
 * Where a pipe was sent to read on, as its ledger says: a line for all parts, and one for each that was named. A place
 * is {@link #BEGINNING}, {@link #END}, a moment of RFC 3339 or what the source numbers its records with; pure.
 */
public record Seeks(Map<String, Span> ledger) {
    public static final String BEGINNING = "beginning";
    public static final String END = "end";

    /** The line that names the place of one part. */
    public static String line(String part) {
        return Span.SEEK + part;
    }

    /** Where all parts begin that the ledger does not have and that were not sent elsewhere by their names. */
    public String place(String usual) {
        return at(Span.SEEK).orElse(usual);
    }

    /** Where this part was sent by its name. */
    public Optional<String> placeOf(String part) {
        return at(line(part));
    }

    private Optional<String> at(String line) {
        return Optional.ofNullable(ledger.get(line)).map(Span::identity).filter(place -> !place.isEmpty());
    }

    /**
     * How often a part was sent elsewhere, which tells records that are read again on purpose from those that come
     * again after a crash; empty if it never was.
     */
    public String count(String part) {
        return count("#", Span.SEEK) + count(".", line(part));
    }

    private String count(String sign, String line) {
        Span seek = ledger.get(line);
        return seek == null ? "" : sign + seek.from();
    }

    /** A minute of UTC as a place, in the form that sources of pipes have it. */
    public static String minute(String text) {
        return LocalDateTime.parse(text).toInstant(ZoneOffset.UTC).toString();
    }
}
