package io.pilothouse.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.backup.Backups;
import io.pilothouse.core.backup.Backups.Progress;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Service;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The contract of every implementation of backups, so that a fake one cannot lie. */
public abstract class BackupsContract {
    private final UUID backup = UUID.randomUUID();

    protected abstract Backups backups();

    /** A service that runs and can be backed up. */
    protected abstract Service running() throws PlaneFault;

    /** Lets time pass; false when enough has passed for anything to have happened. */
    protected abstract boolean letTimePass();

    private Progress await(Service service, UUID id) throws PlaneFault {
        Progress progress = backups().observe(service.id(), id);
        while (progress instanceof Progress.UnderWay && letTimePass()) {
            progress = backups().observe(service.id(), id);
        }
        return progress;
    }

    @Test
    void aBackupThatWasNeverBegunIsUnknown() throws PlaneFault {
        assertThat(backups().observe(running().id(), backup)).isEqualTo(new Progress.Unknown());
    }

    @Test
    void aBegunBackupIsFinishedSomeTime() throws PlaneFault {
        Service service = running();
        assertThat(backups().refusal(service)).isEmpty();
        backups().begin(service, backup);
        Progress progress = await(service, backup);
        assertThat(progress).isInstanceOf(Progress.Finished.class);
        assertThat(backups().observe(service.id(), backup)).as("a second look").isEqualTo(progress);
    }

    @Test
    void beginningAgainIsNotAnError() throws PlaneFault {
        Service service = running();
        backups().begin(service, backup);
        backups().begin(service, backup);
        Progress progress = await(service, backup);
        backups().begin(service, backup);
        assertThat(backups().observe(service.id(), backup)).isEqualTo(progress);
    }

    @Test
    void aDroppedBackupIsUnknownAgain() throws PlaneFault {
        Service service = running();
        backups().begin(service, backup);
        await(service, backup);
        backups().drop(service.id(), backup);
        assertThat(backups().observe(service.id(), backup)).isEqualTo(new Progress.Unknown());
        backups().drop(service.id(), backup);
    }

    @Test
    void aBackupUnderWayCanBeDropped() throws PlaneFault {
        Service service = running();
        backups().begin(service, backup);
        backups().drop(service.id(), backup);
        assertThat(backups().observe(service.id(), backup)).isEqualTo(new Progress.Unknown());
    }

    @Test
    void backupsOfOneServiceAreAloneEach() throws PlaneFault {
        Service service = running();
        UUID other = UUID.randomUUID();
        backups().begin(service, backup);
        await(service, backup);
        backups().begin(service, other);
        await(service, other);
        backups().drop(service.id(), other);
        assertThat(backups().observe(service.id(), backup)).isInstanceOf(Progress.Finished.class);
    }
}
