package io.pilothouse.testkit.store;

import static io.pilothouse.testkit.store.StoreContractSamples.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.activity.ActivityLog;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.RowIds;
import io.pilothouse.core.key.ApiKey;
import io.pilothouse.core.port.Table.Cursor;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.Warehouse;
import io.pilothouse.testkit.ServiceSample;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Lists: by creation, then id, whichever way and in whatever pieces they are read. */
interface StoreContractPages extends StoreContractHost {
    UUID READER = UUID.fromString("7f3e1f6e-0d55-4c0e-9f6a-0d8f7a3b1c11");
    UUID OTHER = UUID.fromString("00000000-0000-4000-8000-000000000001");

    /** Seven lines, three of them of the same moment and two a nanosecond apart, put in out of order. */
    private List<Activity> history() {
        List<Activity> lines = new ArrayList<>();
        for (long nanos : new long[] {5, 1, 1, 1, 2, 4_000_000_000L, -3}) {
            Activity line = StoreContractSamples.activity(READER, NOW.plusNanos(nanos), UUID.randomUUID());
            lines.add(store().write(tables -> tables.of(Activity.KIND).insert(line)));
        }
        store().write(tables -> tables.of(Activity.KIND).insert(StoreContractSamples.bareActivity(OTHER)));
        lines.sort(Comparator.comparing(Activity::createdAt)
                .thenComparing(line -> line.id().toString()));
        return lines;
    }

    @Test
    default void theOldestLinesOfAllButTheVeryFirstAreForgottenAFewAtATime() {
        Head head = Head.of(Activity.BEGINNING, UUID.randomUUID(), NOW);
        store().write(tables ->
                tables.of(Activity.KIND).insert(Activity.bySystem(head, "create_organization", null, null)));
        for (long second = 1; second <= 5; second++) {
            Instant then = NOW.plusSeconds(second);
            UUID owner = second % 2 == 0 ? READER : OTHER;
            Activity line = Activity.bySystem(Head.of(RowIds.at(then), owner, then), "service_running", null, null);
            store().write(tables -> tables.of(Activity.KIND).insert(line));
        }
        Instant before = NOW.plusSeconds(4);
        assertThat(store().<Integer>write(tables -> ActivityLog.forget(tables, before, 2)))
                .isEqualTo(2);
        assertThat(page(null, 10)).extracting(Activity::createdAt).containsExactly(NOW.plusSeconds(4));
        assertThat(store().<Integer>write(tables -> ActivityLog.forget(tables, before, 2)))
                .isEqualTo(1);
        assertThat(store().<Integer>write(tables -> ActivityLog.forget(tables, before, 2)))
                .isEqualTo(0);
        assertRead(tables -> tables.of(Activity.KIND).count(OTHER)).isEqualTo(1L);
        assertRead(tables -> tables.of(Activity.KIND).find(Activity.BEGINNING).isPresent())
                .isEqualTo(true);
    }

    private List<Activity> page(@Nullable Cursor after, int limit) {
        return store().read(tables -> tables.of(Activity.KIND).page(READER, after, limit));
    }

    private List<Activity> pageBackwards(@Nullable Cursor before, int limit) {
        return store().read(tables -> tables.of(Activity.KIND).pageBackwards(READER, before, limit));
    }

    @Test
    default void pagesGoOnWhereTheLastOneEnded() {
        List<Activity> lines = history();
        List<Activity> read = new ArrayList<>(page(null, 3));
        assertThat(read).hasSize(3);
        while (read.size() < lines.size()) {
            read.addAll(page(Cursor.of(read.getLast()), 2));
        }
        assertThat(read).isEqualTo(lines);
        assertThat(page(Cursor.of(read.getLast()), 10)).isEmpty();
    }

    @Test
    default void pagesBackwardsStartAtTheNewest() {
        List<Activity> lines = history();
        List<Activity> read = new ArrayList<>(pageBackwards(null, 1));
        assertThat(read).containsExactly(lines.getLast());
        while (read.size() < lines.size()) {
            read.addAll(pageBackwards(Cursor.of(read.getLast()), 2));
        }
        assertThat(read).isEqualTo(lines.reversed());
        assertThat(pageBackwards(Cursor.of(read.getLast()), 10)).isEmpty();
    }

    @Test
    default void cursorNeedNotBeARow() {
        List<Activity> lines = history();
        Cursor between = new Cursor(NOW.plusNanos(3), UUID.randomUUID());
        assertThat(page(between, 10)).isEqualTo(lines.subList(5, 7));
        assertThat(pageBackwards(between, 10)).isEqualTo(lines.subList(0, 5).reversed());
    }

    @Test
    default void cursorMayBeAnyMoment() {
        List<Activity> lines = history();
        assertThat(page(new Cursor(Instant.MIN, OTHER), 10)).isEqualTo(lines);
        assertThat(page(new Cursor(Instant.MAX, OTHER), 10)).isEmpty();
        assertThat(pageBackwards(new Cursor(Instant.MAX, OTHER), 10)).isEqualTo(lines.reversed());
        assertThat(pageBackwards(new Cursor(Instant.MIN, OTHER), 10)).isEmpty();
    }

    @Test
    default void pageAsksForNothingAndGetsNothing() {
        history();
        assertThat(page(null, 0)).isEmpty();
    }

    @Test
    default void countIsTheOwnersOwn() {
        history();
        assertRead(tables -> tables.of(Activity.KIND).count(READER)).isEqualTo(7L);
        assertRead(tables -> tables.of(Activity.KIND).count(OTHER)).isEqualTo(1L);
        assertRead(tables -> tables.of(Activity.KIND).count(UUID.randomUUID())).isEqualTo(0L);
    }

    @Test
    default void servicesOfAWarehouseAreListedInOrder() {
        UUID warehouse = UUID.randomUUID();
        List<Service> all = new ArrayList<>();
        for (int i : new int[] {2, 0, 1}) {
            Service row = StoreContractSamples.service(READER, NOW.plusSeconds(i), warehouse);
            all.add(store().write(tables -> tables.of(Service.KIND).insert(row)));
        }
        store().write(tables -> tables.of(Service.KIND).insert(StoreContractSamples.service(READER)));
        all.sort(Comparator.comparing(Service::createdAt));
        String reference = warehouse.toString();
        assertRead(tables -> tables.of(Service.KIND).listByReference(reference, 10))
                .isEqualTo(all);
        assertRead(tables -> tables.of(Service.KIND).listByReference(reference, 2))
                .isEqualTo(all.subList(0, 2));
        assertRead(tables -> tables.of(Service.KIND).findByReference(reference)).isEqualTo(Optional.of(all.getFirst()));
        assertRead(tables -> tables.of(Service.KIND).newestByReference(reference, 10))
                .isEqualTo(all.reversed());
        assertRead(tables -> tables.of(Service.KIND).newestByReference(reference, 2))
                .isEqualTo(all.reversed().subList(0, 2));
        assertRead(tables -> tables.of(Service.KIND)
                        .newestByReference(UUID.randomUUID().toString(), 10))
                .isEqualTo(List.of());
    }

    @Test
    default void rowIsFoundUnderItsNewReferenceOnly() {
        Service row = store().write(tables -> tables.of(Service.KIND).insert(StoreContractSamples.service(READER)));
        UUID next = UUID.randomUUID();
        Service moved = ServiceSample.inWarehouse(row, new Warehouse(next, true, false));
        Service written = store().write(tables -> tables.of(Service.KIND).replace(moved, 1))
                .orElseThrow();
        assertRead(tables -> tables.of(Service.KIND).findByReference(next.toString()))
                .isEqualTo(Optional.of(written));
        assertRead(tables -> tables.of(Service.KIND)
                        .findByReference(row.warehouse().id().toString()))
                .isEqualTo(Optional.empty());
    }

    @Test
    default void rowsWithoutAReferenceAreFoundByNone() {
        store().write(tables -> tables.of(Activity.KIND).insert(StoreContractSamples.bareActivity(READER)));
        assertRead(tables -> tables.of(Activity.KIND).listByReference("", 10)).isEqualTo(List.of());
        assertRead(tables -> tables.of(Activity.KIND).listByReference("null", 10))
                .isEqualTo(List.of());
    }

    @Test
    default void keyIsFoundByItsHash() {
        store().write(tables -> tables.of(ApiKey.KIND).insert(StoreContractSamples.key(READER, "one")));
        var two = store().write(tables -> tables.of(ApiKey.KIND).insert(StoreContractSamples.key(READER, "two")));
        assertRead(tables -> tables.of(ApiKey.KIND).findByReference("two")).isEqualTo(Optional.of(two));
        assertRead(tables -> tables.of(ApiKey.KIND).findByReference("three")).isEqualTo(Optional.empty());
    }
}
