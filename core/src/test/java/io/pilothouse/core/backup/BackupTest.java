package io.pilothouse.core.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.backup.Backup.State;
import io.pilothouse.core.backup.Backup.Trigger;
import io.pilothouse.core.backup.BackupChange.Part;
import io.pilothouse.core.base.Fault;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.BackupConfiguration;
import io.pilothouse.core.service.BackupOrigin;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.Given;
import io.pilothouse.core.service.Seen;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceDesign;
import io.pilothouse.core.service.Wish;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackupTest {
    private static final UUID ID = new UUID(1, 2);
    private final Backup asked = Backup.of(Given.service(), ID, Trigger.DEMAND, Given.NOON);

    @Test
    void aBackupKeepsWhatARestoreIsCheckedAgainst() {
        assertThat(asked.serviceId()).isEqualTo(Given.SERVICE);
        assertThat(asked.ownerId()).isEqualTo(Given.SERVICE);
        assertThat(asked.organizationId()).isEqualTo(Given.ORGANIZATION);
        assertThat(asked.region()).isEqualTo("us-east-1");
        assertThat(asked.tier()).isNull();
        assertThat(asked.retentionHours()).isEqualTo(24);
        assertThat(asked.keptFor(48).retentionHours()).isEqualTo(48);
    }

    @Test
    void everyStateHasTheClientsWordForIt() {
        assertThat(asked.state().word()).contains("in_progress");
        Backup done = asked.done(Archive.of(7), Given.NOON.plusSeconds(3));
        assertThat(done.state().word()).contains("done");
        assertThat(done.sizeInBytes()).isEqualTo(7);
        Backup failed = asked.failed("The disk is full", Given.NOON);
        assertThat(failed.state().word()).contains("error");
        assertThat(failed.cleared().state().word()).contains("error");
        assertThat(failed.cleared().trouble()).isEqualTo("The disk is full");
        assertThat(done.leaving(Given.NOON).state()).isEqualTo(State.LEAVING);
        assertThat(State.LEAVING.word()).isEmpty();
        assertThat(asked.troubled("Busy").trouble()).isEqualTo("Busy");
        assertThat(asked.troubled("Busy").done(Archive.of(1), Given.NOON).trouble())
                .isNull();
    }

    @Test
    void whoIsThroughWithRestoringIsForgotten() {
        UUID one = new UUID(0, 1);
        UUID two = new UUID(0, 2);
        Backup both = asked.restoredBy(one, List.of()).restoredBy(two, List.of());
        assertThat(both.restoring()).containsExactly(one, two);
        assertThat(both.restoredBy(ID, List.of(one)).restoring()).containsExactly(two, ID);
    }

    @Test
    void aBackupUnderWayTakesLongerWithEveryLook() {
        assertThat(BackupView.of(asked, null, Given.NOON.plusSeconds(5)).durationInSeconds())
                .isEqualTo(5);
        assertThat(BackupView.of(asked, null, Given.NOON.minusSeconds(5)).durationInSeconds())
                .as("with a clock that went back")
                .isZero();
        Backup done = asked.done(Archive.of(7), Given.NOON.plusSeconds(3));
        BackupView view = BackupView.of(done, null, Given.NOON.plusSeconds(99));
        assertThat(view.durationInSeconds()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({
        "24, , 2026-03-01T12:00:00Z, 2026-03-02T12:00:00Z",
        "6, , 2026-03-01T12:00:00Z, 2026-03-01T18:00:00Z",
        "24, 02:00, 2026-03-01T12:00:00Z, 2026-03-02T02:00:00Z",
        "24, 2:30, 2026-03-01T01:00:00Z, 2026-03-01T02:30:00Z",
        "24, 02:00, 2026-03-01T02:00:00Z, 2026-03-02T02:00:00Z",
        "24, 23:59, 2026-12-31T23:59:01Z, 2027-01-01T23:59:00Z"
    })
    void theNextBackupIsDueAPeriodLaterOrAtItsTimeOfDay(
            int period, @Nullable String startTime, Instant last, Instant next) {
        assertThat(new BackupConfiguration(period, 24, startTime).nextAfter(last))
                .isEqualTo(next);
    }

    private static BackupChange change(Part<Double> period, Part<Double> retention, Part<String> start) {
        return new BackupChange(period, retention, start);
    }

    private static List<String> faults(BackupChange change) {
        Faults faults = new Faults();
        change.check(faults);
        return faults.list().stream().map(Fault::path).toList();
    }

    @ParameterizedTest
    @CsvSource({"1, true", "168, true", "0, false", "169, false", "1.5, false"})
    void aPeriodIsAnHourToAWeek(double hours, boolean good) {
        assertThat(faults(change(Part.of(hours), Part.absent(), Part.absent())).isEmpty())
                .isEqualTo(good);
    }

    @ParameterizedTest
    @CsvSource({"24, true", "1080, true", "48, true", "23, false", "25, false", "1104, false"})
    void aRetentionIsOneToFortyFiveWholeDays(double hours, boolean good) {
        assertThat(faults(change(Part.absent(), Part.of(hours), Part.absent())).isEmpty())
                .isEqualTo(good);
    }

    @ParameterizedTest
    @CsvSource({"2:00, true", "02:00, true", "23:59, true", "24:00, false", "2, false", "2:60, false", "'', false"})
    void aStartTimeIsATimeOfDay(String time, boolean good) {
        assertThat(faults(change(Part.absent(), Part.absent(), Part.of(time))).isEmpty())
                .isEqualTo(good);
    }

    @Test
    void absentFieldsStayAndNullOnesReturnToTheirDefault() {
        BackupConfiguration current = new BackupConfiguration(24, 72, "2:00");
        Faults faults = new Faults();
        assertThat(change(Part.absent(), Part.absent(), Part.absent()).on(current, faults))
                .isEqualTo(current);
        assertThat(change(Part.of(null), Part.of(null), Part.of(null)).on(current, faults))
                .isEqualTo(BackupConfiguration.STANDARD);
        assertThat(change(Part.of(12.0), Part.of(48.0), Part.of(null)).on(current, faults))
                .isEqualTo(new BackupConfiguration(12, 48, null));
        assertThat(faults.none()).isTrue();
    }

    @Test
    void aStartTimeGoesWithAPeriodOfADayAndNoOther() {
        BackupConfiguration twice = new BackupConfiguration(12, 24, null);
        Faults none = new Faults();
        assertThat(change(Part.absent(), Part.absent(), Part.of("3:00")).on(twice, none))
                .isEqualTo(new BackupConfiguration(24, 24, "3:00"));
        assertThat(none.none()).isTrue();
        Faults faults = new Faults();
        change(Part.of(12.0), Part.absent(), Part.of("3:00")).on(BackupConfiguration.STANDARD, faults);
        change(Part.of(12.0), Part.absent(), Part.absent()).on(new BackupConfiguration(24, 24, "3:00"), faults);
        assertThat(faults.list()).extracting(Fault::path).containsExactly("backupPeriodInHours", "backupPeriodInHours");
    }

    @Test
    void aServiceRestoresUntilItRanOrIsDeleted() {
        Service fresh = Given.service();
        assertThat(fresh.isRestoring()).isFalse();
        ServiceDesign.Origin origin = new ServiceDesign.Origin(new BackupOrigin(Given.SERVICE, ID), "us-east-1", null);
        Service restored = Given.design(Map.of("backupId", ID), Given.enterprise(), Given.SEED, null, origin)
                .service();
        assertThat(restored.isRestoring()).isTrue();
        assertThat(restored.withWish(Wish.DELETE, Given.NOON).isRestoring()).isFalse();
        assertThat(restored.withSeen(new Seen(Condition.STOPPED, true, null, null, Given.NOON))
                        .isRestoring())
                .isFalse();
    }

    @Test
    void aBackupIsGoodUnlessItIsKnownToBeDamaged() {
        Backup done = asked.done(Archive.of(7), Given.NOON);
        assertThat(asked.isGood()).isFalse();
        assertThat(done.isGood()).isTrue();
        assertThat(done.proven(Proving.Ended.untried("The disk is full.").at(Given.NOON))
                        .isGood())
                .isTrue();
        assertThat(done.proven(Proving.Ended.restorable(1, 2).at(Given.NOON)).isGood())
                .isTrue();
        Backup damaged = done.proven(Proving.Ended.damaged("A part differs.").at(Given.NOON));
        assertThat(damaged.isGood()).isFalse();
        assertThat(damaged.keptFor(9).proof()).isEqualTo(damaged.proof());
        assertThat(BackupProof.Outcome.UNTRIED.word()).isEqualTo("untried");
    }

    @Test
    void aPlaneThatProvesNothingSaysSo() throws PlaneFault {
        Backups plain = new Backups() {
            @Override
            public void begin(Service service, UUID backupId) {}

            @Override
            public Progress observe(UUID serviceId, UUID backupId) {
                return new Progress.Unknown();
            }

            @Override
            public void drop(UUID serviceId, UUID backupId) {}
        };
        plain.prove(ID, ID);
        assertThat(plain.provenEvery()).isZero();
        assertThat(plain.proving(ID, ID)).isEqualTo(new Proving.Busy());
    }
}
