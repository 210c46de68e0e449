package io.pilothouse.server.items;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.FieldShape;
import io.pilothouse.core.base.NumberRule;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.item.Item;
import io.pilothouse.core.item.ItemKind;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** A kind of item for tests, and all that such a kind takes: places in a port, one of which is always there. */
final class Berth implements ItemKind {
    private static final UUID PIER = new UUID(1, 1);

    @Override
    public String name() {
        return "berths";
    }

    @Override
    public String title() {
        return "Berth";
    }

    @Override
    public String activity() {
        return "berth";
    }

    @Override
    public List<FieldShape> fields(RuleBook rules) {
        return List.of(
                FieldShape.text("name").needed().changeable(),
                FieldShape.number("depth", NumberRule.whole(1, 30)).orElse(5).changeable(),
                FieldShape.texts("boats").changeable(),
                FieldShape.word("side", "north", "south").orElse("north"));
    }

    @Override
    public void check(Tree.Members given, Tree.Members fields, RuleBook rules, Faults faults) {
        if (fields.texts("boats").size() > fields.number("depth").orElse(0.0)) {
            faults.add("boats", "do not fit");
        }
    }

    @Override
    public int most() {
        return 3;
    }

    @Override
    public String unique(Tree.Members fields) {
        return fields.text("name").orElse("");
    }

    @Override
    public List<Item> builtIn(UUID organizationId) {
        Tree.Members fields = Tree.Members.NONE.with("name", new Tree.Text("Pier"));
        return List.of(Item.of(PIER, organizationId, this, fields, Instant.EPOCH));
    }
}
