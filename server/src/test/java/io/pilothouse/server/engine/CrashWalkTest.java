package io.pilothouse.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.BackupOrigin;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceState;
import io.pilothouse.core.service.Wish;
import io.pilothouse.plane.simulated.SimulatedPlane;
import io.pilothouse.testkit.FakePlane;
import io.pilothouse.testkit.KillSwitch;
import io.pilothouse.testkit.SimTime;
import io.pilothouse.testkit.Walk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the process before and after everything it does, one place after another, and expects the same life each time:
 * the same states, the same data, the same lines in the history.
 */
class CrashWalkTest {
    private static final List<String> STORY = List.of(
            "created running RUNNING as wanted data 1 service_running",
            "stopped stopped STOPPED data 1 service_running",
            "started running RUNNING as wanted data 1 service_running,service_running",
            "changed running RUNNING as wanted data 1 service_running,service_running",
            "asleep idle STOPPED data 1 service_running,service_running,service_idle",
            "awake running RUNNING as wanted data 1 service_running,service_running,service_idle,service_running",
            "deleted gone ABSENT no data service_running,service_running,service_idle,service_running");

    /** Two looks find a start and one finds a stop, so that every kind of pass is walked through, and not many times. */
    private static final Duration START_TIME = Duration.ofMillis(300);

    private static final Duration STOP_TIME = Duration.ofMillis(200);

    private final SimTime time = new SimTime();

    @TempDir
    private Path folder;

    private Fleet fleet;

    @BeforeEach
    void open() {
        fleet = new Fleet(folder, time);
    }

    @AfterEach
    void close() {
        fleet.close();
    }

    /** A world that outlives the process. */
    private static final class Outside implements Life.World {
        private final FakePlane plane;
        private boolean written;

        Outside(FakePlane plane) {
            this.plane = plane;
        }

        @Override
        public String describe(UUID serviceId, Optional<Service> row) {
            String data = plane.data(serviceId).isPresent()
                    ? "data " + plane.data(serviceId).getAsLong()
                    : "no data";
            boolean fits = row.isPresent() && plane.runsAs(row.get());
            return plane.condition(serviceId) + (fits ? " as wanted " : " ") + data;
        }

        @Override
        public void check(Service row) {
            if (row.state() == ServiceState.RUNNING) {
                assertThat(plane.condition(row.id()))
                        .as("the services that clients see running")
                        .isEqualTo(Condition.RUNNING);
            }
            if (row.wish() != Wish.DELETE && row.seen().everRan()) {
                long first = row.fixed().origin() == null
                        ? 1
                        : FakePlane.dataOf(row.fixed().origin());
                assertThat(plane.data(row.id()))
                        .as("data of a service that was not deleted")
                        .hasValue(written ? first + 1 : first);
            }
        }

        @Override
        public void write(UUID serviceId) {
            plane.write(serviceId);
            written = true;
        }
    }

    /** Nothing outlives the process but the store. */
    private static final class Nothing implements Life.World {
        @Override
        public String describe(UUID serviceId, Optional<Service> row) {
            return "";
        }

        @Override
        public void check(Service row) {}

        @Override
        public void write(UUID serviceId) {}
    }

    private Life lifeInTheWorld(KillSwitch kill) {
        FakePlane plane = new FakePlane(time, START_TIME, STOP_TIME);
        return new Life(fleet, time, () -> plane, new Outside(plane), kill);
    }

    /** A plane that fails one look and one order in three. */
    private Life lifeInATroubledWorld(KillSwitch kill) {
        FakePlane plane = new FakePlane(time, START_TIME, STOP_TIME);
        AtomicInteger asked = new AtomicInteger();
        plane.trap((deed, _, done) -> {
            if (!done && asked.incrementAndGet() % 3 == 0) {
                throw new PlaneFault("It did not come to " + deed);
            }
        });
        return new Life(fleet, time, () -> plane, new Outside(plane), kill);
    }

    private Life simulatedLife(KillSwitch kill) {
        SimulatedPlane.Settings settings = new SimulatedPlane.Settings(START_TIME, STOP_TIME, "25.8");
        return new Life(fleet, time, () -> new SimulatedPlane(time, settings), new Nothing(), kill);
    }

    @Test
    void undisturbedLifeIsAsItShouldBe() {
        assertThat(lifeInTheWorld(new KillSwitch(Set.of())).live()).isEqualTo(STORY);
    }

    @Test
    void lifeIsTheSameWhereverTheProcessDies() {
        int points = points(lifeInTheWorld(new KillSwitch(Set.of())));
        for (int point = 1; point <= points; point++) {
            KillSwitch kill = new KillSwitch(Set.of(point));
            Life life = lifeInTheWorld(kill);
            assertThat(life.live()).as("killed at %s", where(kill, point)).isEqualTo(STORY);
            assertThat(life.deaths()).isEqualTo(1);
        }
    }

    @Test
    void sleepingServiceIsErasedWhereverTheProcessDies() {
        Life undisturbed = lifeInTheWorld(new KillSwitch(Set.of()));
        List<String> story = undisturbed.liveShortly();
        assertThat(story)
                .containsExactly(
                        "created running RUNNING as wanted data 1 service_running",
                        "asleep idle STOPPED data 1 service_running,service_idle",
                        "deleted gone ABSENT no data service_running,service_idle");
        for (int point = 1; point <= undisturbed.points(); point++) {
            KillSwitch kill = new KillSwitch(Set.of(point));
            assertThat(lifeInTheWorld(kill).liveShortly())
                    .as("killed at %s", where(kill, point))
                    .isEqualTo(story);
        }
    }

    @Test
    void backupIsRestoredOnceWhereverTheProcessDies() {
        BackupOrigin origin = new BackupOrigin(UUID.randomUUID(), new UUID(0, 70));
        Life undisturbed = lifeInTheWorld(new KillSwitch(Set.of()));
        List<String> story = undisturbed.liveOn(origin);
        assertThat(story)
                .containsExactly(
                        "restored running RUNNING as wanted data 70 service_running",
                        "stopped stopped STOPPED data 71 service_running",
                        "started running RUNNING as wanted data 71 service_running,service_running",
                        "deleted gone ABSENT no data service_running,service_running");
        for (int point = 1; point <= undisturbed.points(); point++) {
            KillSwitch kill = new KillSwitch(Set.of(point));
            assertThat(lifeInTheWorld(kill).liveOn(origin))
                    .as("killed at %s", where(kill, point))
                    .isEqualTo(story);
            KillSwitch inTrouble = new KillSwitch(Set.of(point));
            assertThat(lifeInATroubledWorld(inTrouble).liveOn(origin))
                    .as("killed at %s, with a plane that fails now and then", where(inTrouble, point))
                    .isEqualTo(story);
        }
    }

    private static int points(Life life) {
        life.live();
        return life.points();
    }

    private static String where(KillSwitch kill, int point) {
        return point + ", " + kill.passed().get(point - 1);
    }

    @Test
    void lifeIsTheSameWhenTheProcessDiesOverAndOver() {
        int points = points(lifeInTheWorld(new KillSwitch(Set.of())));
        for (int first = 1; first <= 13; first++) {
            Set<Integer> everyThirteenth = IntStream.iterate(first, point -> point < 2 * points, point -> point + 13)
                    .boxed()
                    .collect(Collectors.toUnmodifiableSet());
            Life life = lifeInTheWorld(new KillSwitch(everyThirteenth));
            assertThat(life.live())
                    .as("killed at every thirteenth point from %s on", first)
                    .isEqualTo(STORY);
            assertThat(life.deaths()).isGreaterThan(points / 13 - 1);
        }
    }

    @Test
    void lifeIsTheSameHoweverOftenAndWhereverTheProcessDies() {
        Walk walk = Walk.begin(CrashWalkTest.class);
        RandomGenerator random = walk.random();
        int points = points(lifeInATroubledWorld(new KillSwitch(Set.of())));
        for (int life = 0; life < Walk.length(20, 5_000); life++) {
            Set<Integer> deaths =
                    random.ints(1 + random.nextInt(12), 1, 2 * points).boxed().collect(Collectors.toUnmodifiableSet());
            KillSwitch kill = new KillSwitch(deaths);
            Life lived = random.nextBoolean() ? lifeInTheWorld(kill) : lifeInATroubledWorld(kill);
            assertThat(lived.live())
                    .as("%s, life %d, killed at %s", walk, life, deaths)
                    .isEqualTo(STORY);
        }
    }

    @Test
    void lifeIsTheSameWhereverTheProcessDiesThoughThePlaneFailsNowAndThen() {
        int points = points(lifeInATroubledWorld(new KillSwitch(Set.of())));
        for (int point = 1; point <= points; point++) {
            KillSwitch kill = new KillSwitch(Set.of(point));
            assertThat(lifeInATroubledWorld(kill).live())
                    .as("killed at %s", where(kill, point))
                    .isEqualTo(STORY);
        }
    }

    @Test
    void simulatedLifeIsTheSameThoughItsPlaneDiesWithTheProcess() {
        Life undisturbed = simulatedLife(new KillSwitch(Set.of()));
        List<String> story = undisturbed.live();
        for (int point = 1; point <= undisturbed.points(); point++) {
            KillSwitch kill = new KillSwitch(Set.of(point));
            assertThat(simulatedLife(kill).live())
                    .as("killed at %s", where(kill, point))
                    .isEqualTo(story);
        }
    }
}
