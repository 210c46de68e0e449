package io.pilothouse.core.item;

import io.pilothouse.core.activity.ActivityLog;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.FieldChange;
import io.pilothouse.core.base.Precondition;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.RowIds;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.ShapeCheck;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Prepared;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Table;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.right.Permit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/** The five verbs of one kind of item; their results are in the form that clients see. */
public final class ItemOperations {
    private final Store store;
    private final Clock clock;
    private final RuleBook rules;
    private final ItemKind kind;
    private final ActivityLog log;

    public ItemOperations(Store store, Clock clock, RuleBook rules, ItemKind kind) {
        this.store = store;
        this.clock = clock;
        this.rules = rules;
        this.kind = kind;
        this.log = new ActivityLog(clock);
    }

    /** All of them: those that every organization has, then its own, oldest first. */
    public List<Tree.Members> list(Permit permit) {
        UUID organizationId = permit.organizationId();
        return store.read(tables -> {
            List<Item> items = new ArrayList<>(kind.builtIn(organizationId));
            items.addAll(tables.of(Item.KIND).listByLabel(Item.label(organizationId, kind.name()), kind.most()));
            return kind.shown(tables, items);
        });
    }

    public Tree.Members get(Permit permit, UUID id) {
        return store.read(tables -> shown(tables, get(tables, permit, id)));
    }

    public Prepared<Tree.Members> create(Permit permit, Tree.Members given, Faults faults) {
        Tree.Members fields = kind.made(given, rules, faults);
        Item wanted = Item.of(RowIds.at(clock.now()), permit.organizationId(), kind, fields, clock.now());
        return tables -> {
            Table<Item> items = tables.of(Item.KIND);
            if (items.countByLabel(wanted.label()) >= kind.most()) {
                throw Refused.tooMany(kind.most(), kind.name());
            }
            requireUnique(tables, wanted);
            Item made = kind.write(
                    tables, permit, null, wanted, kept -> items.insert(wanted.with(kind, kept, wanted.updatedAt())));
            Tree.Members after = shown(tables, made);
            List<FieldChange> seen = FieldChange.between(Tree.Members.NONE, after);
            log.add(tables, permit, kind.activity() + "_create", null, made.id(), seen);
            return after.over(kind.shownOnce(made));
        };
    }

    /** Changes what is given; the other fields stay. */
    public Tree.Members update(
            Permit permit, UUID id, Tree.Members given, Precondition<Tree.Members> precondition, Faults faults) {
        new ShapeCheck(faults).alone("", kind.fields(rules), given);
        faults.refuseIfAny();
        return store.write(tables -> {
            Item current = get(tables, permit, id);
            Tree.Members before = shown(tables, current);
            precondition.require(() -> before);
            Item next = current.with(kind, kind.changed(given, current.fields(), rules), clock.now());
            requireUnique(tables, next);
            Item written = kind.write(tables, permit, current, next, kept -> replace(tables, current, next, kept));
            Tree.Members after = shown(tables, written);
            if (!after.equals(before)) {
                log.add(tables, permit, kind.activity() + "_update", null, id, precondition.changes(before, after));
            }
            return after;
        });
    }

    private Item replace(Tables tables, Item current, Item next, Tree.Members kept) {
        boolean same = kept.equals(current.fields()) || current.isBuiltIn();
        return same ? current : tables.of(Item.KIND).overwrite(next.with(kind, kept, next.updatedAt()));
    }

    public void delete(Permit permit, UUID id, Precondition<Tree.Members> precondition) {
        store.change(tables -> {
            Item item = get(tables, permit, id);
            precondition.require(() -> shown(tables, item));
            if (item.isBuiltIn()) {
                throw Refused.badRequest("path", "names what every organization has, which cannot be deleted");
            }
            List<FieldChange> seen = precondition.gone(shown(tables, item));
            kind.delete(tables, permit, item, () -> tables.of(Item.KIND).delete(item.id(), item.version()));
            log.add(tables, permit, kind.activity() + "_delete", null, id, seen);
        });
    }

    private Tree.Members shown(Tables tables, Item item) {
        return kind.shown(tables, List.of(item)).getFirst();
    }

    private Item get(Tables tables, Permit permit, UUID id) {
        return find(tables, kind, permit.organizationId(), id).orElseThrow(() -> Refused.notFound(kind.title()));
    }

    /** One item of this kind, built in or the organization's own. */
    public static Optional<Item> find(Tables tables, ItemKind kind, UUID organizationId, UUID id) {
        UUID rowId = kind.rowId(organizationId, id);
        return kind.builtIn(organizationId).stream()
                .filter(item -> item.id().equals(rowId))
                .findFirst()
                .or(() -> tables.of(Item.KIND)
                        .find(organizationId, rowId)
                        .filter(item -> item.kind().equals(kind.name())));
    }

    private void requireUnique(Tables tables, Item next) {
        boolean taken = next.reference()
                .map(reference -> Stream.concat(
                                kind.builtIn(next.organizationId()).stream()
                                        .filter(item -> item.reference().equals(next.reference())),
                                tables.of(Item.KIND).findByReference(reference).stream())
                        .anyMatch(other -> !other.id().equals(next.id())))
                .orElse(false);
        if (taken) {
            throw new Refused(
                    Refused.Reason.CONFLICT,
                    "There is another " + kind.title().toLowerCase(Locale.ROOT) + " of this name: " + next.unique());
        }
    }
}
