package io.pilothouse.gateway.door;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.Seen;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.Wish;
import io.pilothouse.gateway.GatewayProtocol;
import io.pilothouse.gateway.GatewayReach;
import io.pilothouse.testkit.ServiceSample;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class DoorTest {
    private static final Duration MAX_WAIT = Duration.ofSeconds(60);
    private static final GatewayReach ASLEEP = new GatewayReach.Asleep();

    private final Service row = ServiceSample.wanted(UUID.randomUUID(), UUID.randomUUID(), Instant.EPOCH);
    private final SwitchedDatabases databases = new SwitchedDatabases();
    private final SwitchedRest rest = new SwitchedRest();

    private Door door(Service service) {
        rest.rows.put(service.id(), service);
        return new Door(service, databases, rest, Duration.ZERO);
    }

    @Test
    void wishOfTheRowCountsBeforeTheDatabase() {
        databases.are(SwitchedDatabases.RUNNING);
        assertThat(door(row).reach(GatewayProtocol.HTTPS)).isEqualTo(SwitchedDatabases.RUNNING);
        assertThat(door(wanting(Wish.SLEEP)).reach(GatewayProtocol.HTTPS)).isEqualTo(ASLEEP);
        assertThat(door(wanting(Wish.STOP)).reach(GatewayProtocol.HTTPS))
                .isEqualTo(new GatewayReach.Unavailable("The service is stopped."));
        assertThat(door(wanting(Wish.DELETE)).reach(GatewayProtocol.HTTPS))
                .isEqualTo(new GatewayReach.Unavailable("The service is being deleted."));
    }

    private Service wanting(Wish wish) {
        return row.withWish(wish, Instant.EPOCH);
    }

    @Test
    void protocolThatNoDatabaseSpeaksWakesNobody() {
        GatewayReach never = new GatewayReach.Unsupported("Not here.");
        databases.are(never);
        assertThat(door(wanting(Wish.SLEEP)).reach(GatewayProtocol.MYSQL)).isEqualTo(never);
    }

    @Test
    void clientOfAServiceThatCannotBeRestoredSoonLearnsWhereToLook() throws InterruptedException {
        Door door = door(row.withSeen(
                new Seen(Condition.STARTING, false, null, "The backup cannot be restored", Instant.EPOCH)));
        assertBroken(door);
    }

    @Test
    void clientOfADatabaseThatCannotRunSoonLearnsWhereToLook() throws InterruptedException {
        databases.are(new GatewayReach.Unavailable("Its disk is gone."));
        assertBroken(door(wanting(Wish.SLEEP)));
    }

    private static void assertBroken(Door door) throws InterruptedException {
        assertThat(door.awaken(GatewayProtocol.HTTPS, MAX_WAIT))
                .isEqualTo(
                        new GatewayReach.Unavailable("The database cannot be started; its service's state says more."));
    }

    @Test
    void clientOfADatabaseThatWaitsForItsTurnLearnsWhatItWaitsFor() throws InterruptedException {
        GatewayReach behind = new GatewayReach.Asleep("It waits for another database.");
        databases.are(behind);
        assertThat(door(wanting(Wish.SLEEP)).awaken(GatewayProtocol.HTTPS, Duration.ZERO))
                .isEqualTo(behind);
    }

    @Test
    void databaseThatCannotBeLookedAtIsWaitedFor() throws InterruptedException {
        databases.cannotBeLookedAt("The disk is slow.");
        assertThat(door(wanting(Wish.SLEEP)).awaken(GatewayProtocol.HTTPS, Duration.ZERO))
                .isEqualTo(ASLEEP);
    }
}
