package io.pilothouse.core.timeline;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A few sentences for a person; their moments stand apart, so that a page can show them in the reader's zone. */
public record Sentence(List<Part> parts) {
    public Sentence {
        parts = List.copyOf(parts);
    }

    /** A piece of it. */
    public sealed interface Part {
        record Words(String text) implements Part {}

        record Moment(Instant at) implements Part {}
    }

    /** The whole of it, with its moments as the API writes them, to the second. */
    public String text() {
        return parts.stream().map(Sentence::text).collect(Collectors.joining());
    }

    private static String text(Part part) {
        return switch (part) {
            case Part.Words words -> words.text();
            case Part.Moment moment ->
                moment.at().truncatedTo(ChronoUnit.SECONDS).toString();
        };
    }

    /** One that is being written. */
    static final class Draft {
        private final List<Part> parts = new ArrayList<>();

        Draft words(String text) {
            parts.add(new Part.Words(text));
            return this;
        }

        Draft at(Instant moment) {
            parts.add(new Part.Moment(moment));
            return this;
        }

        /** The end of a sentence that may have one of its own. */
        Draft quoted(String text) {
            return words(text.endsWith(".") ? text : text + ".");
        }

        Sentence done() {
            return new Sentence(parts);
        }
    }
}
