package io.pilothouse.server.engine;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tasks.Backlog;
import io.pilothouse.core.port.Tasks.Kind;
import io.pilothouse.core.port.Tasks.Urgency;
import io.pilothouse.core.service.BackupOrigin;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.Wish;
import io.pilothouse.store.SqliteStore;
import io.pilothouse.store.StoreMetrics;
import io.pilothouse.testkit.ServiceSample;
import io.pilothouse.testkit.SimTime;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** Services in a real store, written to as requests would: the wish, its task, and nothing else. */
final class Fleet implements AutoCloseable {
    static final UUID ORGANIZATION = UUID.fromString("5f0c3a52-41f6-4b0e-9d2c-0a3d2f1b7c11");

    private final Store store;
    private final SimTime time;

    Fleet(Path folder, SimTime time) {
        this.store =
                SqliteStore.open(folder, Thread.ofPlatform().name("writer-", 0).factory(), StoreMetrics.NONE);
        this.time = time;
    }

    Store store() {
        return store;
    }

    /** The id that sorts as its number, so that a test can speak of the first and the last. */
    static UUID id(long number) {
        return new UUID(0x1000L, 0x8000_0000_0000_0000L | number);
    }

    Service create(UUID id) {
        return create(id, Urgency.NEW);
    }

    Service create(UUID id, Urgency urgency) {
        return create(ServiceSample.wanted(id, ORGANIZATION, time.now()), urgency);
    }

    /** One that begins with a backup. */
    Service create(UUID id, BackupOrigin origin) {
        return create(
                ServiceSample.beginningWith(ServiceSample.wanted(id, ORGANIZATION, time.now()), origin), Urgency.NEW);
    }

    private Service create(Service service, Urgency urgency) {
        return store.write(tables -> {
            tables.tasks().wake(Kind.SERVICE, service.id(), urgency, time.now());
            return tables.of(Service.KIND).insert(service);
        });
    }

    void create(int from, int to) {
        store.write(tables -> {
            for (int number = from; number < to; number++) {
                tables.tasks().wake(Kind.SERVICE, id(number), Urgency.NEW, time.now());
                tables.of(Service.KIND).insert(ServiceSample.wanted(id(number), ORGANIZATION, time.now()));
            }
            return to - from;
        });
    }

    Service change(UUID id, UnaryOperator<Service> change) {
        return store.write(tables -> {
            Service row = tables.of(Service.KIND).find(id).orElseThrow();
            tables.tasks().wake(Kind.SERVICE, id, Urgency.CHANGED, time.now());
            return tables.of(Service.KIND)
                    .replace(change.apply(row), row.version())
                    .orElseThrow();
        });
    }

    Service wish(UUID id, Wish wish) {
        return change(id, row -> row.withWish(wish, time.now()));
    }

    Optional<Service> find(UUID id) {
        return store.read(tables -> tables.of(Service.KIND).find(id));
    }

    Service get(UUID id) {
        return find(id).orElseThrow();
    }

    String state(UUID id) {
        return find(id).map(row -> row.state().word()).orElse("gone");
    }

    List<Activity> history(UUID id) {
        return store.read(tables -> tables.of(Activity.KIND).listByReference(id.toString(), 1_000));
    }

    List<String> activities(UUID id) {
        return history(id).stream().map(Activity::type).toList();
    }

    Backlog backlog() {
        return store.read(tables -> tables.tasks().backlog(time.now()));
    }

    Instant nextDue() {
        return store.read(tables -> tables.tasks().nextDue()).orElseThrow();
    }

    boolean hasNoTask() {
        return store.read(tables -> tables.tasks().nextDue()).isEmpty();
    }

    @Override
    public void close() {
        store.close();
    }
}
