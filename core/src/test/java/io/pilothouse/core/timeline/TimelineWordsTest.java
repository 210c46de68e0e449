package io.pilothouse.core.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.Given;
import io.pilothouse.core.service.ServiceState;
import io.pilothouse.core.service.Wish;
import io.pilothouse.core.timeline.Happening.Call;
import io.pilothouse.core.timeline.Happening.What;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every look, move and state has a kind, a word and a reason. */
class TimelineWordsTest {
    private static String said(What what) {
        return TimelineWords.kind(what) + " " + TimelineWords.word(what) + ": " + TimelineWords.reason(what);
    }

    @Test
    void aLookSaysWhatThePlaneShowed() {
        List<String> said = new ArrayList<>();
        for (Condition condition : Condition.values()) {
            said.add(said(new What.Look(condition, true, null)));
        }
        said.add(said(new What.Look(Condition.RUNNING, false, null)));
        assertThat(said)
                .containsExactly(
                        "look unknown: It could not be looked at",
                        "look absent: The plane showed that nothing of it was there",
                        "look lost: The plane showed that its data was not where it had been",
                        "look starting: The plane showed that it was starting",
                        "look running: The plane showed that it was running as wanted",
                        "look stopping: The plane showed that it was stopping",
                        "look stopped: The plane showed that it was stopped",
                        "look broken: The plane showed that it had broken down",
                        "look running: The plane showed that it was running, but not as wanted");
    }

    @Test
    void aMoveSaysWhatIsWantedAndWhatWasSeen() {
        assertThat(said(new What.Act(Call.START, Wish.RUN, Condition.RUNNING, null)))
                .isEqualTo("move start: It is to run, and it was running, but not as wanted");
        assertThat(said(new What.Act(Call.STOP, Wish.STOP, Condition.RUNNING, null)))
                .isEqualTo("move stop: It is to stop, and it was running");
        assertThat(said(new What.Act(Call.STOP, Wish.SLEEP, Condition.STARTING, null)))
                .isEqualTo("move stop: It is to sleep, and it was starting");
        assertThat(said(new What.Act(Call.ERASE, Wish.DELETE, Condition.UNKNOWN, null)))
                .isEqualTo("move erase: It is to be deleted, and it could not be looked at");
        assertThat(said(new What.Act(Call.ERASE, Wish.DELETE, Condition.STOPPED, null)))
                .isEqualTo("move erase: It is to be deleted, and it was stopped");
    }

    private static String kind(String type, String actorType) {
        Head head = Head.of(Given.SERVICE, Given.ORGANIZATION, Given.NOON);
        return TimelineWords.kind(new Activity(head, type, actorType, null, null, null, Given.SERVICE, null));
    }

    @Test
    void whatSomebodyAskedForIsAWishAndSoIsWakingByUse() {
        assertThat(kind("service_stop", "api")).isEqualTo("wish");
        assertThat(kind("service_awaken", "system")).isEqualTo("wish");
        assertThat(kind("service_running", "system")).isEqualTo("activity");
    }

    @Test
    void aStateSaysWhatWasBefore() {
        assertThat(said(new What.Turn(ServiceState.STARTING, ServiceState.RUNNING, null)))
                .isEqualTo("state running: It was starting before");
        assertThat(said(new What.Turn(ServiceState.DEGRADED, ServiceState.DEGRADED, "Worse")))
                .isEqualTo("state degraded: It stays degraded");
    }
}
