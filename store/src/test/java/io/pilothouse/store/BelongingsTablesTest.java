package io.pilothouse.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Kind;
import io.pilothouse.core.session.ConsoleSession;
import io.pilothouse.store.rows.Rows;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which rows belong to an organization. */
class BelongingsTablesTest {
    @Test
    void everyKindOfRowButSessionsBelongsToAnOrganization() {
        List<Kind<?>> stored = Rows.all().stream()
                .<Kind<?>>map(Rows::kind)
                .filter(kind -> !kind.equals(ConsoleSession.KIND))
                .toList();
        assertThat(BelongingsTables.kinds()).containsExactlyInAnyOrderElementsOf(stored);
    }
}
