package io.pilothouse.core.timeline;

import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.DataPlane.Sight;
import io.pilothouse.core.service.ServiceState;
import io.pilothouse.core.service.Wish;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the engine saw or did with a service, and when; the same thing done again and again is one of these. */
public record Happening(Instant at, Instant until, int times, What what) {
    static final int MAX_TEXT = 500;

    /** About what one of these takes in memory, and what a character of its text takes at most. */
    private static final int BYTES = 160;

    private static final int BYTES_OF_CHARACTER = 2;

    public static Happening once(Instant at, What what) {
        return new Happening(at, at, 1, what);
    }

    Happening again(Instant now) {
        return new Happening(at, now, times + 1, what);
    }

    int bytes() {
        String text = what.text();
        return BYTES + (text == null ? 0 : BYTES_OF_CHARACTER * text.length());
    }

    /** The calls to the plane that change something. */
    public enum Call {
        START("start it"),
        STOP("stop it"),
        ERASE("remove it");

        private final String phrase;

        Call(String phrase) {
            this.phrase = phrase;
        }

        String phrase() {
            return phrase;
        }

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Each kind of them, with its reason. */
    public sealed interface What {
        /** What a person wrote about it, or a plane; the only part that is not of one size. */
        @Nullable
        String text();

        /** A look at the plane that showed something new. */
        record Look(
                Condition condition, boolean fits, @Nullable String text) implements What {
            public Look {
                text = brief(text);
            }

            static Look of(Sight sight) {
                return new Look(sight.condition(), sight.fits(), sight.fault());
            }

            boolean isOf(Sight sight) {
                return condition == sight.condition()
                        && fits == sight.fits()
                        && Objects.equals(text, brief(sight.fault()));
            }
        }

        /** A call to the plane: for which wish, after which look, and what went wrong, if something did. */
        record Act(
                Call call,
                Wish wish,
                Condition seen,
                @Nullable String text) implements What {
            public Act {
                text = brief(text);
            }
        }

        /** The state that clients see, as it was and as it is, with its trouble. */
        record Turn(
                ServiceState before,
                ServiceState after,
                @Nullable String text) implements What {
            public Turn {
                text = brief(text);
            }
        }
    }

    /** As much of a text as is kept; a pair of characters that belong together is not cut. */
    static @Nullable String brief(@Nullable String text) {
        if (text == null || text.length() <= MAX_TEXT) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(MAX_TEXT - 1)) ? MAX_TEXT - 1 : MAX_TEXT);
    }
}
