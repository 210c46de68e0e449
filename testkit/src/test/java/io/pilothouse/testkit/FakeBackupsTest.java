package io.pilothouse.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pilothouse.core.backup.Backups;
import io.pilothouse.core.backup.Backups.Progress;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Service;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class FakeBackupsTest extends BackupsContract {
    private final SimTime time = new SimTime();
    private final FakeBackups backups = new FakeBackups(time, Duration.ofSeconds(2));
    private final Service service = ServiceSample.wanted(UUID.randomUUID(), UUID.randomUUID(), time.now());
    private int steps;

    @Override
    protected Backups backups() {
        return backups;
    }

    @Override
    protected Service running() {
        return service;
    }

    @Override
    protected boolean letTimePass() {
        time.advance(Duration.ofSeconds(1));
        return ++steps < 10;
    }

    @Test
    void itFailsAsOrdered() throws PlaneFault {
        UUID id = UUID.randomUUID();
        backups.begin(service, id);
        backups.fail("The disk is gone");
        assertThat(backups.observe(service.id(), id)).isEqualTo(new Progress.Failed("The disk is gone"));
        backups.fail(null);
        backups.interrupt();
        assertThat(backups.kept()).isEmpty();
        backups.refuse("It cannot");
        assertThat(backups.refusal(service)).contains("It cannot");
        backups.breakDown("Nobody answers");
        assertThatExceptionOfType(PlaneFault.class)
                .isThrownBy(() -> backups.observe(service.id(), id))
                .withMessage("Nobody answers");
    }
}
