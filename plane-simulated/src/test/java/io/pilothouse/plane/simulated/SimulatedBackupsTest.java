package io.pilothouse.plane.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.backup.Backups;
import io.pilothouse.core.service.Service;
import io.pilothouse.testkit.BackupsContract;
import io.pilothouse.testkit.ServiceSample;
import io.pilothouse.testkit.SimTime;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The simulated backups keep the contract of backups although there is nothing in them. */
class SimulatedBackupsTest extends BackupsContract {
    private final SimTime time = new SimTime();
    private final SimulatedBackups backups = new SimulatedBackups(time, Duration.ofSeconds(2));
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
    void oldFinishedBackupsAreForgotten() {
        for (int day = 0; day < 100; day++) {
            backups.begin(service, UUID.randomUUID());
            time.advance(Duration.ofDays(1));
        }
        assertThat(backups.remembered()).isEqualTo(1);
    }
}
