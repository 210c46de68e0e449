package io.pilothouse.core.activity;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.FieldChange;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.right.Caller;
import io.pilothouse.core.right.Permission;
import io.pilothouse.core.right.Rights;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** To whom a line shows what a change made of its thing. */
class ChangesTest {
    private static final UUID HOME = new UUID(1, 0);
    private static final UUID ONE = new UUID(1, 1);
    private static final UUID OTHER = new UUID(1, 2);

    private static Activity line(Permission right, @Nullable UUID serviceId) {
        FieldChange change = new FieldChange("name", new Tree.Text("a"), new Tree.Text("b"));
        return new Activity(
                Head.of(new UUID(1, 3), HOME, Instant.EPOCH),
                "changed",
                "api",
                HOME,
                "key",
                HOME,
                serviceId,
                HOME,
                null,
                null,
                new Changes(right, List.of(change)));
    }

    private static Caller caller(Permission... permissions) {
        return new Caller(HOME, HOME, "key", Set.of(permissions));
    }

    @Test
    void whoMayReadTheThingSeesItsChanges() {
        Activity line = line(Permission.KEY_READ, null);
        assertThat(line.shownTo(caller(Permission.KEY_READ))).isEqualTo(line);
        Activity hidden = line.shownTo(caller(Permission.ACTIVITY_READ, Permission.SERVICE_READ));
        assertThat(hidden.changes()).isNull();
        assertThat(hidden.type()).isEqualTo("changed");
        assertThat(hidden.shownTo(caller())).isEqualTo(hidden);
    }

    @Test
    void theRightCountsOnTheServiceOfTheLine() {
        Caller caller =
                new Caller(HOME, HOME, "key", new Rights(Set.of(), Map.of(ONE, Set.of(Permission.SERVICE_READ))));
        assertThat(line(Permission.SERVICE_READ, ONE).shownTo(caller).changes()).isNotNull();
        assertThat(line(Permission.SERVICE_READ, OTHER).shownTo(caller).changes())
                .isNull();
    }

    @Test
    void whatARightChangesIsReadWithARightThatChangesNothing() {
        for (Permission right : Permission.values()) {
            Permission reading = right.reading();
            assertThat(reading.reading()).isEqualTo(reading);
            assertThat(Permission.ON_SERVICES.contains(right) && !Permission.ON_SERVICES.contains(reading))
                    .isFalse();
        }
        assertThat(Permission.PIPE_DELETE.reading()).isEqualTo(Permission.PIPE_READ);
        assertThat(Permission.KEY_UPDATE.reading()).isEqualTo(Permission.KEY_READ);
    }
}
