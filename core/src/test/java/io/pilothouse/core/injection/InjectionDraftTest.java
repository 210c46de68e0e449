package io.pilothouse.core.injection;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Fault;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.injection.Injection.Answered;
import io.pilothouse.core.injection.Injection.Cut;
import io.pilothouse.core.injection.Injection.Delayed;
import io.pilothouse.core.injection.Injection.Frequency;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class InjectionDraftTest {
    private static final Set<String> KNOWN = Set.of("instanceGet", "instanceCreate");

    private final Faults faults = new Faults();

    private static InjectionDraft draft(
            @Nullable String effect, Map<String, Double> figures, @Nullable List<String> operations) {
        Set<String> given = new HashSet<>(figures.keySet());
        given.add("effect");
        if (operations != null) {
            given.add("operations");
        }
        return new InjectionDraft(given, null, effect, figures, operations, null, null, null);
    }

    private static InjectionDraft named(String name) {
        return new InjectionDraft(Set.of("name", "effect"), name, "service-failed", Map.of(), null, null, null, null);
    }

    private Injection checked(InjectionDraft draft) {
        return draft.checked("", "fault-1", KNOWN, faults);
    }

    private List<String> paths() {
        return faults.list().stream().map(Fault::path).toList();
    }

    @Test
    void answerHasEverythingThatWasAskedFor() {
        Injection injection = checked(draft(
                "answer",
                Map.of(
                        "status",
                        429.0,
                        "delayMillis",
                        20.0,
                        "retryAfterSeconds",
                        3.0,
                        "probability",
                        0.5,
                        "skip",
                        1.0,
                        "burst",
                        2.0,
                        "count",
                        4.0),
                List.of("instanceGet")));
        assertThat(faults.none()).isTrue();
        assertThat(injection.name()).isEqualTo("fault-1");
        assertThat(injection.effect()).isEqualTo(new Answered(429, Duration.ofMillis(20), 3));
        assertThat(injection.frequency()).isEqualTo(new Frequency(0.5, 1, 2, 4));
        assertThat(injection.scope().operations()).containsExactly("instanceGet");
    }

    @Test
    void whatIsNotGivenIsUsual() {
        Injection injection = checked(draft("delay", Map.of("delayMillis", 1.0), null));
        assertThat(injection.effect()).isEqualTo(new Delayed(Duration.ofMillis(1)));
        assertThat(injection.frequency()).isEqualTo(Frequency.ALWAYS);
        assertThat(checked(draft("cut-after", Map.of(), null)).effect()).isEqualTo(new Cut(true, Duration.ZERO));
        assertThat(checked(draft("cut-before", Map.of(), null)).effect()).isEqualTo(new Cut(false, Duration.ZERO));
        assertThat(faults.none()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(InjectionDraft.Word.class)
    void everyWordIsReadAsWhatItIsShownAs(InjectionDraft.Word word) {
        Map<String, Double> figures = switch (word) {
            case ANSWER -> Map.of("status", 500.0);
            case DELAY -> Map.of("delayMillis", 5.0);
            case CUT_BEFORE, CUT_AFTER, SERVICE_PROVISIONING, SERVICE_FAILED, SERVICE_DEGRADED -> Map.of();
        };
        Injection injection = checked(draft(word.word(), figures, null));
        assertThat(faults.none()).isTrue();
        assertThat(InjectionDraft.Word.of(injection.effect())).isEqualTo(word);
    }

    @ParameterizedTest
    @CsvSource({
        "delayMillis, -1",
        "delayMillis, 60001",
        "delayMillis, 0.5",
        "retryAfterSeconds, 3601",
        "probability, 0",
        "probability, 1.1",
        "skip, -1",
        "burst, 0",
        "burst, 1001",
        "count, 0"
    })
    void numberOutsideItsBoundsIsRefused(String field, double value) {
        checked(draft("answer", Map.of("status", 500.0, field, value), null));
        assertThat(paths()).containsExactly(field);
    }

    @Test
    void unknownWordsAreRefusedEachAtItsPlace() {
        draft("anwser", Map.of(), null).checked("faults[2].", "fault-3", KNOWN, faults);
        checked(draft(null, Map.of("status", 500.0), null));
        assertThat(paths()).containsExactly("faults[2].effect", "effect");
    }

    @Test
    void fieldThatWouldDoNothingIsRefused() {
        InjectionDraft ofRequests = new InjectionDraft(
                Set.of("effect", "serviceId", "probabilty"), null, "cut-before", Map.of(), null, null, null, null);
        checked(ofRequests);
        assertThat(paths()).containsExactly("probabilty", "serviceId");
        InjectionDraft ofServices = new InjectionDraft(
                Set.of("effect", "serviceId", "burst", "keyId"),
                null,
                "service-degraded",
                Map.of(),
                null,
                null,
                null,
                null);
        checked(ofServices);
        assertThat(paths()).containsExactly("probabilty", "serviceId", "burst", "keyId");
    }

    @Test
    void statusIsOneThatClientsMeetAndDelayIsOne() {
        checked(draft("answer", Map.of("status", 418.0), null));
        checked(draft("answer", Map.of("status", 503.5), null));
        checked(draft("answer", Map.of(), null));
        checked(draft("delay", Map.of(), null));
        assertThat(paths()).containsExactly("status", "status", "status", "delayMillis");
    }

    @Test
    void operationsAreKnownOnesAndNotTooMany() {
        checked(draft("cut-after", Map.of(), List.of("instanceGet", "instanceGot")));
        assertThat(paths()).containsExactly("operations[1]");
        checked(draft("cut-after", Map.of(), Collections.nCopies(101, "instanceGet")));
        assertThat(paths()).containsExactly("operations[1]", "operations");
    }

    @Test
    void nameFitsIntoHeaders() {
        assertThat(checked(named("slow.one_2-b")).name()).isEqualTo("slow.one_2-b");
        assertThat(faults.none()).isTrue();
        for (String bad : List.of("", "a b", "a\nb", ".", "x".repeat(65))) {
            checked(named(bad));
        }
        assertThat(paths()).hasSize(5).containsOnly("name");
    }
}
