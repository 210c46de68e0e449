package io.pilothouse.plane.local.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.plane.local.share.DiskShare.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DiskSharesTest {
    private final UUID id = UUID.randomUUID();
    private final List<UUID> looks = new ArrayList<>();
    private final Map<UUID, Long> stored = new HashMap<>();
    private final DiskShares shares = new DiskShares(new DiskShare(100L << 20), looks::add);

    private void grow(long megabytes) {
        stored.put(id, megabytes << 20);
        shares.look(
                Runnable::run,
                each -> stored.containsKey(each) ? OptionalLong.of(stored.get(each)) : OptionalLong.empty());
    }

    @Test
    void serviceThatFillsUpBetweenTwoPassesIsLookedAtAndOnceItHasRoomAgain() {
        shares.measured(id, OptionalLong.of(0), false);
        grow(89);
        assertThat(shares.count(Level.NEAR)).isZero();
        grow(90);
        assertThat(shares.count(Level.NEAR)).isEqualTo(1);
        assertThat(shares.isFull(id)).isFalse();
        assertThat(looks).as("a warning changes nothing of the database").isEmpty();
        grow(100);
        assertThat(shares.isFull(id)).isTrue();
        assertThat(looks).containsExactly(id);
        assertThat(shares.refusal(id))
                .contains("Its data takes 100 MB of the 100 MB that a service may have (max-service-disk),"
                        + " so it takes no more rows until some are deleted");

        grow(95);
        assertThat(shares.count(Level.FULL)).isEqualTo(1);
        assertThat(looks).containsExactly(id);
        grow(94);
        assertThat(shares.isFull(id)).isFalse();
        assertThat(shares.refusal(id)).isEmpty();
        assertThat(looks).containsExactly(id, id);
    }

    @Test
    void databaseThatRefusesRowsAlreadyStaysSoUnderANewControlPlane() {
        shares.measured(id, OptionalLong.of(97L << 20), true);
        UUID other = UUID.randomUUID();
        shares.measured(other, OptionalLong.of(97L << 20), false);
        assertThat(shares.isFull(id)).isTrue();
        assertThat(shares.isFull(other)).isFalse();

        UUID silent = UUID.randomUUID();
        shares.measured(silent, OptionalLong.empty(), true);
        assertThat(shares.isFull(silent))
                .as("one that does not say what it has")
                .isTrue();
    }

    @Test
    void whatDoesNotSayItsSizeStaysAsItWasAndWhatIsForgottenIsNotAskedAgain() {
        shares.measured(id, OptionalLong.of(100L << 20), false);
        shares.look(Runnable::run, each -> OptionalLong.empty());
        shares.look(Runnable::run, each -> {
            throw new IllegalStateException("a fault of its own");
        });
        assertThat(shares.isFull(id)).isTrue();
        shares.forget(id);
        shares.look(Runnable::run, each -> {
            throw new AssertionError("asked about " + each);
        });
        assertThat(shares.isFull(id)).isFalse();
    }

    @Test
    void databaseThatIsSilentHoldsUpNoOtherAndIsNotAskedTwice() throws InterruptedException {
        UUID silent = UUID.randomUUID();
        shares.measured(silent, OptionalLong.of(0), false);
        shares.measured(id, OptionalLong.of(0), false);
        CountDownLatch speaks = new CountDownLatch(1);
        CountDownLatch measured = new CountDownLatch(2);
        AtomicInteger askedOfSilent = new AtomicInteger();
        DiskShares.Measure measure = each -> {
            if (each.equals(id)) {
                measured.countDown();
                return OptionalLong.of(100L << 20);
            }
            askedOfSilent.incrementAndGet();
            return awaited(speaks) ? OptionalLong.of(0) : OptionalLong.empty();
        };
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            do {
                shares.look(threads, measure);
            } while (!measured.await(10, TimeUnit.MILLISECONDS));
            assertThat(askedOfSilent).hasValueLessThanOrEqualTo(1);
            speaks.countDown();
        }
        assertThat(askedOfSilent).hasValue(1);
        assertThat(shares.isFull(id)).isTrue();
    }

    private static boolean awaited(CountDownLatch latch) {
        try {
            return latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Test
    void withoutALimitNothingIsMeasured() {
        DiskShares all = new DiskShares(DiskShare.UNLIMITED, looks::add);
        all.measured(id, OptionalLong.of(Long.MAX_VALUE - 1), false);
        all.start(
                task -> {
                    throw new AssertionError("a thread for nothing");
                },
                Duration.ZERO,
                each -> OptionalLong.empty());
        assertThat(all.isFull(id)).isFalse();
        assertThat(all.refusal(id)).isEqualTo(Optional.empty());
        assertThat(all.limit()).isEmpty();
        assertThat(shares.limit()).hasValue(100L << 20);
        assertThatThrownBy(() -> new DiskShare(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
