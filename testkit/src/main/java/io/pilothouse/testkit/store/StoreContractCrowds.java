package io.pilothouse.testkit.store;

import static io.pilothouse.testkit.store.StoreContractSamples.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.port.Tasks.Claim;
import io.pilothouse.core.service.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Many at once: the outcome is as if they had come one after the other. */
interface StoreContractCrowds extends StoreContractHost {
    int CROWD = 16;
    UUID TENANT = UUID.fromString("7f3e1f6e-0d55-4c0e-9f6a-0d8f7a3b1c11");

    /** One of many: its number decides what it does. */
    @FunctionalInterface
    interface Member {
        void act(int number) throws Exception;
    }

    /** Starts them together, each on a virtual thread, and waits for all; the first failure comes out. */
    static void together(Member member) {
        CountDownLatch ready = new CountDownLatch(CROWD);
        List<Future<Boolean>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < CROWD; i++) {
                int number = i;
                all.add(threads.submit(() -> {
                    ready.countDown();
                    ready.await();
                    member.act(number);
                    return true;
                }));
            }
        }
        all.forEach(StoreContractCrowds::join);
    }

    /** The outcome of work on another thread; an exception is thrown again unchanged. */
    static <T> T join(Future<T> future) {
        try {
            return future.get(1, TimeUnit.MINUTES);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new AssertionError(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    default void noIncrementIsLost() {
        Organization start = StoreContractSamples.bareOrganization().withDetails("0", false, List.of());
        store().write(tables -> tables.of(Organization.KIND).insert(start));
        together(number -> {
            for (int i = 0; i < 10; i++) {
                store().write(tables -> {
                    Organization row =
                            tables.of(Organization.KIND).find(start.id()).orElseThrow();
                    String next = String.valueOf(Integer.parseInt(row.name()) + 1);
                    return tables.of(Organization.KIND)
                            .replace(row.withDetails(next, false, List.of()), row.version())
                            .orElseThrow();
                });
            }
        });
        Organization end = store().read(tables -> tables.of(Organization.KIND).find(start.id()))
                .orElseThrow();
        assertThat(end.name()).isEqualTo(String.valueOf(10 * CROWD));
        assertThat(end.version()).isEqualTo(1 + 10 * CROWD);
    }

    @Test
    default void onlyOneOfManyFindsTheTableEmpty() {
        together(number -> store().<Boolean>write(tables -> {
            if (tables.of(Service.KIND).count(TENANT) > 0) {
                return false;
            }
            tables.of(Service.KIND).insert(StoreContractSamples.service(TENANT));
            return true;
        }));
        assertRead(tables -> tables.of(Service.KIND).count(TENANT)).isEqualTo(1L);
    }

    @Test
    default void failedNeighbourTakesNothingWithIt() {
        Queue<UUID> kept = new ConcurrentLinkedQueue<>();
        together(number -> {
            for (int i = 0; i < 10; i++) {
                boolean fails = (number + i) % 2 == 0;
                var row = StoreContractSamples.activity(TENANT, NOW.plusSeconds(i), UUID.randomUUID());
                try {
                    store().<Boolean>write(tables -> {
                        tables.of(Activity.KIND).insert(row);
                        if (fails) {
                            throw new StoreContractTransactions.Mistake();
                        }
                        return true;
                    });
                    kept.add(row.id());
                } catch (StoreContractTransactions.Mistake e) {
                    assertThat(fails).isTrue();
                }
            }
        });
        assertThat(kept).hasSize(5 * CROWD);
        List<Activity> rows = store().read(tables -> tables.of(Activity.KIND).page(TENANT, null, 1_000));
        assertThat(rows).extracting(Activity::id).containsExactlyInAnyOrderElementsOf(kept);
    }

    @Test
    default void noTaskIsClaimedTwice() {
        for (int i = 0; i < 5 * CROWD; i++) {
            for (Tasks.Urgency urgency : Tasks.Urgency.values()) {
                StoreContractClaims.wake(store(), UUID.randomUUID(), urgency, NOW);
            }
        }
        Queue<UUID> claimed = new ConcurrentLinkedQueue<>();
        together(number -> {
            List<Claim> mine = claim(number);
            while (!mine.isEmpty()) {
                mine.forEach(claim -> claimed.add(claim.subjectId()));
                mine = claim(number);
            }
        });
        assertThat(claimed).hasSize(15 * CROWD).doesNotHaveDuplicates();
    }

    private List<Claim> claim(int number) {
        return store().write(tables -> tables.tasks().claim("owner " + number, NOW, NOW.plusSeconds(60), 3));
    }
}
