package io.pilothouse.core.item;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.FieldShape;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.Tree;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How items are told apart, and what clients see of one whose kind says nothing special. */
class ItemTest {
    private static final UUID HOME = new UUID(1, 2);
    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");

    private record Named(boolean isUnique) implements ItemKind {
        @Override
        public String name() {
            return "names";
        }

        @Override
        public String title() {
            return "Name";
        }

        @Override
        public String activity() {
            return "name";
        }

        @Override
        public List<FieldShape> fields(RuleBook rules) {
            return List.of(FieldShape.text("name"));
        }

        @Override
        public @Nullable String unique(Tree.Members fields) {
            return isUnique ? fields.text("name").orElseThrow() : null;
        }
    }

    private static Item item(boolean isUnique) {
        Tree.Members fields = Tree.Members.NONE.with("name", new Tree.Text("Ada"));
        return Item.of(new UUID(3, 4), HOME, new Named(isUnique), fields, NOW);
    }

    @Test
    void itIsFoundByWhatNoOtherOfItsKindHasInItsOrganization() {
        assertThat(item(true).reference()).contains(HOME + " names ada");
        assertThat(item(false).reference()).isEmpty();
        assertThat(item(false).label()).isEqualTo(HOME + " names");
    }

    @Test
    void itIsShownWithItsIdAndWhenItWasMade() {
        assertThat(item(true).shown().values().keySet()).containsExactly("id", "name", "createdAt");
        assertThat(item(true).shown().text("createdAt")).contains("2026-03-01T10:00:00Z");
    }

    @Test
    void itIsBuiltInUnlessItIsStored() {
        Item item = item(true);
        assertThat(item.isBuiltIn()).isTrue();
        Head stored = new Head(item.id(), HOME, NOW, 1);
        assertThat(new Item(stored, item.kind(), item.unique(), NOW, item.fields()).isBuiltIn())
                .isFalse();
    }
}
