package io.pilothouse.core.service;

import static io.pilothouse.core.service.Given.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.service.Service.Departure;
import io.pilothouse.core.service.Service.Departure.Stage;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A service on its way from one host to another. */
class MovingServiceTest {
    private static final Service.Host HERE = new Service.Host(new UUID(0, 1), "alpha");
    private static final Service.Host THERE = new Service.Host(new UUID(0, 2), "beta");
    private static final UUID BACKUP = new UUID(0, 3);

    private static Service onHost() {
        return Given.service().withHost(HERE).withSeen(new Seen(Condition.RUNNING, true, null, null, NOON));
    }

    private static Service leaving(Stage stage) {
        return onHost().withDeparture(new Departure(stage, NOON, null));
    }

    private static Service arriving() {
        return leaving(Stage.LEAVING).arrivingAt(THERE, BACKUP, NOON);
    }

    @ParameterizedTest
    @CsvSource({
        "CLOSING, RUN, RUN",
        "CLOSING, SLEEP, SLEEP",
        "STOPPING, RUN, STOP",
        "COPYING, STOP, RUN",
        "LEAVING, RUN, STOP",
        "COPYING, DELETE, DELETE"
    })
    void eachStageHasItsWish(Stage stage, Wish wish, Wish now) {
        assertThat(leaving(stage).withWish(wish, NOON).wishNow()).isEqualTo(now);
    }

    @ParameterizedTest
    @CsvSource({"RUN, degraded", "STOP, stopped", "SLEEP, idle", "DELETE, terminating"})
    void itsStateIsWhatItsClientsFind(Wish wish, String word) {
        assertThat(leaving(Stage.STOPPING).withWish(wish, NOON).state().word()).isEqualTo(word);
        assertThat(ServiceState.ofMoving(wish).word()).isEqualTo(word);
    }

    @Test
    void itSaysWhyNobodyIsLetInUntilItStaysAfterAll() {
        Service leaves = leaving(Stage.CLOSING);
        assertThat(leaves.isMoving()).isTrue();
        assertThat(leaves.seen().reason()).isEqualTo(Seen.LEAVES);
        Service stays = leaves.withDeparture(null);
        assertThat(stays.isMoving()).isFalse();
        assertThat(stays.wishNow()).isEqualTo(Wish.RUN);
        assertThat(stays.seen().reason()).isNull();
    }

    @Test
    void itArrivesOnceItRunsWithItsData() {
        Service arrives = arriving();
        assertThat(arrives.hostId()).isEqualTo(THERE.id());
        assertThat(arrives.isMoving()).isTrue();
        assertThat(arrives.withWish(Wish.STOP, NOON).wishNow()).isEqualTo(Wish.RUN);
        assertThat(arrives.seen().reason()).isEqualTo(Seen.ARRIVES);
        Service ran = arrives.withSeen(new Seen(Condition.RUNNING, true, null, null, NOON));
        assertThat(ran.isMoving()).isFalse();
        assertThat(ran.isArriving()).isFalse();
    }

    @Test
    void oneWhoseDataIsGoneOrThatEndsDoesNotMove() {
        Service lost = leaving(Stage.STOPPING).withSeen(new Seen(Condition.LOST, true, null, "gone", NOON));
        assertThat(lost.isMoving()).isFalse();
        assertThat(leaving(Stage.STOPPING).withWish(Wish.DELETE, NOON).isMoving())
                .isFalse();
    }

    @Test
    void oneThatBeginsWithTheBackupOfAnotherIsNotArriving() {
        Service made = Given.service();
        Service.Fixed fixed =
                new Service.Fixed(made.placement(), made.warehouse(), new BackupOrigin(new UUID(0, 9), BACKUP), HERE);
        Service begins = new Service(
                made.head(),
                fixed,
                made.details(),
                made.scaling(),
                made.access(),
                made.password(),
                made.backups(),
                made.want(),
                made.seen());
        assertThat(begins.isRestoring()).isTrue();
        assertThat(begins.isArriving()).isFalse();
    }

    @Test
    void whereItIsFollowsFromItsHostAndItsData() {
        Service here = onHost();
        assertThat(here.isWhereItWas(leaving(Stage.LEAVING))).isTrue();
        assertThat(here.isWhereItWas(here.withHost(THERE))).isFalse();
        assertThat(here.isWhereItWas(arriving().withHost(HERE))).isFalse();
    }

    @Test
    void oneOfNoHostLeavesNone() {
        Service anywhere = Given.service();
        assertThat(anywhere.departure()).isNull();
        assertThat(anywhere.withDeparture(new Departure(Stage.CLOSING, NOON, null))
                        .departure())
                .isNull();
    }

    @Test
    void aWaitIsAReasonWhereThereIsNoTrouble() {
        Seen waits = new Seen(Condition.STARTING, true, null, List.of(), null, NOON, "It waits for memory");
        assertThat(waits.reason()).isEqualTo("It waits for memory");
        assertThat(waits.withDatabase(Given.DATABASE).reason()).isEqualTo("It waits for memory");
        assertThat(waits.withTrouble("It hangs").reason()).isEqualTo("It hangs");
    }
}
