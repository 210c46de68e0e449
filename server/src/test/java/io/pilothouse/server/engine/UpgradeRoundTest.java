package io.pilothouse.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.port.Tables;
import io.pilothouse.core.service.DataPlane.Offer;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.Service.Pin;
import io.pilothouse.core.service.ServiceFollower;
import io.pilothouse.core.service.Wish;
import io.pilothouse.core.upgrade.UpgradeRound;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Services of one machine come to another version of ClickHouse, in a real store, with their passes. */
class UpgradeRoundTest {
    private static final String OLD = "26.5.3";
    private static final String NEW = "26.7.3";
    private static final String NEWEST = "26.8.1";

    @TempDir
    private Path folder;

    private final UUID second = UUID.randomUUID();
    private final AtomicInteger nudges = new AtomicInteger();
    private OneService one;
    private UpgradeRound round;

    @BeforeEach
    void open() {
        one = new OneService(folder);
        offer(List.of(OLD), List.of(OLD));
        round = new UpgradeRound(
                one.fleet.store(), one.time, one.plane::offers, ServiceFollower.NONE, nudges::incrementAndGet);
        one.fleet.create(second);
        one.run();
        round.run();
    }

    @AfterEach
    void close() {
        one.close();
    }

    private void offer(List<String> versions, List<String> able) {
        one.plane.offer(
                versions.stream()
                        .map(version -> new Offer(version, one.time.now().minus(Duration.ofDays(30))))
                        .toList(),
                able);
    }

    private Pin pin(UUID id) {
        return Objects.requireNonNull(one.fleet.get(id).want().pin());
    }

    private List<String> versions() {
        return Stream.of(one.id, second).map(id -> pin(id).version()).sorted().toList();
    }

    private void letPass(Duration duration) {
        for (Duration left = duration; left.isPositive(); left = left.minusSeconds(15)) {
            one.letPass(Duration.ofSeconds(15));
            round.run();
        }
    }

    @Test
    void whatRunsIsNotedAndStaysThereWhateverIsInstalledBesideItUntilItIsItsTurn() {
        assertThat(versions()).containsExactly(OLD, OLD);
        assertThat(nudges).as("nothing changes by being noted").hasValue(0);
        one.plane.offer(List.of(new Offer(OLD, one.time.now()), new Offer(NEW, one.time.now())), List.of(OLD, NEW));
        int effects = one.plane.effects().size();
        letPass(Duration.ofMinutes(5));
        assertThat(versions()).containsExactly(OLD, OLD);
        assertThat(one.plane.effects()).hasSize(effects);
    }

    @Test
    void oneAfterAnotherIsRestartedOnTheNewVersionAndKeepsItsData() {
        long data = one.plane.data(one.id).orElseThrow();
        offer(List.of(OLD, NEW), List.of(OLD, NEW));
        round.run();
        assertThat(versions()).as("one at a time").containsExactly(OLD, NEW);
        round.run();
        assertThat(versions()).as("the first is on its way").containsExactly(OLD, NEW);

        letPass(Duration.ofMinutes(2));
        for (UUID id : List.of(one.id, second)) {
            assertThat(pin(id).version()).isEqualTo(NEW);
            assertThat(pin(id).isTried()).isFalse();
            assertThat(one.plane.runsAs(one.fleet.get(id))).isTrue();
            assertThat(one.fleet.state(id)).isEqualTo("running");
            assertThat(one.fleet.activities(id))
                    .containsSubsequence("service_maintenance_start", "service_maintenance_end");
        }
        assertThat(one.plane.data(one.id)).hasValue(data);
    }

    @Test
    void oneThatDoesNotComeUpGoesBackWithItsDataAndTheOthersWaitForADay() {
        long data = one.plane.data(one.id).orElseThrow();
        offer(List.of(OLD, NEW), List.of(OLD));
        round.run();
        UUID tried = pin(one.id).isTried() ? one.id : second;
        UUID other = tried.equals(one.id) ? second : one.id;
        letPass(Duration.ofMinutes(1));
        assertThat(one.fleet.state(tried)).as("it is back, and starts").isEqualTo("starting");
        letPass(Duration.ofMinutes(1));
        assertThat(pin(tried).version()).isEqualTo(OLD);
        assertThat(pin(tried).refused()).isEqualTo(NEW);
        assertThat(one.fleet.state(tried)).isEqualTo("running");
        assertThat(one.plane.runsAs(one.fleet.get(tried))).isTrue();
        assertThat(one.plane.data(one.id)).hasValue(data);
        assertThat(one.fleet.activities(tried))
                .containsSubsequence("service_maintenance_start", "service_upgrade_undone")
                .doesNotContain("service_maintenance_end");
        assertThat(pin(other).isTried()).isFalse();
        assertThat(one.fleet.activities(other)).doesNotContain("service_maintenance_start");

        offer(List.of(OLD, NEW, NEWEST), List.of(OLD, NEWEST));
        letPass(Duration.ofMinutes(2));
        assertThat(versions()).containsExactly(NEWEST, NEWEST);
    }

    @Test
    void programThatWasStoppedInTheMiddleGoesOnWhereItWas() {
        offer(List.of(OLD, NEW), List.of(OLD, NEW));
        round.run();
        UUID tried = pin(one.id).isTried() ? one.id : second;
        one.time.advance(Duration.ofHours(1));
        round = new UpgradeRound(
                one.fleet.store(), one.time, one.plane::offers, ServiceFollower.NONE, nudges::incrementAndGet);
        round.run();
        letPass(Duration.ofMinutes(1));
        assertThat(pin(tried).version()).isEqualTo(NEW);
        assertThat(pin(tried).isTried()).isFalse();
        assertThat(one.fleet.activities(tried)).doesNotContain("service_upgrade_undone");
    }

    @Test
    void whereTheDataIsFromAVersionThatIsTooNewNothingGoesBackAndItIsSaid() {
        offer(List.of("18.16.1", OLD, "27.1"), List.of("18.16.1", OLD));
        round.run();
        UUID tried = pin(one.id).isTried() ? one.id : second;
        letPass(Duration.ofMinutes(6));
        assertThat(pin(tried)).satisfies(stuck -> {
            assertThat(stuck.version()).isEqualTo("27.1");
            assertThat(stuck.isTried()).isFalse();
        });
        assertThat(one.fleet.state(tried)).isEqualTo("degraded");
        assertThat(one.fleet.get(tried).seen().trouble()).endsWith("It does not come up");
        assertThat(one.fleet.activities(tried)).contains("service_upgrade_stuck");
        UUID other = tried.equals(one.id) ? second : one.id;
        assertThat(pin(other))
                .as("the others do not follow it")
                .isEqualTo(Pin.on(OLD, pin(other).since()));
        assertThat(one.fleet.state(other)).isEqualTo("running");
    }

    @Test
    void oneThatSleepsIsMovedAsItSleepsAndStartsOnTheNewVersion() {
        one.fleet.wish(one.id, Wish.SLEEP);
        one.letPass(Duration.ofSeconds(5));
        offer(List.of(OLD, NEW), List.of(OLD, NEW));
        round.run();
        assertThat(pin(one.id).version()).isEqualTo(NEW);
        assertThat(one.fleet.state(one.id)).isEqualTo("idle");
        letPass(Duration.ofMinutes(30));
        assertThat(pin(one.id).version()).isEqualTo(NEW);

        one.fleet.wish(one.id, Wish.RUN);
        letPass(Duration.ofMinutes(1));
        assertThat(one.fleet.state(one.id)).isEqualTo("running");
        assertThat(pin(one.id).isTried()).isFalse();
    }

    @Test
    void whatIsNeededAsItIsIsNotMoved() {
        ServiceFollower busy = new ServiceFollower() {
            @Override
            public boolean keepsAwake(Tables tables, Service service) {
                return true;
            }
        };
        offer(List.of(OLD, NEW), List.of(OLD, NEW));
        new UpgradeRound(one.fleet.store(), one.time, one.plane::offers, busy, nudges::incrementAndGet).run();
        assertThat(versions()).containsExactly(OLD, OLD);
    }

    @Test
    void planeThatHasOneVersionForAllPinsNothing() {
        one.plane.offer(List.of(), List.of());
        one.fleet.change(one.id, row -> row.withPin(null));
        round.run();
        assertThat(one.fleet.get(one.id).want().pin()).isNull();
    }
}
