package io.pilothouse.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.BackupOrigin;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.DataPlane;
import io.pilothouse.core.service.DataPlane.Database;
import io.pilothouse.core.service.DataPlane.Sight;
import io.pilothouse.core.service.Seen;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.Wish;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * The contract of every data plane, so that the engine may die, repeat and forget at any time. A service here carries
 * what was last seen of it, as the engine's rows do.
 */
public abstract class PlaneContract {
    private static final UUID ORGANIZATION = UUID.fromString("0f2d9c1e-6c3b-4b43-9a53-6d6f6a1d7f11");

    /** The plane under test, as the control plane has it now. */
    protected abstract DataPlane plane();

    /** Lets some time go by; says whether it is worth looking once more. */
    protected abstract boolean letTimePass();

    /** The moment that it is for the plane. */
    protected abstract Instant now();

    /** The control plane is killed and comes back: {@link #plane} is another one from here on, over the same world. */
    protected abstract void restartControlPlane();

    /** The database dies, whatever it is doing. */
    protected abstract void crash(Service service);

    /** A backup of a service that runs here, to begin another one with. */
    protected abstract BackupOrigin backup(Service source);

    private Service service = ServiceSample.wanted(UUID.randomUUID(), ORGANIZATION, Instant.EPOCH);

    private Sight look() throws PlaneFault {
        Sight sight = plane().observe(service);
        boolean ran = service.seen().everRan() || sight.condition() == Condition.RUNNING;
        Seen before = service.seen();
        Instant since = sight.condition() == before.condition() ? before.since() : now();
        service = service.withSeen(
                new Seen(sight.condition(), ran, before.dbVersion(), before.protocols(), sight.fault(), since)
                        .withDatabase(sight.database()));
        return sight;
    }

    private Sight await(Condition condition) throws PlaneFault {
        Sight sight = look();
        while (sight.condition() != condition) {
            if (!letTimePass()) {
                return fail("It is %s and did not become %s", sight, condition);
            }
            sight = look();
        }
        return sight;
    }

    private void run() throws PlaneFault {
        plane().start(service);
        await(Condition.RUNNING);
    }

    private void wish(Wish wish) {
        service = service.withWish(wish, now());
    }

    @Test
    void aServiceThatWasNeverStartedIsAbsent() throws PlaneFault {
        assertThat(look()).isEqualTo(new Sight(Condition.ABSENT, false, null, null));
    }

    @Test
    void lookingStartsNothing() throws PlaneFault {
        for (int look = 0; look < 5 && letTimePass(); look++) {
            assertThat(look().condition()).isEqualTo(Condition.ABSENT);
        }
    }

    @Test
    void startedServiceComesToRunAsWanted() throws PlaneFault {
        plane().start(service);
        assertThat(look().condition()).isIn(Condition.STARTING, Condition.RUNNING);
        Sight sight = await(Condition.RUNNING);
        assertThat(sight.fits()).isTrue();
        Database database = Objects.requireNonNull(sight.database());
        assertThat(database.version()).isNotBlank();
        assertThat(Objects.requireNonNullElse(plane().database().version(), database.version()))
                .as("the version that was promised")
                .isEqualTo(database.version());
        assertThat(database.protocols()).contains("https");
        assertThat(plane().database().protocols())
                .as("the protocols that were promised")
                .containsAll(database.protocols());
        assertThat(sight.fault()).isNull();
    }

    @Test
    void startMayBeRepeatedWhileItStarts() throws PlaneFault {
        plane().start(service);
        plane().start(service);
        look();
        plane().start(service);
        assertThat(await(Condition.RUNNING).fits()).isTrue();
    }

    @Test
    void startOfWhatRunsAsWantedLeavesItRunning() throws PlaneFault {
        run();
        plane().start(service);
        Sight sight = look();
        assertThat(sight.condition()).isEqualTo(Condition.RUNNING);
        assertThat(sight.fits()).isTrue();
    }

    @Test
    void changedServiceRunsAsWantedAfterAStart() throws PlaneFault {
        run();
        service = ServiceSample.withMysql(service, true);
        plane().start(service);
        assertThat(await(Condition.RUNNING).fits()).isTrue();
    }

    @Test
    void stoppedServiceStaysStoppedUntilItIsStarted() throws PlaneFault {
        run();
        plane().stop(service);
        wish(Wish.STOP);
        assertThat(look().condition()).isIn(Condition.STOPPING, Condition.STOPPED);
        await(Condition.STOPPED);
        letTimePass();
        assertThat(look().condition()).isEqualTo(Condition.STOPPED);
        wish(Wish.RUN);
        run();
    }

    @Test
    void stopMayBeRepeated() throws PlaneFault {
        run();
        wish(Wish.STOP);
        plane().stop(service);
        plane().stop(service);
        await(Condition.STOPPED);
        plane().stop(service);
        assertThat(look().condition()).isEqualTo(Condition.STOPPED);
    }

    @Test
    void stopOfAMissingServiceIsNotAnError() throws PlaneFault {
        plane().stop(service);
        assertThat(look().condition()).isIn(Condition.ABSENT, Condition.STOPPED);
    }

    @Test
    void stopWhileItStartsStopsIt() throws PlaneFault {
        plane().start(service);
        look();
        wish(Wish.STOP);
        plane().stop(service);
        await(Condition.STOPPED);
        letTimePass();
        assertThat(look().condition()).isEqualTo(Condition.STOPPED);
    }

    @Test
    void startWhileItStopsStartsIt() throws PlaneFault {
        run();
        plane().stop(service);
        look();
        run();
    }

    @Test
    void eraseOfAMissingServiceIsNotAnError() throws PlaneFault {
        wish(Wish.DELETE);
        plane().erase(service);
        await(Condition.ABSENT);
    }

    @Test
    void eraseRemovesWhatRuns() throws PlaneFault {
        run();
        erase();
    }

    @Test
    void eraseRemovesWhatStarts() throws PlaneFault {
        plane().start(service);
        look();
        erase();
    }

    @Test
    void eraseRemovesWhatIsStopped() throws PlaneFault {
        run();
        plane().stop(service);
        await(Condition.STOPPED);
        erase();
    }

    @Test
    void eraseRemovesWhatIsBroken() throws PlaneFault {
        run();
        crash(service);
        erase();
    }

    private void erase() throws PlaneFault {
        wish(Wish.DELETE);
        plane().erase(service);
        plane().erase(service);
        await(Condition.ABSENT);
        plane().erase(service);
        await(Condition.ABSENT);
        letTimePass();
        assertThat(look().condition()).isEqualTo(Condition.ABSENT);
    }

    @Test
    void startBringsBackWhatCrashedWhileItRan() throws PlaneFault {
        run();
        crash(service);
        plane().start(service);
        assertThat(await(Condition.RUNNING).fits()).isTrue();
    }

    @Test
    void startBringsBackWhatCrashedWhileItStarted() throws PlaneFault {
        plane().start(service);
        look();
        crash(service);
        plane().start(service);
        assertThat(await(Condition.RUNNING).fits()).isTrue();
    }

    @Test
    void restartOfTheControlPlaneLeavesWhatRunsRunning() throws PlaneFault {
        run();
        restartControlPlane();
        Sight sight = look();
        assertThat(sight.condition()).isEqualTo(Condition.RUNNING);
        assertThat(sight.fits()).isTrue();
        assertThat(service.seen().dbVersion()).isNotBlank();
    }

    @Test
    void restartOfTheControlPlaneLeavesWhatIsStoppedStopped() throws PlaneFault {
        run();
        wish(Wish.STOP);
        plane().stop(service);
        await(Condition.STOPPED);
        restartControlPlane();
        assertThat(look().condition()).isEqualTo(Condition.STOPPED);
    }

    @Test
    void restartOfTheControlPlaneDoesNotBringBackWhatWasErased() throws PlaneFault {
        run();
        erase();
        restartControlPlane();
        assertThat(look().condition()).isEqualTo(Condition.ABSENT);
    }

    @Test
    void aServiceUnderWayWhenTheControlPlaneDiedCanBeStartedStoppedAndErased() throws PlaneFault {
        plane().start(service);
        restartControlPlane();
        plane().start(service);
        await(Condition.RUNNING);
        wish(Wish.STOP);
        plane().stop(service);
        restartControlPlane();
        plane().stop(service);
        await(Condition.STOPPED);
        wish(Wish.DELETE);
        plane().erase(service);
        restartControlPlane();
        plane().erase(service);
        await(Condition.ABSENT);
    }

    @Test
    void aRestoredServiceRunsAsWantedOnceItHoldsTheBackup() throws PlaneFault {
        begunWithABackup();
        restore();
        wish(Wish.STOP);
        plane().stop(service);
        await(Condition.STOPPED);
        wish(Wish.RUN);
        plane().start(service);
        assertThat(await(Condition.RUNNING).fits()).as("it has it already").isTrue();
    }

    @Test
    void aRestoredServiceComesToRunThoughTheControlPlaneDiedMeanwhile() throws PlaneFault {
        begunWithABackup();
        restartControlPlane();
        step();
        restartControlPlane();
        restore();
    }

    @Test
    void aRestoredServiceComesToRunThoughItCrashedMeanwhile() throws PlaneFault {
        begunWithABackup();
        step();
        crash(service);
        restore();
    }

    private void begunWithABackup() throws PlaneFault {
        run();
        BackupOrigin origin = backup(service);
        service = ServiceSample.beginningWith(
                ServiceSample.wanted(UUID.randomUUID(), ORGANIZATION, Instant.EPOCH), origin);
        plane().start(service);
        Sight sight = look();
        while (sight.condition() == Condition.STARTING && letTimePass()) {
            sight = look();
        }
    }

    private void restore() throws PlaneFault {
        while (!step().fits()) {
            if (!letTimePass()) {
                fail("It does not come to hold its backup");
            }
        }
        assertThat(look().condition()).isEqualTo(Condition.RUNNING);
    }

    /** Acts as the engine does: looks, and starts a service that neither runs as wanted nor is on its way. */
    private Sight step() throws PlaneFault {
        Sight sight = look();
        if (sight.condition() != Condition.STARTING && !sight.fits()) {
            plane().start(service);
        }
        return sight;
    }

    @Test
    void servicesLeaveEachOtherAlone() throws PlaneFault {
        run();
        Service first = service;
        service = ServiceSample.wanted(UUID.randomUUID(), ORGANIZATION, Instant.EPOCH);
        assertThat(look().condition()).isEqualTo(Condition.ABSENT);
        run();
        erase();
        service = first;
        assertThat(look().condition()).isEqualTo(Condition.RUNNING);
    }

    @Test
    void planeHasAName() {
        assertThat(plane().name()).isNotBlank();
    }
}
