package io.pilothouse.server.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.backup.Backup;
import io.pilothouse.core.backup.BackupBucket;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.host.HostOperations;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.Seen;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.Service.Departure.Stage;
import io.pilothouse.core.service.ServiceState;
import io.pilothouse.core.service.Wish;
import io.pilothouse.testkit.KillSwitch;
import io.pilothouse.testkit.Walk;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service moves from a drained host to another by a backup, wherever the process of either host dies on the way. */
class HostMovesTest {
    private static final int MAX_TURNS = 400;

    @TempDir
    private Path folder;

    private int worlds;

    private TwoHosts begin(Set<Integer> deaths) {
        worlds++;
        TwoHosts hosts = new TwoHosts(folder.resolve("world " + worlds), new KillSwitch(deaths));
        hosts.create();
        hosts.awaitRow(row -> row.state() == ServiceState.RUNNING, MAX_TURNS);
        hosts.write();
        return hosts;
    }

    private static void give(TwoHosts hosts) {
        UUID organization = hosts.row().organizationId();
        hosts.change(tables -> tables.of(BackupBucket.KIND)
                .insert(new BackupBucket(
                        Head.of(UUID.randomUUID(), hosts.id(), hosts.now()),
                        organization,
                        true,
                        Tree.Members.NONE,
                        null)));
    }

    /** What there is once it runs on beta, and nothing of it is left on alpha. */
    private static void awaitMoved(TwoHosts hosts, ServiceState state) {
        hosts.awaitRow(
                row -> hosts.beta().id().equals(row.hostId())
                        && row.state() == state
                        && !row.isMoving()
                        && hosts.alpha().condition() == Condition.ABSENT
                        && hosts.alpha().marked().isEmpty(),
                MAX_TURNS);
        assertThat(hosts.row().seen().trouble()).isNull();
        assertThat(hosts.beta().data()).as("what was written last").isEqualTo(hosts.written());
    }

    private static int move(TwoHosts hosts) {
        give(hosts);
        hosts.drainAlpha(true);
        awaitMoved(hosts, ServiceState.RUNNING);
        return hosts.points();
    }

    @Test
    void serviceMovesWithItsDataWhereverAProcessDies() {
        int before;
        int points;
        try (TwoHosts hosts = begin(Set.of())) {
            before = hosts.points();
            points = move(hosts);
            assertThat(hosts.states()).contains(ServiceState.DEGRADED);
        }
        for (int point = before + 1; point <= points; point += Walk.length(3, 1)) {
            try (TwoHosts hosts = begin(Set.of(point))) {
                move(hosts);
                assertThat(hosts.deaths()).as("deaths at point %d", point).isEqualTo(1);
            }
        }
    }

    @Test
    void passThatLookedBeforeTheServiceLeftSaysNothingOfItAfter() {
        try (TwoHosts hosts = begin(Set.of())) {
            give(hosts);
            hosts.alpha().onceLookedAt(Condition.STOPPED, Stage.LEAVING, () -> {
                Seen stopped = new Seen(Condition.STOPPED, true, null, null, hosts.now());
                Service row = hosts.row().withSeen(stopped);
                hosts.change(tables -> tables.of(Service.KIND).overwrite(row));
                hosts.alpha().move();
            });
            hosts.drainAlpha(true);
            hosts.awaitRow(row -> hosts.beta().id().equals(row.hostId()), MAX_TURNS);
            assertThat(hosts.alpha().wasLookedAt()).isTrue();
            assertThat(hosts.row().isArriving()).isTrue();
            awaitMoved(hosts, ServiceState.RUNNING);
        }
    }

    @Test
    void stoppedServiceMovesAndIsStoppedAgain() {
        try (TwoHosts hosts = begin(Set.of())) {
            hosts.wish(Wish.STOP);
            hosts.awaitRow(row -> row.state() == ServiceState.STOPPED, MAX_TURNS);
            give(hosts);
            hosts.drainAlpha(true);
            awaitMoved(hosts, ServiceState.STOPPED);
            assertThat(hosts.beta().condition()).isEqualTo(Condition.STOPPED);
            assertThat(hosts.states()).doesNotContain(ServiceState.DEGRADED);
        }
    }

    @Test
    void serviceThatIsDeletedOnItsWayLeavesNothingBehind() {
        try (TwoHosts hosts = begin(Set.of())) {
            give(hosts);
            hosts.drainAlpha(true);
            hosts.awaitRow(Service::isArriving, MAX_TURNS);
            hosts.wish(Wish.DELETE);
            hosts.awaitGone(MAX_TURNS);
            assertThat(hosts.alpha().condition()).isEqualTo(Condition.ABSENT);
            assertThat(hosts.beta().condition()).isEqualTo(Condition.ABSENT);
        }
    }

    @Test
    void serviceWhoseHostIsDrainedNoMoreGoesOnWhereItIs() {
        try (TwoHosts hosts = begin(Set.of())) {
            give(hosts);
            hosts.drainAlpha(true);
            hosts.awaitRow(row -> row.departure() != null && row.departure().backupId() != null, MAX_TURNS);
            hosts.drainAlpha(false);
            hosts.awaitRow(row -> row.state() == ServiceState.RUNNING, MAX_TURNS);
            assertThat(hosts.row().hostId()).isEqualTo(hosts.alpha().id());
            assertThat(hosts.alpha().data()).isEqualTo(hosts.written());
        }
    }

    @Test
    void serviceWhoseBackupFailsGoesOnWhereItIs() {
        try (TwoHosts hosts = begin(Set.of())) {
            give(hosts);
            hosts.bucket().fail("The bucket is full");
            hosts.drainAlpha(true);
            hosts.awaitRow(row -> row.departure() != null, MAX_TURNS);
            hosts.awaitRow(row -> row.state() == ServiceState.RUNNING, MAX_TURNS);
            assertThat(hosts.row().hostId()).isEqualTo(hosts.alpha().id());
        }
    }

    @Test
    void serviceStaysAndSaysWhyWhereItCannotMove() {
        try (TwoHosts hosts = begin(Set.of())) {
            hosts.drainAlpha(true);
            hosts.turns(20);
            assertThat(why(hosts)).containsExactly("It has no backup bucket to go by: give it one");
            Backup failed = Backup.of(hosts.row(), UUID.randomUUID(), Backup.Trigger.DEMAND, hosts.now())
                    .failed("It broke off", hosts.now());
            hosts.change(tables -> tables.of(Backup.KIND).insert(failed));
            give(hosts);
            assertThat(why(hosts))
                    .singleElement()
                    .asString()
                    .startsWith("Backups of it are on the disk of its host (1)");
            assertThat(hosts.row().state()).isEqualTo(ServiceState.RUNNING);
            assertThat(hosts.row().departure()).isNull();
        }
    }

    private static List<String> why(TwoHosts hosts) {
        return hosts.operations().staying(hosts.alpha().id()).stream()
                .map(HostOperations.Staying::why)
                .toList();
    }
}
