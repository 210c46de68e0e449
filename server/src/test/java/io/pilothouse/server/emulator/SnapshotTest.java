package io.pilothouse.server.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.server.emulator.EmulatorHouse.Tenant;
import io.pilothouse.testkit.api.ApiCaller;
import io.pilothouse.testkit.api.ApiCredentials;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** Snapshots: an organization, or the whole server, goes back to what it was, or is copied. */
class SnapshotTest {
    @RegisterExtension
    static final EmulatorHouse house = EmulatorHouse.start();

    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16,}");

    private static final Set<String> NEW =
            Set.of("requestId", "keySuffix", "tokenSuffix", "usedAt", "lastUsedAt", "actorDetails");

    private final SnapshotGround ground = new SnapshotGround(house);

    private static String snapshot(String name) {
        return "/_pilothouse/snapshots/" + name;
    }

    private static JsonNode take(String name, Tenant tenant) {
        return house.controls()
                .post(snapshot(name), "{'organizationId': '" + tenant.id() + "'}")
                .ok();
    }

    private static JsonNode goBack(String name) {
        return house.controls().post(snapshot(name) + "/return", "{}").ok();
    }

    private static List<String> states(Tenant tenant) {
        return house.as(tenant.admin())
                .get(tenant.path("/services"))
                .ok()
                .valueStream()
                .map(each ->
                        each.path("name").asString() + " " + each.path("state").asString())
                .toList();
    }

    @Test
    void anOrganizationWithOneOfEachGoesBackToWhatItWas() throws IOException, InterruptedException {
        Tenant tenant = house.tenant();
        Tenant neighbour = house.tenant();
        ground.service(neighbour, "Untouched");
        String token = ground.furnish(tenant);
        Map<String, JsonNode> before = ground.shown(tenant, token);
        JsonNode taken = take("each", tenant);
        assertThat(taken.path("services").asInt()).isEqualTo(2);
        assertThat(taken.path("organizationId").asString()).isEqualTo(tenant.id());

        ApiCaller admin = house.as(tenant.admin());
        JsonNode services = the(before, "organization/services");
        String first = tenant.path("/services/" + services.at("/0/id").asString());
        String second = tenant.path("/services/" + services.at("/1/id").asString());
        admin.patch(tenant.path(""), "{'name': 'Another name'}").ok();
        admin.patch(second + "/state", "{'command': 'stop'}").ok();
        admin.delete(first + "/clickpipes/"
                        + the(before, "Events/clickpipes").at("/0/id").asString())
                .ok();
        admin.delete(first + "/upgradeWindow").ok();
        JsonNode made = admin.post(tenant.path("/keys"), "{'name': 'Later', 'roles': ['admin']}")
                .ok();
        ground.settle();
        admin.delete(second).ok();
        String later = ground.service(tenant, "Later");
        ground.settle();
        assertThat(ground.shown(tenant, token)).isNotEqualTo(before);

        assertThat(goBack("each").path("milliseconds").asDouble()).isPositive();
        Map<String, JsonNode> after = ground.shown(tenant, token);
        after.forEach((what, shown) -> assertThat(shown).as(what).isEqualTo(the(before, what)));
        assertThat(after.keySet()).isEqualTo(before.keySet());
        assertThat(house.as(ApiCredentials.basic(
                                made.path("keyId").asString(),
                                made.path("keySecret").asString()))
                        .get(tenant.path(""))
                        .status())
                .isEqualTo(401);
        assertThat(admin.get(tenant.path("/services/" + later)).status()).isEqualTo(404);
        assertThat(states(neighbour)).containsExactly("Untouched running");

        ground.settle();
        assertThat(states(tenant)).containsExactly("Events running", "Second running");
        // Nothing that the plane was doing before reached what was put back: no service started or stopped for it.
        assertThat(ground.shown(tenant, token).get("organization/activities"))
                .isEqualTo(the(before, "organization/activities"));
    }

    @Test
    void whatThePlaneWasDoingIsForgotten() throws InterruptedException {
        Tenant tenant = house.tenant();
        String id = ground.service(tenant, "Busy");
        ApiCaller admin = house.as(tenant.admin());
        String state = tenant.path("/services/" + id + "/state");
        ground.turn();
        take("starting", tenant);
        ground.settle();
        take("running", tenant);
        admin.patch(state, "{'command': 'stop'}").ok();
        ground.turn();
        assertThat(states(tenant)).containsExactly("Busy stopping");
        goBack("running");
        ground.turn();
        assertThat(states(tenant)).containsExactly("Busy running");
        ground.settle();
        assertThat(states(tenant)).containsExactly("Busy running");
        admin.patch(state, "{'command': 'stop'}").ok();
        ground.settle();
        take("stopped", tenant);
        goBack("starting");
        ground.settle();
        assertThat(states(tenant)).containsExactly("Busy running");
        goBack("stopped");
        assertThat(states(tenant)).containsExactly("Busy stopped");
        ground.settle();
        assertThat(states(tenant)).containsExactly("Busy stopped");
    }

    @Test
    void theTimelineOfAServiceGoesBackToo() throws InterruptedException {
        Tenant tenant = house.tenant();
        String service = tenant.path("/services/" + ground.service(tenant, "Remembered"));
        ground.settle();
        take("remembered", tenant);
        ApiCaller admin = house.as(tenant.admin());
        admin.patch(service + "/state", "{'command': 'stop'}").ok();
        ground.settle();
        assertThat(admin.get(service + "/timeline").ok().toString()).contains("stopped");
        String since = admin.get(service + "/timeline").ok().path("engineSince").asString();
        house.machine.advance(Duration.ofSeconds(1));
        goBack("remembered");
        JsonNode timeline = admin.get(service + "/timeline").ok();
        assertThat(timeline.toString()).contains("running").doesNotContain("stopped");
        assertThat(timeline.path("engineSince").asString()).isGreaterThan(since);
    }

    @Test
    void theWholeServerGoesBack() throws InterruptedException {
        Tenant stays = house.tenant();
        ground.service(stays, "Old");
        ground.settle();
        JsonNode taken = house.controls().post(snapshot("all"), "{}").ok();
        assertThat(taken.has("organizationId")).isFalse();
        Tenant goes = house.tenant();
        ground.service(goes, "Mayfly");
        ground.service(stays, "Later");
        ground.settle();
        goBack("all");
        assertThat(house.as(goes.admin()).get(goes.path("")).status()).isEqualTo(401);
        assertThat(states(stays)).containsExactly("Old running");
        assertThat(house.controls().get("/_pilothouse/organizations").ok().valueStream())
                .extracting(each -> each.path("id").asString())
                .contains(house.homeId(), stays.id())
                .doesNotContain(goes.id());
    }

    @Test
    void aForkLivesBesideItsOrigin() throws IOException, InterruptedException {
        Tenant origin = house.tenant();
        String token = ground.furnish(origin);
        Map<String, JsonNode> before = ground.shown(origin, token);
        take("fork", origin);
        JsonNode forked = house.controls()
                .post(snapshot("fork") + "/fork", "{'name': 'The other one'}")
                .ok();
        Tenant fork = tenant(forked, "Admin of Test organization");
        String forkToken = forked.at("/alertsTokens")
                .valueStream()
                .filter(each -> each.path("name").asString().equals("Pager"))
                .findFirst()
                .orElseThrow()
                .path("accessToken")
                .asString();
        Map<String, JsonNode> copy = ground.shown(fork, forkToken);
        assertThat(the(copy, "organization").path("name").asString()).isEqualTo("The other one");
        assertThat(copy.keySet()).isEqualTo(before.keySet());
        for (String what : before.keySet()) {
            assertThat(shape(the(copy, what))).as(what).isEqualTo(shape(the(before, what)));
        }
        assertThat(ids(copy)).as("ids that both have").noneMatch(ids(before)::contains);

        // What refers to something refers to that of the copy, and secrets open in their new place.
        ApiCaller admin = house.as(fork.admin());
        String service = fork.path(
                "/services/" + the(copy, "organization/services").at("/0/id").asString());
        List<String> keys = the(copy, "organization/keys")
                .valueStream()
                .map(each -> each.path("id").asString())
                .toList();
        assertThat(keys)
                .contains(the(copy, "Events/serviceQueryEndpoint")
                        .at("/openApiKeys/0")
                        .asString());
        admin.patch(
                        service + "/clickpipes/"
                                + the(copy, "Events/clickpipes").at("/0/id").asString(),
                        "{'name': 'Other orders'}")
                .ok();
        ground.alerts(
                forkToken,
                "PUT",
                "/api/v2/webhooks/"
                        + the(copy, "/api/v2/webhooks").at("/data/0/id").asString(),
                "{\"name\": \"On call\", \"service\": \"generic\", \"url\": \"https://hooks.example.org/other\"}");
        admin.patch(service + "/state", "{'command': 'stop'}").ok();
        ground.settle();
        admin.delete(service).ok();
        ground.settle();
        assertThat(states(fork)).containsExactly("Second running");
        assertThat(states(origin)).containsExactly("Events running", "Second running");
        assertThat(admin.get(origin.path("")).status()).isEqualTo(404);
    }

    private static Tenant tenant(JsonNode forked, String keyName) {
        JsonNode key = forked.path("keys")
                .valueStream()
                .filter(each -> each.path("name").asString().equals(keyName))
                .findFirst()
                .orElseThrow();
        return new Tenant(
                forked.at("/organization/id").asString(),
                ApiCredentials.basic(
                        key.path("keyId").asString(), key.path("keySecret").asString()));
    }

    /** Without what is new in a copy: ids, the ends of keys, when keys were used, and the order of what was made at once. */
    private static String shape(JsonNode shown) {
        if (shown.isArray()) {
            return shown.valueStream()
                    .map(SnapshotTest::shape)
                    .sorted()
                    .toList()
                    .toString();
        }
        if (shown.isObject()) {
            return shown.propertyStream()
                    .filter(each -> !NEW.contains(each.getKey()))
                    .map(each -> each.getKey() + ": " + shape(each.getValue()))
                    .sorted()
                    .toList()
                    .toString();
        }
        return ID.matcher(shown.asString()).replaceAll("an id").replace("The other one", "Test organization");
    }

    private static JsonNode the(Map<String, JsonNode> shown, String what) {
        return Objects.requireNonNull(shown.get(what));
    }

    private static Set<String> ids(Map<String, JsonNode> shown) {
        Set<String> ids = new HashSet<>();
        Set.of(
                        "organization",
                        "organization/services",
                        "organization/keys",
                        "Events/clickpipes",
                        "organization/activities")
                .forEach(what ->
                        the(shown, what).forEach(each -> ids.add(each.path("id").asString(what))));
        ids.removeAll(Set.of("organization"));
        return ids;
    }

    @Test
    void readersSeeAllOfItOrNothingWhileWritersWrite() throws InterruptedException {
        Tenant tenant = house.tenant();
        IntStream.range(0, 10).forEach(i -> ground.service(tenant, "Kept " + i));
        ground.settle();
        Set<String> kept = Set.copyOf(states(tenant));
        take("crowd", tenant);
        AtomicBoolean over = new AtomicBoolean();
        ApiCaller crowd = house.as(tenant.admin()).inACrowd();
        List<CompletableFuture<Void>> writers = IntStream.range(0, 4)
                .mapToObj(_ -> CompletableFuture.runAsync(() -> {
                    while (!over.get()) {
                        int status = crowd.post(
                                        tenant.path("/services"),
                                        "{'name': 'Made "
                                                + UUID.randomUUID().toString().substring(0, 8) + "'}")
                                .status();
                        assertThat(status).isEqualTo(200);
                    }
                }))
                .toList();
        CompletableFuture<Void> reader = CompletableFuture.runAsync(() -> {
            while (!over.get()) {
                Set<String> seen = crowd.get(tenant.path("/services"))
                        .ok()
                        .valueStream()
                        .map(each -> each.path("name").asString() + " "
                                + each.path("state").asString())
                        .filter(each -> each.startsWith("Kept"))
                        .collect(Collectors.toSet());
                assertThat(seen).isEqualTo(kept);
            }
        });
        for (int i = 0; i < 20; i++) {
            goBack("crowd");
        }
        over.set(true);
        writers.forEach(CompletableFuture::join);
        reader.join();
        goBack("crowd");
        ground.settle();
        assertThat(states(tenant)).containsExactlyInAnyOrderElementsOf(kept);
    }

    @Test
    void whatCannotBeDoneIsRefusedWithASentence() {
        Tenant tenant = house.tenant();
        take("once", tenant);
        ApiCaller controls = house.controls();
        assertThat(controls.post(snapshot("once"), "{}").status()).isEqualTo(409);
        assertThat(controls.post(snapshot(".."), "{}").status()).isIn(400, 404);
        assertThat(controls.post(snapshot(".hidden"), "{}").status()).isEqualTo(400);
        assertThat(controls.post(snapshot("%2e%2e%2fup"), "{}").status()).isEqualTo(400);
        assertThat(controls.post(snapshot("new"), "{'organizationId': 'me'}").status())
                .isEqualTo(400);
        assertThat(controls.post(snapshot("new"), "{'organizationId': '" + UUID.randomUUID() + "'}")
                        .status())
                .isEqualTo(404);
        assertThat(controls.get(snapshot("new")).status()).isEqualTo(404);
        assertThat(controls.post(snapshot("new") + "/return", "{}").status()).isEqualTo(404);
        assertThat(controls.post(snapshot("new") + "/fork", "{}").status()).isEqualTo(404);
        assertThat(controls.delete(snapshot("new")).status()).isEqualTo(404);
        assertThat(controls.post(snapshot("once") + "/fork", "{'organizationId': '" + house.homeId() + "'}")
                        .status())
                .isEqualTo(400);
        controls.post(snapshot("server"), "{}").ok();
        assertThat(controls.post(snapshot("server") + "/fork", "{}").status()).isEqualTo(400);
        assertThat(controls.post(snapshot("server") + "/fork", "{'organizationId': '" + tenant.id() + "'}")
                        .ok()
                        .path("keys")
                        .size())
                .isEqualTo(1);
        assertThat(controls.get("/_pilothouse/snapshots").ok().valueStream())
                .extracting(each -> each.path("name").asString())
                .contains("once", "server");
        controls.delete(snapshot("once")).ok();
        controls.delete(snapshot("server")).ok();
        assertThat(controls.get(snapshot("once")).status()).isEqualTo(404);
    }
}
