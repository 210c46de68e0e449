package io.pilothouse.server.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.host.Host;
import io.pilothouse.core.host.HostOperations;
import io.pilothouse.core.host.HostPlaces;
import io.pilothouse.core.host.HostWatch;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.service.BackupOrigin;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.Seen;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceFollower;
import io.pilothouse.store.SqliteStore;
import io.pilothouse.store.StoreMetrics;
import io.pilothouse.testkit.ServiceSample;
import io.pilothouse.testkit.SimTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hosts that share a store: who is there, who has room, and what is said of the services of one that is gone. */
class HostsTest {
    private static final UUID ORGANIZATION = UUID.randomUUID();
    private static final Duration BEAT = Duration.ofSeconds(2);
    private static final int BEATS_OF_A_LEASE = 5;

    @TempDir
    private Path folder;

    private final SimTime time = new SimTime();
    private Store store;
    private Host alpha;
    private Host beta;
    private int woken;

    @BeforeEach
    void begin() {
        store = SqliteStore.open(folder, Thread.ofPlatform().name("writer-", 0).factory(), StoreMetrics.NONE);
        alpha = host("alpha", 10);
        beta = host("beta", 4);
        watch(alpha).beat();
        watch(beta).beat();
    }

    @AfterEach
    void end() {
        store.close();
    }

    private Host host(String name, long databases) {
        Head head = Head.own(UUID.randomUUID(), time.now());
        return new Host(
                head, name, name, new Host.Room(databases, 20_000, 20_299), time.now(), time.now(), false, false);
    }

    private HostWatch watch(Host host) {
        return new HostWatch(store, time, host, ServiceFollower.NONE, () -> {});
    }

    private Service serviceOn(@Nullable Host host) {
        return store.write(tables -> {
            Service wanted = ServiceSample.wanted(UUID.randomUUID(), ORGANIZATION, time.now());
            Service made = tables.of(Service.KIND).insert(wanted.withHost(host == null ? null : host.ofService()));
            tables.tasks().wake(Tasks.Kind.SERVICE, made.id(), Tasks.Urgency.NEW, time.now());
            tables.tasks().place(Tasks.Kind.SERVICE, made.id(), made.hostId());
            return made;
        });
    }

    private Service row(Service service) {
        return store.read(tables -> tables.of(Service.KIND).find(service.id()).orElseThrow());
    }

    private Host row(Host host) {
        return store.read(tables -> tables.of(Host.KIND).find(host.id()).orElseThrow());
    }

    private List<String> open(@Nullable BackupOrigin origin) {
        return store.read(tables -> HostPlaces.open(tables, origin, time.now())).stream()
                .map(Host::name)
                .toList();
    }

    private void letAlphaBeGone() {
        for (int beat = 0; beat < BEATS_OF_A_LEASE; beat++) {
            time.advance(BEAT);
            watch(beta).beat();
        }
    }

    @Test
    void newServiceGoesWhereTheMostMemoryIsFree() {
        assertThat(open(null)).containsExactly("alpha", "beta");
        for (int made = 0; made < 7; made++) {
            serviceOn(alpha);
        }
        assertThat(open(null)).containsExactly("beta", "alpha");
    }

    @Test
    void hostThatIsGoneOrDrainedTakesNoNewService() {
        letAlphaBeGone();
        assertThat(open(null)).containsExactly("beta");
        store.change(tables -> tables.of(Host.KIND).overwrite(row(beta).drained(true)));
        assertThatExceptionOfType(Refused.class).isThrownBy(() -> open(null)).withMessageContaining("No host takes");
        watch(beta).beat();
        assertThat(row(beta).draining()).as("after the next beat").isTrue();
    }

    @Test
    void serviceThatBeginsWithABackupGoesWhereThatIsAndNowhereElse() {
        Service old = serviceOn(beta);
        store.change(tables -> {
            tables.tasks().wake(Tasks.Kind.BACKUP, old.id(), Tasks.Urgency.ROUTINE, time.now());
            tables.tasks().place(Tasks.Kind.BACKUP, old.id(), beta.id());
        });
        BackupOrigin origin = new BackupOrigin(old.id(), UUID.randomUUID());
        assertThat(open(origin)).containsExactly("beta");
        time.advance(BEAT.multipliedBy(BEATS_OF_A_LEASE));
        watch(alpha).beat();
        assertThatExceptionOfType(Refused.class)
                .isThrownBy(() -> open(origin))
                .withMessageContaining("on the host beta, which is gone since");
    }

    @Test
    void servicesOfAHostThatIsGoneSaySoAndAreLookedAtWhenItIsBack() {
        Service there = serviceOn(alpha);
        Service here = serviceOn(beta);
        watch(beta).look();
        assertThat(row(there).seen().trouble()).as("while it is there").isNull();
        letAlphaBeGone();
        watch(beta).look();
        assertThat(row(there).seen().trouble()).startsWith("Its host alpha is gone since ");
        assertThat(row(here).seen().trouble()).isNull();
        long version = row(there).version();
        watch(beta).look();
        assertThat(row(there).version()).as("what says so already").isEqualTo(version);

        long wakes = dueSince(there);
        watch(alpha).beat();
        assertThat(row(alpha).missed()).isFalse();
        assertThat(dueSince(there)).as("how often it was woken").isGreaterThan(wakes);
        watch(beta).look();
        assertThat(row(there).version()).as("once it is back").isEqualTo(version);
    }

    private long dueSince(Service service) {
        return store.write(tables -> {
            // Claims of this store are of tasks that any process may do, so it is put among them for a moment.
            tables.tasks().endLeases(time.now(), time.now().plusSeconds(60));
            long wakes = tables.tasks().claim("test", time.now(), time.now().plusSeconds(1), 10).stream()
                    .filter(claim -> claim.subjectId().equals(service.id()))
                    .mapToLong(Tasks.Claim::wakes)
                    .sum();
            tables.tasks().place(Tasks.Kind.SERVICE, service.id(), service.hostId());
            return wakes;
        });
    }

    @Test
    void changeOfAServiceWhoseHostIsGoneSaysSoAgainAtTheNextLookOfAHalfMinute() {
        Service there = serviceOn(alpha);
        letAlphaBeGone();
        HostWatch beta = watch(this.beta);
        beta.look();
        beta.look();
        store.change(tables -> tables.of(Service.KIND)
                .overwrite(row(there).withSeen(row(there).seen().withTrouble(null))));
        beta.look();
        assertThat(row(there).seen().trouble()).as("at the next beat").isNull();
        time.advance(Duration.ofSeconds(30));
        beta.look();
        assertThat(row(there).seen().trouble()).startsWith("Its host alpha is gone");
    }

    private HostOperations operations() {
        return new HostOperations(store, time, () -> woken++);
    }

    @Test
    void drainedHostGetsNoNewServiceUntilItIsUndrained() {
        assertThat(operations().drain(alpha.id(), true).host().draining()).isTrue();
        assertThat(open(null)).containsExactly("beta");
        operations().drain(alpha.id(), false);
        assertThat(open(null)).containsExactly("alpha", "beta");
        assertThatExceptionOfType(Refused.class)
                .isThrownBy(() -> operations().drain(UUID.randomUUID(), true))
                .withMessage("Host not found");
    }

    @Test
    void hostIsRemovedOnceItIsGoneAndHasNoServices() {
        Service there = serviceOn(alpha);
        refusesToRemove(false, "The host alpha is there: stop its program first");
        refusesToRemove(true, "The host alpha is there: stop its program first");
        letAlphaBeGone();
        refusesToRemove(false, "The host alpha still has services (1). Start it again");
        store.change(tables -> {
            tables.tasks().place(Tasks.Kind.SERVICE, there.id(), beta.id());
        });
        assertThat(operations().remove(alpha.id(), false).services()).isZero();
        assertThat(operations().list())
                .extracting(counted -> counted.host().name())
                .containsExactly("beta");
    }

    private void refusesToRemove(boolean givenUp, String why) {
        assertThatExceptionOfType(Refused.class)
                .isThrownBy(() -> operations().remove(alpha.id(), givenUp))
                .withMessageStartingWith(why);
        assertThat(operations().list()).hasSize(2);
    }

    @Test
    void servicesOfAHostThatIsGivenUpGoToTheOthersAndAreLookedAt() {
        List<Service> there =
                IntStream.range(0, 101).mapToObj(_ -> serviceOn(alpha)).toList();
        store.change(tables -> {
            tables.tasks().wake(Tasks.Kind.BACKUP, there.getFirst().id(), Tasks.Urgency.ROUTINE, time.now());
            tables.tasks().place(Tasks.Kind.BACKUP, there.getFirst().id(), alpha.id());
        });
        letAlphaBeGone();
        assertThat(operations().remove(alpha.id(), true).services()).isEqualTo(there.size());
        assertThat(there).allSatisfy(service -> {
            assertThat(row(service).hostId()).isEqualTo(beta.id());
            assertThat(hostOfTask(service)).contains(beta.id());
        });
        assertThat(open(new BackupOrigin(there.getFirst().id(), UUID.randomUUID())))
                .as("where its backups can be restored")
                .containsExactly("beta");
        assertThat(woken).isEqualTo(2);
        watch(alpha).beat();
        assertThat(operations().list()).as("once it is started again").hasSize(2);
        assertThat(row(there.getFirst()).hostId()).isEqualTo(beta.id());
    }

    @Test
    void hostIsNotGivenUpWhereNoOtherIsThere() {
        serviceOn(alpha);
        letAlphaBeGone();
        operations().drain(beta.id(), true);
        refusesToRemove(true, "No host takes a new service now");
    }

    @Test
    void serviceFromBeforeThereWereHostsIsWhereItsDataIs() {
        Service made = serviceOn(null);
        Seen ran = new Seen(Condition.RUNNING, true, null, null, time.now());
        store.change(tables -> tables.of(Service.KIND).overwrite(made.withSeen(ran)));
        Service elsewhere = serviceOn(beta);
        assertThat(begun(alpha, Set.of())).isEmpty();
        assertThat(begun(alpha, Set.of(made.id()))).containsExactly(made.id());
        assertThat(row(made).hostId()).isEqualTo(alpha.id());
        assertThat(hostOfTask(made)).contains(alpha.id());
        assertThat(hostOfTask(elsewhere)).contains(beta.id());
    }

    @Test
    void processThatIsAloneHasEveryServiceAndTheNextHostsHaveTheirs() {
        Service there = serviceOn(beta);
        store.change(tables -> tables.tasks().endLeases(time.now(), time.now()));
        assertThat(hostOfTask(there)).isEmpty();
        assertThat(begun(alpha, Set.of())).isEmpty();
        assertThat(hostOfTask(there)).as("by the row of the service").contains(beta.id());
        OwnServices alone = new OwnServices(store, time, Optional.empty(), _ -> false);
        alone.begin(service -> assertThat(service.hostId()).isNull());
        assertThat(row(there).hostId()).isNull();
    }

    private List<UUID> begun(Host host, Set<UUID> present) {
        List<UUID> own = new ArrayList<>();
        new OwnServices(store, time, Optional.of(host), present::contains).begin(service -> own.add(service.id()));
        return own;
    }

    private Optional<UUID> hostOfTask(Service service) {
        return store.read(tables -> tables.tasks().findHost(Tasks.Kind.SERVICE, service.id()));
    }

    @Test
    void idOfTheDataFolderStaysTheSame() {
        assertThat(HostFile.idOf(folder)).isEqualTo(HostFile.idOf(folder));
    }
}
