package io.pilothouse.core.injection;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.injection.Injection.Answered;
import io.pilothouse.core.injection.Injection.Cut;
import io.pilothouse.core.injection.Injection.Delayed;
import io.pilothouse.core.injection.Injection.Effect;
import io.pilothouse.core.injection.Injection.Frequency;
import io.pilothouse.core.injection.Injection.Scope;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.DataPlane.Sight;
import io.pilothouse.core.service.PlanScene;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.Wish;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InjectionsTest {
    private static final UUID KEY = new UUID(0, 1);
    private static final UUID ORGANIZATION = new UUID(0, 2);
    private static final UUID OTHER = new UUID(0, 3);
    private static final Scope ALL = new Scope(List.of(), null, null, null);
    private static final Effect ANSWER = new Answered(503, Duration.ZERO, 1);
    private static final Sight RUNS = new Sight(Condition.RUNNING, true, null, null);
    private static final Sight STARTS = new Sight(Condition.STARTING, false, null, null);

    private final Injections injections = new Injections(7);

    private static Injection injection(String name, Scope scope, Effect effect, Frequency frequency) {
        return new Injection(name, scope, effect, frequency);
    }

    private void always(String name, Scope scope, Effect effect) {
        assertThat(injections.add(injection(name, scope, effect, Frequency.ALWAYS)))
                .isTrue();
    }

    private void often(Frequency frequency) {
        injections.begin(7, List.of(injection("often", ALL, ANSWER, frequency)));
    }

    private @Nullable String struck(String operation) {
        Injection injection = injections.strike(operation, KEY, ORGANIZATION);
        return injection == null ? null : injection.name();
    }

    /** A letter for each request: a dot for one that is left alone. */
    private String pattern(String operation, int requests) {
        StringBuilder pattern = new StringBuilder();
        for (int i = 0; i < requests; i++) {
            pattern.append(struck(operation) == null ? '.' : 'x');
        }
        return pattern.toString();
    }

    private static Service service(Condition seen) {
        return PlanScene.of(Wish.RUN, seen, seen).service();
    }

    @Test
    void withNoneSetNothingIsStruck() {
        assertThat(struck("instanceGet")).isNull();
        assertThat(injections.seen(service(Condition.RUNNING), RUNS)).isSameAs(RUNS);
        assertThat(injections.holds(service(Condition.STARTING))).isFalse();
    }

    @Test
    void onlyRequestsInItsScopeAreStruck() {
        always("one", new Scope(List.of("instanceGet"), KEY, ORGANIZATION, null), ANSWER);
        assertThat(struck("instanceGet")).isEqualTo("one");
        assertThat(struck("instanceCreate")).isNull();
        assertThat(injections.strike("instanceGet", OTHER, ORGANIZATION)).isNull();
        assertThat(injections.strike("instanceGet", KEY, OTHER)).isNull();
        assertThat(injections.standing().injections())
                .singleElement()
                .satisfies(count ->
                        assertThat(List.of(count.met(), count.struck())).containsExactly(1L, 1L));
    }

    @Test
    void theFirstThatStrikesIsTheOne() {
        always("first", new Scope(List.of("instanceGet"), null, null, null), ANSWER);
        always("second", ALL, new Delayed(Duration.ofMillis(20)));
        assertThat(struck("instanceGet")).isEqualTo("first");
        assertThat(struck("backupGet")).isEqualTo("second");
        assertThat(injections.remove("first")).isPresent();
        assertThat(injections.remove("first")).isEmpty();
        assertThat(struck("instanceGet")).isEqualTo("second");
    }

    @Test
    void nameIsTakenOnce() {
        always("one", ALL, ANSWER);
        assertThat(injections.add(injection("one", ALL, ANSWER, Frequency.ALWAYS)))
                .isFalse();
        assertThat(injections.freeName()).isEqualTo("fault-2");
        always("fault-3", ALL, ANSWER);
        assertThat(injections.freeName()).isEqualTo("fault-4");
    }

    @Test
    void skipBurstAndCountShapeWhatIsStruck() {
        often(new Frequency(1, 2, 1, 3));
        assertThat(pattern("a", 8)).isEqualTo("..xxx...");
        often(new Frequency(1, 1, 3, 5));
        assertThat(pattern("a", 8)).isEqualTo(".xxxxx..");
        often(new Frequency(0.2, 0, 4, 0));
        assertThat(pattern("a", 1_000)).matches("(\\.+|(xxxx)+)*x{0,3}").contains("xxxx", ".");
    }

    @Test
    void theSameSeedStrikesTheSameAndAnotherDoesNot() {
        often(new Frequency(0.5, 0, 1, 0));
        String first = pattern("a", 64);
        often(new Frequency(0.5, 0, 1, 0));
        assertThat(pattern("a", 64)).isEqualTo(first);
        injections.begin(8, List.of(injection("often", ALL, ANSWER, new Frequency(0.5, 0, 1, 0))));
        assertThat(pattern("a", 64)).isNotEqualTo(first);
        assertThat(first.chars().filter(c -> c == 'x').count()).isBetween(16L, 48L);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void requestsOfAnotherOperationInBetweenChangeNothing(int burst) {
        Frequency frequency = new Frequency(0.3, 0, burst, 0);
        often(frequency);
        String alone = pattern("a", 64);
        often(frequency);
        StringBuilder mixed = new StringBuilder();
        List<String> others = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            mixed.append(pattern("a", 1));
            others.add(pattern("b", 2));
        }
        assertThat(mixed).hasToString(alone);
        assertThat(String.join("", others)).doesNotStartWith(alone);
    }

    @Test
    void noRequestSlipsThroughWhileOnePlanFollowsAnother() throws InterruptedException {
        List<Injection> plan = List.of(injection("always", ALL, ANSWER, Frequency.ALWAYS));
        injections.begin(7, plan);
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger spared = new AtomicInteger();
        Thread asking = Thread.ofPlatform().start(() -> {
            while (!over.get()) {
                if (struck("a") == null) {
                    spared.incrementAndGet();
                }
            }
        });
        for (int i = 0; i < 20_000; i++) {
            injections.begin(i, plan);
        }
        over.set(true);
        asking.join();
        assertThat(spared).hasValue(0);
    }

    @Test
    void twoWithTheSameChanceDoNotStrikeTogether() {
        Frequency half = new Frequency(0.5, 0, 1, 0);
        injections.begin(
                7,
                List.of(
                        injection("one", new Scope(List.of(), KEY, null, null), ANSWER, half),
                        injection("two", new Scope(List.of(), OTHER, null, null), ANSWER, half)));
        StringBuilder two = new StringBuilder();
        for (int i = 0; i < 64; i++) {
            two.append(injections.strike("a", OTHER, ORGANIZATION) == null ? '.' : 'x');
        }
        assertThat(pattern("a", 64)).isNotEqualTo(two.toString());
    }

    @Test
    void serviceOnItsWayIsHeldThereAndOneThatRunsIsLeftAlone() {
        always("other", new Scope(List.of(), null, null, OTHER), ServiceTrouble.PROVISIONING);
        always("stuck", ALL, ServiceTrouble.PROVISIONING);
        Service running = service(Condition.RUNNING);
        assertThat(injections.seen(running, RUNS)).isSameAs(RUNS);
        assertThat(injections.holds(running)).isFalse();
        Service starting = service(Condition.STARTING);
        assertThat(injections.seen(starting, RUNS)).isEqualTo(STARTS);
        assertThat(injections.holds(starting)).isTrue();
        injections.forget(starting.id());
        assertThat(injections.holds(starting)).isFalse();
    }

    @Test
    void failedServiceIsSeenSoWhateverItDid() {
        always("requests", ALL, ANSWER);
        Service service = service(Condition.RUNNING);
        always("broken", new Scope(List.of(), null, service.organizationId(), service.id()), ServiceTrouble.FAILED);
        Sight seen = injections.seen(service, RUNS);
        assertThat(seen.condition()).isEqualTo(Condition.LOST);
        assertThat(seen.fault()).contains("fault broken");
        assertThat(injections.holds(service)).isFalse();
        assertThat(struck("instanceGet")).isEqualTo("requests");
    }

    @Test
    void onlyServiceThatRunsDegradesAndKeepsRunning() {
        always("elsewhere", new Scope(List.of(), null, OTHER, null), ServiceTrouble.FAILED);
        always("ill", ALL, ServiceTrouble.DEGRADED);
        Service service = service(Condition.RUNNING);
        assertThat(injections.seen(service, STARTS)).isSameAs(STARTS);
        Sight unfit = new Sight(Condition.RUNNING, false, null, null);
        assertThat(injections.seen(service, unfit)).isSameAs(unfit);
        Sight seen = injections.seen(service, new Sight(Condition.RUNNING, true, null, null, 5L));
        assertThat(seen.condition()).isEqualTo(Condition.RUNNING);
        assertThat(seen.fits()).isTrue();
        assertThat(seen.storedBytes()).isEqualTo(5L);
        assertThat(struck("instanceGet")).isNull();
        assertThat(seen.fault()).contains("fault ill");
    }

    @Test
    void serviceThatWasSparedStaysSoAndOneThatWasStruckToo() {
        injections.add(injection("one", ALL, ServiceTrouble.FAILED, new Frequency(1, 1, 1, 1)));
        Service spared = service(Condition.RUNNING);
        Service struck = other(spared);
        for (int look = 0; look < 3; look++) {
            assertThat(injections.seen(spared, RUNS)).isSameAs(RUNS);
            assertThat(injections.seen(struck, RUNS).condition()).isEqualTo(Condition.LOST);
        }
        assertThat(injections.standing().injections().getFirst().met()).isEqualTo(2);
    }

    private static Service other(Service service) {
        return new Service(
                new Head(OTHER, OTHER, service.createdAt(), 1),
                service.fixed(),
                service.details(),
                service.scaling(),
                service.access(),
                service.password(),
                service.backups(),
                service.want(),
                service.seen());
    }

    @Test
    void labelNamesItAndSaysWhatItDoes() {
        assertThat(List.of(
                                ANSWER,
                                new Delayed(Duration.ofMillis(20)),
                                new Cut(true, Duration.ZERO),
                                new Cut(false, Duration.ZERO),
                                ServiceTrouble.DEGRADED)
                        .stream()
                        .map(effect ->
                                injection("x", ALL, effect, Frequency.ALWAYS).label()))
                .containsExactly(
                        "x (answer 503)", "x (delay 20 ms)", "x (cut after)", "x (cut before)", "x (service degraded)");
    }
}
