package io.pilothouse.core.service;

import static io.pilothouse.core.service.Given.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.base.Refused;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServiceStateTest {
    @ParameterizedTest
    @CsvSource({
        "RUN, UNKNOWN, false, , provisioning",
        "RUN, STARTING, false, , provisioning",
        "RUN, RUNNING, true, , running",
        "RUN, STARTING, true, , starting",
        "RUN, STOPPED, true, , starting",
        "RUN, RUNNING, true, slow disk, degraded",
        "RUN, STARTING, false, no memory, failed",
        "STOP, RUNNING, true, , stopping",
        "STOP, STOPPED, true, , stopped",
        "STOP, ABSENT, false, , stopped",
        "STOP, RUNNING, true, it hangs, degraded",
        "STOP, RUNNING, false, it hangs, failed",
        "SLEEP, RUNNING, true, , stopping",
        "SLEEP, STOPPED, true, , idle",
        "SLEEP, ABSENT, true, , idle",
        "SLEEP, RUNNING, true, it hangs, degraded",
        "RUN, LOST, true, its data is gone, failed",
        "STOP, LOST, true, its data is gone, failed",
        "SLEEP, LOST, true, its data is gone, failed",
        "DELETE, LOST, true, , terminating",
        "DELETE, RUNNING, true, , terminating",
        "DELETE, ABSENT, true, gone, terminating"
    })
    void theStateFollowsFromWhatIsWantedAndSeen(
            Wish wish, Condition condition, boolean everRan, @Nullable String trouble, String word) {
        Seen seen = new Seen(condition, everRan, null, trouble, NOON);
        assertThat(ServiceState.of(wish, false, seen).word()).isEqualTo(word);
    }

    @Test
    void aPrimaryIsNeededByOthersThatStay() {
        Service primary = Given.service();
        Service other = Given.withId(new UUID(0, 77));
        Service leaves = other.withWish(Wish.DELETE, NOON);
        assertThatCode(() -> ServiceCommand.refuseWhileOthersNeed(primary, List.of(primary, leaves)))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> ServiceCommand.refuseWhileOthersNeed(primary, List.of(primary, leaves, other)))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("only after its other services");
    }

    @Test
    void wakingFromSleepIsDistinguishedFromStarting() {
        Seen starting = new Seen(Condition.STARTING, true, null, null, NOON);
        Service service = Given.service().withSeen(starting);
        Service asleep = service.withWish(Wish.SLEEP, NOON);
        assertThat(asleep.withWish(Wish.RUN, NOON).state()).isEqualTo(ServiceState.AWAKING);
        assertThat(service.withWish(Wish.STOP, NOON).withWish(Wish.RUN, NOON).state())
                .isEqualTo(ServiceState.STARTING);
        assertThat(asleep.withWish(Wish.STOP, NOON).want().awaking()).isFalse();
    }

    @Test
    void aComplaintAboutAnOldWishIsNotTakenForOneAboutTheNew() {
        Seen stuck = new Seen(Condition.RUNNING, true, "25.8", "It does not answer", NOON);
        Service stopped = Given.service().withSeen(stuck).withWish(Wish.STOP, NOON);
        assertThat(stopped.seen()).isEqualTo(new Seen(Condition.RUNNING, true, "25.8", null, NOON));
        assertThat(stopped.state()).isEqualTo(ServiceState.STOPPING);
    }

    @Test
    void aDatabaseSpeaksItsProtocolsAndEveryOneWhileTheyAreUnknown() {
        Seen unknown = Seen.nothingYet(NOON);
        assertThat(unknown.speaks("mysql")).isTrue();
        Seen known = unknown.withDatabase(new DataPlane.Database("25.8", List.of("https")));
        assertThat(known.speaks("https")).isTrue();
        assertThat(known.speaks("mysql")).isFalse();
    }
}
