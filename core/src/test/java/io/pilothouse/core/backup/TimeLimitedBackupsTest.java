package io.pilothouse.core.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.PlanScene;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.Wish;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TimeLimitedBackupsTest {
    private static final UUID BACKUP = new UUID(1, 2);
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final Service service =
            PlanScene.of(Wish.RUN, Condition.RUNNING, Condition.RUNNING).service();
    private final CountDownLatch release = new CountDownLatch(1);
    private final List<String> calls = Collections.synchronizedList(new ArrayList<>());

    /** Begins when it is let to, and does the rest at once. */
    private final Backups slow = new Backups() {
        @Override
        public void begin(Service begun, UUID backupId) throws PlaneFault {
            calls.add("begin");
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new PlaneFault("Interrupted", e);
            }
        }

        @Override
        public Progress observe(UUID serviceId, UUID backupId) {
            calls.add("observe");
            return new Progress.Finished(7);
        }

        @Override
        public void drop(UUID serviceId, UUID backupId) {
            calls.add("drop");
        }
    };

    @AfterEach
    void close() {
        release.countDown();
        executor.close();
    }

    @Test
    void promptCallsPassThrough() throws PlaneFault {
        release.countDown();
        Backups limited = new TimeLimitedBackups(slow, executor, Duration.ofMinutes(1), Duration.ofMinutes(1));
        limited.begin(service, BACKUP);
        assertThat(limited.observe(service.id(), BACKUP)).isEqualTo(new Backups.Progress.Finished(7));
        limited.drop(service.id(), BACKUP);
        assertThat(calls).containsExactly("begin", "observe", "drop");
        assertThat(limited.refusal(service)).isEqualTo(Optional.empty());
    }

    @Test
    void aCallThatTakesTooLongBecomesAFault() {
        Backups limited = new TimeLimitedBackups(slow, executor, Duration.ofMinutes(1), Duration.ofMillis(20));
        assertThatExceptionOfType(PlaneFault.class)
                .isThrownBy(() -> limited.begin(service, BACKUP))
                .withMessageStartingWith("The data plane did not answer within");
    }
}
