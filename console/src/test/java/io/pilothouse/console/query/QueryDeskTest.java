package io.pilothouse.console.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class QueryDeskTest {
    private static final UUID SERVICE = new UUID(0, 1);
    private static final UUID OTHER = new UUID(0, 2);

    private final QueryDesk desk = new QueryDesk();

    private void keep(String sql) {
        desk.keep(SERVICE, Instant.EPOCH, sql);
    }

    private List<String> kept() {
        return desk.past(SERVICE).stream().map(QueryDesk.Past::sql).toList();
    }

    @Test
    void aFormIsTakenOnce() {
        assertThat(desk.takes("one")).isTrue();
        assertThat(desk.takes("one")).isFalse();
        assertThat(desk.takes("other")).isTrue();
        assertThat(desk.takes("")).isTrue();
        assertThat(desk.takes("")).isTrue();
        for (int at = 0; at < 500; at++) {
            assertThat(desk.takes("form " + at)).isTrue();
        }
        assertThat(desk.takes("form 499")).isFalse();
    }

    @Test
    void theHistoryHasTheLatestOfAServiceFirstAndEachOnce() {
        keep("SELECT 1");
        keep("SELECT 2");
        keep("SELECT 1");
        desk.keep(OTHER, Instant.EPOCH, "SELECT 3");
        assertThat(kept()).containsExactly("SELECT 1", "SELECT 2");
        String number = Long.toString(desk.past(SERVICE).getFirst().number());
        assertThat(desk.find(SERVICE, number)).map(QueryDesk.Past::sql).contains("SELECT 1");
        assertThat(desk.find(OTHER, number)).isEmpty();
    }

    @Test
    void theHistoryIsBoundedAndHoldsNothingLongAndNoSecret() {
        keep("x".repeat(5_000));
        keep("CREATE USER a IDENTIFIED BY 'b'");
        keep("SELECT 1 SETTINGS x = 'MyPassword'");
        keep("SELECT * FROM s3('https://a', 'id', 'b')");
        assertThat(kept()).isEmpty();
        for (int at = 0; at < 100; at++) {
            keep("SELECT " + at);
        }
        assertThat(kept()).hasSize(QueryDesk.MAX_STATEMENTS).startsWith("SELECT 99");
        for (int at = 10; at < 30; at++) {
            keep("y".repeat(3_000) + at);
        }
        assertThat(kept()).hasSize(5);
    }

    @Test
    void whatRunsIsCancelledUnderItsServiceOnlyAndForgottenAtItsEnd() {
        List<String> cancelled = new ArrayList<>();
        desk.began(new QueryDesk.Running("a", SERVICE, Instant.EPOCH, "SELECT 1", () -> cancelled.add("a")));
        desk.began(new QueryDesk.Running("b", SERVICE, Instant.EPOCH, "SELECT 2", () -> cancelled.add("b")));
        desk.cancel(OTHER, "a");
        desk.cancel(SERVICE, "c");
        assertThat(cancelled).isEmpty();
        desk.cancel(SERVICE, "a");
        assertThat(cancelled).containsExactly("a");
        desk.ended("a");
        assertThat(desk.running(SERVICE)).extracting(QueryDesk.Running::id).containsExactly("b");
    }

    @Test
    void aDeskWhereAStatementRunsStaysWhoeverComes() {
        QueryDesks desks = new QueryDesks();
        QueryDesk busy = desks.of("busy");
        busy.began(new QueryDesk.Running("a", SERVICE, Instant.EPOCH, "SELECT 1", () -> {}));
        for (int at = 0; at < QueryDesks.MAX_DESKS + 1; at++) {
            desks.of("session " + at);
        }
        assertThat(desks.of("busy")).isSameAs(busy);
    }

    @Test
    void aSessionHasItsOwnDeskUntilItSignsOutOrManyOthersCame() {
        QueryDesks desks = new QueryDesks();
        QueryDesk one = desks.of("one");
        assertThat(desks.of("one")).isSameAs(one);
        assertThat(desks.of("other")).isNotSameAs(one);
        for (int at = 0; at < QueryDesks.MAX_DESKS; at++) {
            desks.of("session " + at);
        }
        assertThat(desks.of("one")).isNotSameAs(one);
        QueryDesk again = desks.of("one");
        desks.clear("one");
        assertThat(desks.of("one")).isNotSameAs(again);
    }
}
