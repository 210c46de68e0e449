package io.pilothouse.server.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.backup.BackupsOfService;
import io.pilothouse.core.base.Edition;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.emulator.TenantOperations;
import io.pilothouse.core.engine.Lull;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.organization.OrganizationTier;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.right.Caller;
import io.pilothouse.core.right.Permission;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.secret.SecretText;
import io.pilothouse.core.service.DataPlane;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceDefaults;
import io.pilothouse.core.service.ServiceFollower;
import io.pilothouse.core.service.ServiceOperations;
import io.pilothouse.core.service.WayIn;
import io.pilothouse.core.service.Wish;
import io.pilothouse.core.usage.UsageMeter;
import io.pilothouse.plane.simulated.SimulatedAddresses;
import io.pilothouse.store.SqliteStore;
import io.pilothouse.store.StoreMetrics;
import io.pilothouse.testkit.ServiceSample;
import io.pilothouse.testkit.SimTime;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is remembered of an organization goes with its rows, and what comes into it while it ends, ends too. */
class ErasedMemoryTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final SimTime time = new SimTime();
    private final Lull lull = new Lull(PATIENCE);
    private final UUID id = UUID.randomUUID();
    private final Permit operator = new Caller(
                    UUID.randomUUID(), UUID.randomUUID(), "key", Set.of(Permission.ORGANIZATION_CREATE))
            .permit(Permission.ORGANIZATION_CREATE, UUID.randomUUID());

    @TempDir
    private Path folder;

    private Store store;

    @BeforeEach
    void open() {
        store = SqliteStore.open(folder, Thread.ofPlatform().name("writer-", 0).factory(), StoreMetrics.NONE);
        store.change(tables -> tables.of(Organization.KIND)
                .insert(new Organization(
                        Head.of(id, id, time.now()),
                        "Test",
                        OrganizationTier.BASIC,
                        true,
                        false,
                        List.of(),
                        List.of())));
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void whatWasErasedIsForgotten() {
        UUID service = UUID.randomUUID();
        Set<UUID> forgotten = new HashSet<>();
        store.change(tables -> tables.of(UsageMeter.KIND)
                .insert(new UsageMeter(
                        Head.of(service, id, time.now()), service, true, "One", List.of(), List.of(), null)));
        TenantOperations tenants = new TenantOperations(store, time, Optional.empty(), lull, forgotten::addAll);
        assertThat(tenants.erase(operator, id).left()).isZero();
        assertThat(forgotten).containsExactlyInAnyOrder(id, service);
    }

    @Test
    void aPassThatRunsIsWaitedForBecauseItRemembersMore() throws InterruptedException {
        List<String> order = new CopyOnWriteArrayList<>();
        TenantOperations tenants =
                new TenantOperations(store, time, Optional.empty(), lull, _ -> order.add("forgotten"));
        Thread erasing = Thread.ofPlatform().unstarted(() -> tenants.erase(operator, id));
        CountDownLatch done = new CountDownLatch(1);
        Thread passing = Thread.ofPlatform()
                .start(() -> lull.over(_ -> {
                            erasing.start();
                            awaitWaiting(erasing);
                            order.add("remembered");
                            done.countDown();
                        })
                        .run(new Tasks.Claim(Tasks.Kind.SERVICE, id, 1, 1, 0, time.now())));
        passing.join(PATIENCE);
        assertThat(done.getCount()).as("the pass has ended well").isZero();
        erasing.join(PATIENCE);
        assertThat(order).containsExactly("remembered", "forgotten");
    }

    private static void awaitWaiting(Thread thread) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            assertThat(System.nanoTime()).isLessThan(end);
            assertThat(thread.isAlive()).as("waits").isTrue();
            Thread.onSpinWait();
        }
    }

    @Test
    void aServiceThatWasMadeWhileDatabasesEndIsEndedToo() {
        TenantOperations tenants = new TenantOperations(store, time, Optional.of(services()), lull, _ -> {});
        UUID first = made();
        assertThat(tenants.erase(operator, id).left()).isEqualTo(1);
        UUID late = made();
        assertThat(tenants.finish(id)).isFalse();
        for (UUID service : List.of(first, late)) {
            assertThat(store.read(tables ->
                                    tables.of(Service.KIND).find(service).orElseThrow())
                            .wish())
                    .isEqualTo(Wish.DELETE);
        }
        assertThat(tenants.erase(operator, id).left()).isEqualTo(2);
        gone(first);
        assertThat(tenants.finish(id)).isFalse();
        gone(late);
        assertThat(tenants.finish(id)).isTrue();
        assertThat(store.<Boolean>read(
                        tables -> tables.of(Organization.KIND).find(id).isEmpty()))
                .isTrue();
    }

    private UUID made() {
        UUID service = UUID.randomUUID();
        store.change(tables -> tables.of(Service.KIND).insert(ServiceSample.wanted(service, id, time.now())));
        return service;
    }

    private void gone(UUID service) {
        store.change(tables -> {
            Service row = tables.of(Service.KIND).find(service).orElseThrow();
            tables.of(Service.KIND).delete(row.id(), row.version());
        });
    }

    private ServiceOperations services() {
        return new ServiceOperations(
                store,
                time,
                RuleBook.of(Edition.SEED),
                ServiceDefaults.STANDARD,
                new SecretText(new SecureRandom()),
                new SimulatedAddresses(Optional.empty()),
                WayIn.BY_NAME,
                () -> new DataPlane.Database("25.8", List.of("https")),
                new BackupsOfService(),
                ServiceFollower.all(List.of()),
                () -> {});
    }
}
