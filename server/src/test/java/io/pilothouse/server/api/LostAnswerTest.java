package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiCaller;
import io.pilothouse.testkit.api.ApiRaw;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** A creation whose answer is lost leaves no service that nobody knows: its repetition is given that answer. */
class LostAnswerTest {
    private static final String BODY = "{\"name\":\"Only one\"}";

    @RegisterExtension
    static final House house = House.start();

    private final Tenant tenant = house.tenant();
    private final JsonNode key = tenant.newKey("admin");
    private final ApiCaller maker = tenant.with(key);

    /** Creates a service, and cuts the connection between the commit and the answer. */
    private void createAndLose() {
        lose("POST " + tenant.services(), BODY);
    }

    private void lose(String methodAndPath, String body) {
        String pair = key.path("keyId").asString() + ":" + key.path("keySecret").asString();
        String credentials = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
        long before = house.ledger().total();
        try (ApiRaw connection = house.raw()) {
            house.afterNextCommit(connection::reset);
            connection.send(methodAndPath + " HTTP/1.1\r\nHost: test\r\nAuthorization: Basic " + credentials
                    + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
            assertThat(house.ledger().awaitTotal(before + 1)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private int services() {
        return tenant.admin().get(tenant.services()).ok().size();
    }

    private ApiAnswer again() {
        return maker.post(tenant.services(), BODY);
    }

    private static boolean replayed(ApiAnswer answer) {
        return answer.header("idempotency-replayed") != null;
    }

    @Test
    void aRepetitionIsGivenTheServiceThatIsThereWithItsPassword() {
        createAndLose();
        JsonNode made = tenant.admin().get(tenant.services()).ok().get(0);
        ApiAnswer again = again();
        assertThat(again.ok().path("service").path("id")).isEqualTo(made.path("id"));
        assertThat(again.ok().path("password").asString()).hasSizeGreaterThanOrEqualTo(20);
        assertThat(again.header("cache-control")).isEqualTo("no-store");
        assertThat(replayed(again)).isTrue();
        assertThat(services()).isEqualTo(1);
    }

    @Test
    void oneThatWasDeliveredIsGivenToNobodyAgain() {
        createAndLose();
        assertThat(replayed(again())).isTrue();
        assertThat(replayed(again())).isFalse();
        assertThat(services()).isEqualTo(2);
    }

    @Test
    void twoEqualCreationsMakeTwoServices() {
        assertThat(replayed(again())).isFalse();
        assertThat(replayed(again())).isFalse();
        assertThat(services()).isEqualTo(2);
    }

    @Test
    void onlyTheSameKeyAndTheSameBodyAreARepetition() {
        createAndLose();
        assertThat(replayed(maker.post(tenant.services(), "{\"name\":\"Another\"}")))
                .isFalse();
        assertThat(replayed(tenant.admin().post(tenant.services(), BODY))).isFalse();
        assertThat(services()).isEqualTo(3);
        assertThat(replayed(again())).isTrue();
    }

    @Test
    void aLostAnswerWaitsTenMinutes() {
        createAndLose();
        house.advance(Duration.ofMinutes(10));
        house.settle();
        assertThat(replayed(again())).isFalse();
        createAndLose();
        house.settle();
        house.advance(Duration.ofMinutes(9));
        assertThat(replayed(again())).isTrue();
    }

    @Test
    void aServiceThatWasDeletedSinceIsNotGivenOut() {
        createAndLose();
        tenant.delete(tenant.admin().get(tenant.services()).ok().get(0)).ok();
        ApiAnswer next = again();
        assertThat(replayed(next)).isFalse();
        assertThat(next.ok().path("service").path("state").asString()).isEqualTo("provisioning");
    }

    @Test
    void theKeptPasswordIsSealed() throws IOException {
        createAndLose();
        String stored = ServiceShapeTest.everythingStored(house.folder());
        String password = again().ok().path("password").asString();
        assertThat(stored.contains(password)).as("the password is in the store").isFalse();
        assertThat(stored.contains("lost ")).as("the answer is kept there").isTrue();
    }

    @Test
    void aChangeWhoseAnswerIsLostIsSimplyDoneAgain() {
        JsonNode service = tenant.made("{}");
        lose("PATCH " + tenant.service(service), "{\"ipAccessList\":{\"add\":[{\"source\":\"::1\"}]}}");
        assertThat(tenant.get(service).path("ipAccessList")).hasSize(1);
    }
}
