package io.pilothouse.server.activity;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.activity.Refusal;
import io.pilothouse.core.activity.Refusal.Cause;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.RowIds;
import io.pilothouse.core.key.AlertsToken;
import io.pilothouse.core.key.ApiKey;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.core.right.AssignedRoles;
import io.pilothouse.core.right.Client;
import io.pilothouse.http.wire.RequestRecord;
import io.pilothouse.store.SqliteStore;
import io.pilothouse.store.StoreMetrics;
import io.pilothouse.testkit.SimTime;
import io.pilothouse.testkit.WatchedStore;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ActivityKeeperTest {
    private static final UUID ORGANIZATION = new UUID(1, 1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Client CLIENT = Client.of(InetAddress.ofLiteral("192.0.2.1"), "curl/8");

    private final SimTime time = new SimTime();
    private final AtomicBoolean down = new AtomicBoolean();
    private Store store;
    private ApiKey key;
    private ActivityKeeper keeper;

    @BeforeEach
    void open(@TempDir Path folder) {
        store = new WatchedStore(
                SqliteStore.open(folder, Thread.ofPlatform().daemon().factory(), StoreMetrics.NONE), moment -> {
                    if (down.get()) {
                        throw new StoreUnavailable("The disk is gone", new IllegalStateException());
                    }
                });
        key = key();
        keeper = new ActivityKeeper(store, time, Optional.of(Duration.ofDays(30)));
    }

    @AfterEach
    void close() {
        keeper.close();
        store.close();
    }

    private ApiKey key() {
        ApiKey made = new ApiKey(
                Head.of(RowIds.at(time.now()), ORGANIZATION, time.now()),
                "CI",
                true,
                AssignedRoles.NONE,
                "wxyz",
                UUID.randomUUID().toString(),
                "",
                null,
                null,
                List.of());
        return store.write(tables -> tables.of(ApiKey.KIND).insert(made));
    }

    private static Client at(String address) {
        return Client.of(InetAddress.ofLiteral(address), null);
    }

    private void refuse(UUID keyId, String operationId) {
        keeper.observe(new RequestRecord(UUID.randomUUID(), operationId, null, keyId, CLIENT, 403, 1, 1));
    }

    private List<Activity> lines() {
        return store.read(tables -> tables.of(Activity.KIND).page(ORGANIZATION, null, 1_000));
    }

    private static Refusal refusal(Activity line) {
        return Objects.requireNonNull(line.refusal());
    }

    private List<Activity> linesAfterAMinute() {
        time.advance(MINUTE);
        keeper.turn();
        return lines();
    }

    @Test
    void failedLoginsOfAMinuteShareALine() {
        Instant first = time.now();
        keeper.failed(key, Cause.WRONG_SECRET, CLIENT);
        time.advance(MINUTE.minusNanos(1));
        keeper.failed(key, Cause.WRONG_SECRET, at("192.0.2.1"));
        keeper.turn();
        assertThat(lines()).isEmpty();
        time.advance(Duration.ofNanos(1));
        keeper.turn();
        Activity line = lines().getFirst();
        assertThat(lines()).hasSize(1);
        assertThat(line.type()).isEqualTo("user_login_failed");
        assertThat(line.actorType()).isEqualTo("api");
        assertThat(line.actorId()).isEqualTo(key.id());
        assertThat(line.actorDetails()).isEqualTo("CI");
        assertThat(line.createdAt()).isEqualTo(time.now());
        assertThat(line.client()).isEqualTo(CLIENT);
        assertThat(line.refusal()).isEqualTo(new Refusal(Cause.WRONG_SECRET, null, 2, first));
        assertThat(linesAfterAMinute()).hasSize(1);
    }

    @Test
    void whatDiffersHasALineOfItsOwn() {
        keeper.failed(key, Cause.WRONG_SECRET, CLIENT);
        keeper.failed(key, Cause.EXPIRED, CLIENT);
        keeper.failed(key(), Cause.EXPIRED, CLIENT);
        keeper.failed(key, Cause.EXPIRED, at("192.0.2.2"));
        keeper.failed(key, Cause.EXPIRED, at("2001:db8::1"));
        keeper.failed(key, Cause.EXPIRED, at("2001:db8::2"));
        assertThat(linesAfterAMinute())
                .extracting(line -> refusal(line).attempts())
                .containsExactlyInAnyOrder(1L, 1L, 1L, 1L, 2L);
    }

    @Test
    void aRefusalByRightNamesItsOperationAndItsRequest() {
        refuse(key.id(), "instanceDelete");
        refuse(key.id(), "instanceDelete");
        refuse(key.id(), "instanceUpdate");
        keeper.observe(new RequestRecord(UUID.randomUUID(), "instanceGet", null, key.id(), CLIENT, 404, 1, 1));
        keeper.observe(new RequestRecord(UUID.randomUUID(), "instanceGet", null, null, CLIENT, 403, 1, 1));
        List<Activity> lines = linesAfterAMinute();
        assertThat(lines).hasSize(2).allSatisfy(line -> {
            assertThat(line.type()).isEqualTo("operation_refused");
            assertThat(line.requestId()).isNotNull();
            assertThat(refusal(line).cause()).isEqualTo(Cause.NO_RIGHT);
        });
        assertThat(lines)
                .extracting(line ->
                        refusal(line).operationId() + " " + refusal(line).attempts())
                .containsExactlyInAnyOrder("instanceDelete 2", "instanceUpdate 1");
    }

    @Test
    void aTokenOfTheAlertsInterfaceIsNamedToo() {
        AlertsToken token = store.write(tables -> tables.of(AlertsToken.KIND)
                .insert(new AlertsToken(
                        Head.of(RowIds.at(time.now()), ORGANIZATION, time.now()), "Pager", "wxyz", "hash", null)));
        refuse(token.id(), "alertsDelete");
        assertThat(linesAfterAMinute()).extracting(Activity::actorDetails).containsExactly("Pager");
    }

    @Test
    void theLinesOfOneKeyAreFewWhateverItTries() {
        for (int address = 1; address <= 250; address++) {
            keeper.failed(key, Cause.WRONG_SECRET, at("192.0.2." + address));
        }
        refuse(key().id(), "instanceDelete");
        List<Activity> lines = linesAfterAMinute();
        assertThat(lines).hasSize(22);
        assertThat(lines.stream().filter(line -> line.client() == null))
                .extracting(line -> refusal(line).attempts())
                .containsExactly(230L);
        keeper.failed(key, Cause.WRONG_SECRET, CLIENT);
        assertThat(linesAfterAMinute()).hasSize(23);
    }

    @Test
    void theLinesOfAllKeysHaveAMost() {
        for (int count = 0; count < 1_100; count++) {
            refuse(new UUID(2, count), "instanceDelete");
        }
        refuse(key.id(), "instanceDelete");
        assertThat(linesAfterAMinute()).isEmpty();
        refuse(key.id(), "instanceDelete");
        assertThat(linesAfterAMinute()).hasSize(1);
    }

    @Test
    void linesWaitForAStoreThatCannotBeReached() {
        refuse(key.id(), "instanceDelete");
        down.set(true);
        assertThat(linesWhileDown()).isZero();
        refuse(key.id(), "instanceDelete");
        down.set(false);
        assertThat(linesAfterAMinute())
                .extracting(line -> refusal(line).attempts())
                .containsExactly(2L);
    }

    private int linesWhileDown() {
        time.advance(MINUTE);
        keeper.turn();
        down.set(false);
        int lines = lines().size();
        down.set(true);
        return lines;
    }

    @Test
    void anEndWritesWhatWasCounted() {
        refuse(key.id(), "instanceDelete");
        keeper.close();
        assertThat(lines()).hasSize(1);
    }

    @Test
    void theLineThatShowsThatAStoreIsNotEmptyStays() {
        Head head = Head.of(Activity.BEGINNING, ORGANIZATION, time.now());
        store.change(
                tables -> tables.of(Activity.KIND).insert(Activity.bySystem(head, "create_organization", null, null)));
        time.advance(Duration.ofDays(4_000));
        keeper.turn();
        assertThat(lines()).extracting(Activity::id).containsExactly(Activity.BEGINNING);
    }

    @Test
    void oldLinesGoAndNewerOnesStay() {
        store.change(tables -> {
            for (int day = 0; day < 40; day++) {
                Instant then = time.now().plus(Duration.ofDays(day));
                tables.of(Activity.KIND)
                        .insert(Activity.bySystem(
                                Head.of(RowIds.at(then), ORGANIZATION, then), "service_running", null, null));
            }
        });
        Instant first = time.now();
        time.advance(Duration.ofDays(35));
        ActivityKeeper forEver = new ActivityKeeper(store, time, Optional.empty());
        forEver.turn();
        assertThat(lines()).hasSize(40);
        keeper.turn();
        assertThat(lines()).hasSize(35);
        assertThat(lines().getFirst().createdAt()).isEqualTo(first.plus(Duration.ofDays(5)));
        keeper.turn();
        assertThat(lines()).hasSize(35);
    }
}
