package io.pilothouse.core.injection;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.injection.Injection.Effect;
import io.pilothouse.core.injection.Injection.Frequency;
import io.pilothouse.core.injection.Injection.Scope;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An injection as it was asked for, before any rule was applied. {@code given} are the names of all its fields, because
 * one that does nothing is refused: a test must not believe in a fault that is misspelled.
 */
public record InjectionDraft(
        Set<String> given,
        @Nullable String name,
        @Nullable String effect,
        Map<String, Double> figures,
        @Nullable List<String> operations,
        @Nullable UUID keyId,
        @Nullable UUID organizationId,
        @Nullable UUID serviceId) {
    /** The fields that are numbers, each with its bounds. */
    public static final Map<String, Range> FIGURES = bounds();

    public static final String PROBABILITY = "probability";
    public static final int MAX_OPERATIONS = 100;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    /** The statuses that can be answered: those that clients of this API may meet, from it or from a proxy before it. */
    public static final List<Integer> STATUSES =
            List.of(400, 401, 403, 404, 405, 408, 409, 412, 413, 415, 422, 424, 429, 500, 502, 503, 504);

    /** The bounds of a number, and what it is when it is not given. */
    public record Range(double least, double most, double usual, boolean whole) {
        boolean has(double value) {
            return value >= least && value <= most && (!whole || value == Math.rint(value));
        }

        String words() {
            return whole
                    ? "must be a whole number from " + (long) least + " to " + (long) most
                    : "must be a number above 0 and at most 1";
        }
    }

    public InjectionDraft {
        given = Set.copyOf(given);
        figures = Map.copyOf(figures);
        operations = operations == null ? null : List.copyOf(operations);
    }

    private static Map<String, Range> bounds() {
        Map<String, Range> figures = new LinkedHashMap<>();
        figures.put("status", new Range(400, 504, 0, true));
        figures.put("delayMillis", new Range(0, 60_000, 0, true));
        figures.put("retryAfterSeconds", new Range(0, 3_600, 1, true));
        figures.put(PROBABILITY, new Range(Double.MIN_VALUE, 1, 1, false));
        figures.put("skip", new Range(0, 1_000_000, 0, true));
        figures.put("burst", new Range(1, 1_000, 1, true));
        figures.put("count", new Range(1, 1_000_000, 0, true));
        return figures;
    }

    /** What can be asked for, and the fields that go with it. */
    public enum Word {
        ANSWER("answer", "status", "delayMillis", "retryAfterSeconds"),
        DELAY("delay", "delayMillis"),
        CUT_BEFORE("cut-before", "delayMillis"),
        CUT_AFTER("cut-after", "delayMillis"),
        SERVICE_PROVISIONING("service-provisioning"),
        SERVICE_FAILED("service-failed"),
        SERVICE_DEGRADED("service-degraded");

        private static final Set<String> OF_ALL =
                Set.of("name", "effect", "organizationId", PROBABILITY, "skip", "count");
        private static final Set<String> OF_REQUESTS = Set.of("operations", "keyId", "burst");
        private static final Set<String> OF_SERVICES = Set.of("serviceId");

        private final String word;
        // Set.of cannot be changed, which its type does not say.
        @SuppressWarnings("ImmutableEnumChecker")
        private final Set<String> own;

        Word(String word, String... own) {
            this.word = word;
            this.own = Set.of(own);
        }

        public String word() {
            return word;
        }

        private boolean takes(String field) {
            return OF_ALL.contains(field)
                    || own.contains(field)
                    || (own.isEmpty() ? OF_SERVICES : OF_REQUESTS).contains(field);
        }

        /** The word for an effect. */
        public static Word of(Effect effect) {
            return switch (effect) {
                case Injection.Answered _ -> ANSWER;
                case Injection.Delayed _ -> DELAY;
                case Injection.Cut cut -> cut.done() ? CUT_AFTER : CUT_BEFORE;
                case ServiceTrouble.PROVISIONING -> SERVICE_PROVISIONING;
                case ServiceTrouble.FAILED -> SERVICE_FAILED;
                case ServiceTrouble.DEGRADED -> SERVICE_DEGRADED;
            };
        }

        private static @Nullable Word find(@Nullable String text) {
            for (Word each : values()) {
                if (each.word.equals(text)) {
                    return each;
                }
            }
            return null;
        }
    }

    /**
     * The injection, not to be used once a fault was found; {@code at} is where this is in its document, {@code freeName} what
     * it is called if it has no name.
     */
    public Injection checked(String at, String freeName, Set<String> knownOperations, Faults faults) {
        Word word = Word.find(effect);
        if (word == null) {
            faults.add(at + "effect", "must be one of " + words());
        }
        for (String field : given.stream().sorted().toList()) {
            if (word != null && !word.takes(field)) {
                faults.add(at + field, "means nothing with the effect " + word.word);
            }
        }
        if (name != null && !NAME.matcher(name).matches()) {
            faults.add(at + "name", "must have 1 to 64 letters, digits, dots, dashes or underscores");
        }
        if (word == Word.ANSWER && STATUSES.stream().noneMatch(status -> status == figure("status"))) {
            faults.add(at + "status", "must be one of " + STATUSES);
        }
        if (word == Word.DELAY && figure("delayMillis") == 0) {
            faults.add(at + "delayMillis", "is required, and must be above 0");
        }
        FIGURES.forEach((field, range) -> {
            Double figure = figures.get(field);
            if (figure != null && !field.equals("status") && !range.has(figure)) {
                faults.add(at + field, range.words());
            }
        });
        List<String> wanted = operations == null ? List.of() : operations;
        if (wanted.size() > MAX_OPERATIONS) {
            faults.add(at + "operations", "must have at most " + MAX_OPERATIONS + " items");
        }
        for (int i = 0; i < wanted.size(); i++) {
            if (!knownOperations.contains(wanted.get(i))) {
                faults.add(at + "operations[" + i + "]", "must be the id of an operation that this server has");
            }
        }
        return new Injection(
                name == null ? freeName : name,
                new Scope(wanted, keyId, organizationId, serviceId),
                effect(word == null ? Word.ANSWER : word),
                new Frequency(figure(PROBABILITY), (int) figure("skip"), (int) figure("burst"), (int) figure("count")));
    }

    private Effect effect(Word word) {
        Duration delay = Duration.ofMillis((long) figure("delayMillis"));
        return switch (word) {
            case ANSWER -> new Injection.Answered((int) figure("status"), delay, (int) figure("retryAfterSeconds"));
            case DELAY -> new Injection.Delayed(delay);
            case CUT_BEFORE -> new Injection.Cut(false, delay);
            case CUT_AFTER -> new Injection.Cut(true, delay);
            case SERVICE_PROVISIONING -> ServiceTrouble.PROVISIONING;
            case SERVICE_FAILED -> ServiceTrouble.FAILED;
            case SERVICE_DEGRADED -> ServiceTrouble.DEGRADED;
        };
    }

    private double figure(String field) {
        return figures.getOrDefault(
                field, Objects.requireNonNull(FIGURES.get(field)).usual());
    }

    private static String words() {
        return String.join(", ", List.of(Word.values()).stream().map(Word::word).toList());
    }
}
