package io.pilothouse.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.server.log.LogFormat;
import io.pilothouse.server.log.LogLevel;
import io.pilothouse.server.log.LogWriter;
import io.pilothouse.server.log.Logs;
import io.pilothouse.store.PostgresStore.ServerTime;
import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The time of the store's server, whatever the machine's clock shows. */
class StoreClockTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration SKEW = Duration.ofHours(1);

    private Instant machine = START;
    private Instant server = START;
    private long ticks = 42;
    private Duration trip = Duration.ofMillis(1);
    private boolean away;

    private StoreClock open() {
        return new StoreClock(() -> machine, () -> ticks, this::ask);
    }

    private ServerTime ask() {
        if (away) {
            throw new StoreUnavailable("away", new IllegalStateException());
        }
        return new ServerTime(server, ticks, trip);
    }

    private void pass(Duration time) {
        machine = machine.plus(time);
        server = server.plus(time);
        ticks += time.toNanos();
    }

    @Test
    void timeIsThatOfTheServerAndGoesOnBetweenTwoLooks() {
        machine = START.plus(SKEW);
        StoreClock clock = open();
        assertThat(clock.now()).isEqualTo(START);
        assertThat(clock.behind()).isEqualTo(SKEW);
        pass(Duration.ofSeconds(3));
        assertThat(clock.now()).isEqualTo(server);
    }

    @Test
    void clockOfTheMachineMayBeSetAndNothingFollowsIt() {
        StoreClock clock = open();
        machine = machine.minus(SKEW);
        clock.follow();
        assertThat(clock.now()).isEqualTo(server);
    }

    @Test
    void clockOfTheServerIsFollowedAtTheNextLook() {
        StoreClock clock = open();
        server = server.plus(SKEW);
        assertThat(clock.now()).isEqualTo(START);
        clock.follow();
        assertThat(clock.now()).isEqualTo(server);
    }

    @Test
    void answerThatTookLongIsNotBelieved() {
        StoreClock clock = open();
        server = server.plusSeconds(5);
        trip = Duration.ofSeconds(1);
        clock.follow();
        assertThat(clock.now()).isEqualTo(START);
    }

    @Test
    void firstAnswerThatTookLongIsAskedForAgain() {
        Queue<ServerTime> answers = new ArrayDeque<>(List.of(
                new ServerTime(START.plusSeconds(15), ticks, Duration.ofSeconds(30)),
                new ServerTime(START, ticks, Duration.ofMillis(1))));
        assertThat(new StoreClock(() -> machine, () -> ticks, answers::remove).now())
                .isEqualTo(START);
    }

    @Test
    void timeGoesOnWhileTheServerIsAway() {
        StoreClock clock = open();
        away = true;
        pass(Duration.ofNanos(TimeUnit.MINUTES.toNanos(5)));
        clock.follow();
        assertThat(clock.now()).isEqualTo(server);
    }

    @Test
    void skewOfMoreThanASecondIsLoggedOnceAndSoIsItsEnd() {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        Logs.ofProcess().sendTo(new LogWriter(log, LogFormat.TEXT, () -> START), LogLevel.INFO);
        try {
            machine = START.plusSeconds(1);
            StoreClock clock = open();
            assertThat(log.toString(StandardCharsets.UTF_8)).isEmpty();
            machine = START.minusSeconds(2);
            clock.follow();
            clock.follow();
            assertThat(log.toString(StandardCharsets.UTF_8))
                    .containsOnlyOnce("The clock of this machine is PT2S behind that of the database");
            machine = START;
            clock.follow();
            assertThat(log.toString(StandardCharsets.UTF_8)).contains("agree again");
        } finally {
            Logs.ofProcess()
                    .sendTo(
                            new LogWriter(new FileOutputStream(FileDescriptor.err), LogFormat.TEXT, () -> START),
                            LogLevel.INFO);
        }
    }
}
