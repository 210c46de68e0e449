package io.pilothouse.core.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.ListChange;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.right.Permission;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which rights a change takes. */
class ServiceChangeTest {
    private static ServiceChange change(@Nullable String name, boolean lists, Tree.Members fields) {
        return new ServiceChange(
                name,
                lists ? new ListChange<>(List.of(), List.of()) : null,
                lists ? new ListChange<>(List.of(), List.of()) : null,
                null,
                null,
                null,
                null,
                fields);
    }

    @Test
    void everyPartOfAServiceTakesItsOwnRight() {
        Tree.Members none = Tree.Members.NONE;
        assertThat(change(null, false, none).rights()).isEmpty();
        assertThat(change("Orders", false, none).rights()).containsExactly(Permission.SERVICE_WRITE);
        assertThat(change(null, true, none).rights())
                .containsExactly(Permission.ACCESS_LIST_WRITE, Permission.PRIVATE_ENDPOINT_WRITE);
    }

    @Test
    void aFieldThatIsDescribedTakesTheRightOfTheServiceOnceItIsGiven() {
        Tree.Members given = Tree.Members.NONE.with("enableCoreDumps", new Tree.Flag(true));
        assertThat(change(null, false, given).rights()).containsExactly(Permission.SERVICE_WRITE);
        Tree.Members nothing = Tree.Members.NONE.with("enableCoreDumps", new Tree.Nothing());
        assertThat(change(null, false, nothing.with("other", new Tree.Flag(true)))
                        .rights())
                .isEmpty();
    }
}
