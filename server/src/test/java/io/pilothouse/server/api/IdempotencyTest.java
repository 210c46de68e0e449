package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiCaller;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** A write that is sent again does no harm. */
class IdempotencyTest {
    private static final String HEADER = "Idempotency-Key";

    @RegisterExtension
    static final House house = House.start();

    private final Tenant tenant = house.tenant();
    private final String key = UUID.randomUUID().toString();
    private final ApiCaller retrying = tenant.admin().with(HEADER, key);

    private int services() {
        return tenant.admin().get(tenant.services()).ok().size();
    }

    private static void requireReplay(ApiAnswer again, ApiAnswer first) {
        assertThat(again.status()).isEqualTo(first.status());
        assertThat(again.text()).isEqualTo(first.text());
        assertThat(again.header("warning")).isEqualTo(first.header("warning"));
    }

    @Test
    void theSameRequestAgainIsTheSameAnswerAgain() {
        ApiAnswer first = retrying.post(tenant.services(), "{'name': 'Once', 'privateEndpointIds': ['x']}");
        first.ok();
        for (int i = 0; i < 3; i++) {
            requireReplay(retrying.post(tenant.services(), "{'name': 'Once', 'privateEndpointIds': ['x']}"), first);
        }
        assertThat(services()).isEqualTo(1);
    }

    @Test
    void theAnswerStaysWhatItWasThoughTheThingChanges() {
        ApiAnswer first = retrying.post(tenant.services(), "{'name': 'Once'}");
        JsonNode service = first.ok().path("service");
        tenant.update(service, "{'name': 'Twice'}").ok();
        house.settle();
        requireReplay(retrying.post(tenant.services(), "{'name': 'Once'}"), first);
    }

    @Test
    void everyCreationCanBeSentAgain() {
        JsonNode service = tenant.made("{}");
        ApiAnswer made = retrying.post(tenant.keys(), "{'name': 'K'}");
        requireReplay(retrying.post(tenant.keys(), "{'name': 'K'}"), made);
        assertThat(made.ok().path("keySecret").asString()).hasSize(48);
        assertThat(tenant.admin().get(tenant.keys()).ok()).hasSize(2);
        String endpoint = tenant.service(service) + "/privateEndpoint";
        ApiCaller other = tenant.admin().with(HEADER, UUID.randomUUID().toString());
        requireReplay(other.post(endpoint, "{'id': 'vpce-1'}"), other.post(endpoint, "{'id': 'vpce-1'}"));
        ApiCaller operator = house.root().with(HEADER, key);
        requireReplay(
                operator.post("/v1/organizations", "{'name': 'O'}"),
                operator.post("/v1/organizations", "{'name': 'O'}"));
    }

    @Test
    void anotherRequestUnderTheSameKeyIsRefused() {
        ApiAnswer first = retrying.post(tenant.services(), "{'name': 'Once'}");
        first.ok();
        retrying.post(tenant.services(), "{'name': 'Other'}").refused(422, "UNPROCESSABLE");
        retrying.post(tenant.services(), "{'name':'Once'}").refused(422, "UNPROCESSABLE");
        retrying.post(tenant.services() + "?x=1", "{'name': 'Once'}").refused(422, "UNPROCESSABLE");
        retrying.post(tenant.keys(), "{'name': 'Once'}").refused(422, "UNPROCESSABLE");
        requireReplay(retrying.post(tenant.services(), "{'name': 'Once'}"), first);
        assertThat(services()).isEqualTo(1);
    }

    @Test
    void aRefusedRequestMayBeMendedUnderTheSameKey() {
        retrying.post(tenant.services(), "{'name': ''}").faultsAt("name");
        retrying.post(tenant.services(), "{'name': 'Mended'}").ok();
        assertThat(services()).isEqualTo(1);
    }

    @Test
    void theKeyOfOneCallerIsNothingToAnother() {
        ApiAnswer first = retrying.post(tenant.services(), "{'name': 'Once'}");
        ApiAnswer other = tenant.as("admin").with(HEADER, key).post(tenant.services(), "{'name': 'Once'}");
        assertThat(other.ok().path("service").path("id"))
                .isNotEqualTo(first.ok().path("service").path("id"));
        house.tenant().admin().with(HEADER, key).get("/v1/organizations").ok();
        assertThat(services()).isEqualTo(2);
    }

    @Test
    void anAnswerIsKeptForADay() {
        ApiAnswer first = retrying.post(tenant.keys(), "{'name': 'Once'}");
        house.advance(Duration.ofHours(24).minusSeconds(1));
        requireReplay(retrying.post(tenant.keys(), "{'name': 'Once'}"), first);
        house.advance(Duration.ofSeconds(2));
        ApiAnswer again = retrying.post(tenant.keys(), "{'name': 'Once'}");
        assertThat(again.ok().path("keyId")).isNotEqualTo(first.ok().path("keyId"));
        requireReplay(retrying.post(tenant.keys(), "{'name': 'Once'}"), again);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "two words", "tab\there"})
    void aKeyIsVisibleText(String wrong) {
        tenant.admin().with(HEADER, wrong).post(tenant.services(), "{}").faultsAt(HEADER);
    }

    @Test
    void aKeyEndsAt255Characters() {
        tenant.admin()
                .with(HEADER, "k".repeat(255))
                .post(tenant.services(), "{}")
                .ok();
        tenant.admin()
                .with(HEADER, "k".repeat(256))
                .post(tenant.services(), "{}")
                .faultsAt(HEADER);
        tenant.admin()
                .with(HEADER, "a")
                .with(HEADER, "b")
                .post(tenant.services(), "{}")
                .faultsAt(HEADER);
    }

    @Test
    void aKeptPasswordIsSealed() throws IOException {
        ApiAnswer first = retrying.post(tenant.services(), "{'name': 'Sealed'}");
        String password = first.ok().path("password").asString();
        requireReplay(retrying.post(tenant.services(), "{'name': 'Sealed'}"), first);
        String stored = ServiceShapeTest.everythingStored(house.folder());
        assertThat(stored.contains(password)).as("the password is in the store").isFalse();
        assertThat(stored.contains(key)).as("the answer is kept there").isTrue();
    }

    @Test
    void ofManyAtOnceOneIsDoneAndTheOthersAreItsReplays() throws InterruptedException, ExecutionException {
        ApiCaller crowd = retrying.inACrowd();
        List<Future<ApiAnswer>> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 32; i++) {
                answers.add(threads.submit(() -> crowd.post(tenant.services(), "{'name': 'Once'}")));
            }
        }
        List<ApiAnswer> done = new ArrayList<>();
        for (Future<ApiAnswer> answer : answers) {
            // One that meets the first while it runs may be refused for it.
            if (answer.get().status() != 409) {
                done.add(answer.get());
            }
        }
        Set<String> bodies = done.stream().map(ApiAnswer::text).collect(Collectors.toSet());
        assertThat(bodies).hasSize(1);
        assertThat(done.getFirst().status()).isEqualTo(200);
        assertThat(services()).isEqualTo(1);
    }

    @Test
    void aPatchIsRepeatableByItsNature() {
        JsonNode service = tenant.made("{}");
        String body = "{'name': 'Again', 'ipAccessList': {'remove': [{'source': '::1'}], 'add': [{'source': '::1'}]}}";
        JsonNode first = retrying.patch(tenant.service(service), body).ok();
        assertThat(retrying.patch(tenant.service(service), body).ok()).isEqualTo(first);
    }
}
