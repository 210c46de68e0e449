package io.pilothouse.server.items;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.base.Edition;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Precondition;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Refused.Reason;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.item.ItemOperations;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.right.Caller;
import io.pilothouse.core.right.Permission;
import io.pilothouse.core.right.Permit;
import io.pilothouse.store.SqliteStore;
import io.pilothouse.store.StoreMetrics;
import io.pilothouse.testkit.SimTime;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every kind of item has from the five verbs, shown with one that nothing but this test knows. */
class ItemOperationsTest {
    private static final UUID HOME = new UUID(2, 2);

    @TempDir
    private Path folder;

    private final SimTime time = new SimTime();
    private final Permit permit = permit(HOME);
    private Store store;
    private ItemOperations berths;

    private static Permit permit(UUID organizationId) {
        return new Caller(organizationId, new UUID(3, 3), "key", Set.of(Permission.ORGANIZATION_WRITE))
                .permit(Permission.ORGANIZATION_WRITE, UUID.randomUUID());
    }

    @BeforeEach
    void open() {
        store = SqliteStore.open(folder, Thread.ofPlatform().name("writer-", 0).factory(), StoreMetrics.NONE);
        berths = new ItemOperations(store, time, RuleBook.of(Edition.SEED), new Berth());
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static Tree.Members named(String name) {
        return Tree.Members.NONE.with("name", new Tree.Text(name));
    }

    private Tree.Members make(Tree.Members given) {
        return make(permit, given);
    }

    private Tree.Members make(Permit by, Tree.Members given) {
        return store.write(berths.create(by, given, new Faults())::write);
    }

    private Tree.Members change(Tree.Members item, Tree.Members given) {
        return berths.update(permit, id(item), given, Precondition.none(), new Faults());
    }

    private void delete(Tree.Members item) {
        berths.delete(permit, id(item), Precondition.none());
    }

    private static UUID id(Tree.Members item) {
        return UUID.fromString(item.text("id").orElseThrow());
    }

    private List<String> names(Permit by) {
        return berths.list(by).stream()
                .map(item -> item.text("name").orElseThrow())
                .toList();
    }

    private List<String> activities() {
        return store.read(tables -> tables.of(Activity.KIND).page(HOME, null, 10).stream()
                .map(Activity::type)
                .toList());
    }

    private static void refused(Reason reason, String words, ThrowingCallable call) {
        assertThatExceptionOfType(Refused.class)
                .isThrownBy(call)
                .satisfies(refused -> assertThat(refused.reason()).isEqualTo(reason))
                .withMessageContaining(words);
    }

    @Test
    void anItemIsThereFromWhenItIsMadeUntilItIsDeleted() {
        Tree.Members made = make(named("Quay"));
        assertThat(made.values().keySet()).containsExactly("id", "name", "depth", "boats", "side", "createdAt");
        assertThat(made.number("depth")).contains(5.0);
        assertThat(berths.get(permit, id(made))).isEqualTo(made);
        assertThat(names(permit)).containsExactly("Pier", "Quay");
        Tree.Members changed = change(made, Tree.Members.NONE.with("depth", new Tree.Figure(9)));
        assertThat(changed).isEqualTo(made.with("depth", new Tree.Figure(9)));
        delete(made);
        refused(Reason.NOT_FOUND, "Berth not found", () -> berths.get(permit, id(made)));
        refused(Reason.NOT_FOUND, "Berth not found", () -> delete(made));
        assertThat(activities()).containsExactlyInAnyOrder("berth_create", "berth_update", "berth_delete");
    }

    @Test
    void aChangeThatChangesNothingLeavesNoTrace() {
        Tree.Members made = make(named("Quay"));
        assertThat(change(made, named("Quay"))).isEqualTo(made);
        assertThat(change(made, Tree.Members.NONE)).isEqualTo(made);
        assertThat(activities()).containsExactly("berth_create");
    }

    @Test
    void aFaultyBodyIsRefusedWithEveryFault() {
        Tree.Members faulty =
                Tree.Members.NONE.with("depth", new Tree.Figure(31)).with("side", new Tree.Text("east"));
        refused(Reason.BAD_REQUEST, "name: is required (and 2 more", () -> make(faulty));
        Tree.Members made = make(named("Quay").with("depth", new Tree.Figure(1)));
        Tree.Members two = Tree.Members.NONE.with("boats", Tree.Items.texts(List.of("Ada", "Bess")));
        refused(Reason.BAD_REQUEST, "boats: do not fit", () -> change(made, two));
        Tree.Members south = Tree.Members.NONE.with("side", new Tree.Text("south"));
        refused(Reason.BAD_REQUEST, "side: cannot be changed", () -> change(made, south));
        refused(Reason.BAD_REQUEST, "depth: must be", () -> change(made, faulty.with("side", null)));
    }

    @Test
    void itemsOfAnotherOrganizationAreNotThere() {
        Tree.Members made = make(named("Quay"));
        Permit stranger = permit(new UUID(9, 9));
        assertThat(names(stranger)).containsExactly("Pier");
        refused(Reason.NOT_FOUND, "Berth not found", () -> berths.get(stranger, id(made)));
        make(stranger, named("Quay"));
    }

    @Test
    void noTwoHaveOneNameInWhateverLetters() {
        Tree.Members quay = make(named("Quay"));
        refused(Reason.CONFLICT, "another berth of this name", () -> make(named("QUAY")));
        refused(Reason.CONFLICT, "another berth of this name", () -> make(named("pier")));
        Tree.Members mole = make(named("Mole"));
        refused(Reason.CONFLICT, "another berth of this name", () -> change(mole, named("quay")));
        assertThat(change(quay, named("QUAY")).text("name")).contains("QUAY");
        delete(quay);
        assertThat(change(mole, named("Quay")).text("name")).contains("Quay");
    }

    @Test
    void anOrganizationHasSoManyAndNoMore() {
        List.of("One", "Two", "Three").forEach(name -> make(named(name)));
        refused(Reason.CONFLICT, "at most 3 berths", () -> make(named("Four")));
        make(permit(new UUID(9, 9)), named("Four"));
    }

    @Test
    void whatEveryOrganizationHasIsNotDeleted() {
        Tree.Members pier = berths.list(permit).getFirst();
        assertThat(berths.get(permit, id(pier))).isEqualTo(pier);
        refused(Reason.BAD_REQUEST, "cannot be deleted", () -> delete(pier));
    }

    @Test
    void onlyACallerWhoKnowsItChangesIt() {
        Tree.Members made = make(named("Quay"));
        Precondition<Tree.Members> stale = new Precondition<>(List.of("old"), _ -> "new", shown -> shown);
        refused(
                Reason.PRECONDITION_FAILED,
                "has changed",
                () -> berths.update(permit, id(made), named("Mole"), stale, new Faults()));
        refused(Reason.PRECONDITION_FAILED, "has changed", () -> berths.delete(permit, id(made), stale));
    }
}
