package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** The envelope, and a service as clients see it. */
class ServiceShapeTest {
    @RegisterExtension
    static final House house = House.start();

    private final Tenant tenant = house.tenant();

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.properties().forEach(member -> names.add(member.getKey()));
        return names;
    }

    @Test
    void everySuccessIsAnEnvelopeOfThreeAndADeletionHasNoResult() {
        ApiAnswer made = tenant.create("{}");
        assertThat(names(made.json())).containsExactly("status", "requestId", "result");
        assertThat(names(made.ok())).containsExactlyInAnyOrder("service", "password");
        JsonNode service = made.ok().path("service");
        for (ApiAnswer answer : List.of(
                tenant.admin().get(tenant.service(service)),
                tenant.admin().get(tenant.services()),
                tenant.update(service, "{}"),
                tenant.command(service, "start"))) {
            assertThat(names(answer.json())).containsExactly("status", "requestId", "result");
        }
        ApiAnswer deleted = tenant.delete(service);
        deleted.ok();
        assertThat(names(deleted.json())).containsExactly("status", "requestId");
    }

    @Test
    void aServiceIsReadAsItWasAnsweredWhenItWasMade() {
        JsonNode made = tenant.made("{'name': 'Read me', 'ipAccessList': [{'source': '::/0', 'description': ''}]}");
        assertThat(tenant.get(made)).isEqualTo(made);
        assertThat(tenant.admin().get(tenant.services()).ok().get(0)).isEqualTo(made);
        assertThat(tenant.update(made, "{}").ok()).isEqualTo(made);
    }

    @Test
    void theVersionIsThereFromTheCreationOn() {
        JsonNode service = tenant.made("{}");
        assertThat(service.path("dbVersion").asString()).isNotEmpty();
        assertThat(service.path("clickhouseVersion")).isEqualTo(service.path("dbVersion"));
        house.settle();
        JsonNode running = tenant.get(service);
        ApiJson.assertSame(running.path("state"), "'running'");
        assertThat(running.path("dbVersion").asString()).isNotEmpty();
        assertThat(running.path("clickhouseVersion")).isEqualTo(running.path("dbVersion"));
    }

    @Test
    void servicesOfOneMomentShareNoAddressAndNoName() {
        Set<String> addresses = new HashSet<>();
        Set<String> names = new HashSet<>();
        Set<String> privateHosts = new HashSet<>();
        for (int made = 0; made < 12; made++) {
            JsonNode service = tenant.made("{}");
            service.path("endpoints")
                    .forEach(endpoint -> addresses.add(endpoint.path("host") + ":" + endpoint.path("port")));
            names.add(service.path("name").asString());
            privateHosts.add(tenant.admin()
                    .get(tenant.service(service) + "/privateEndpointConfig")
                    .ok()
                    .path("privateDnsHostname")
                    .asString());
        }
        assertThat(addresses).hasSize(24);
        assertThat(names).hasSize(12);
        assertThat(privateHosts).hasSize(12);
    }

    @Test
    void endpointsSayWhereAndAsWhom() {
        JsonNode service = tenant.made("{'endpoints': [{'protocol': 'mysql', 'enabled': true}]}");
        for (JsonNode endpoint : service.path("endpoints")) {
            assertThat(names(endpoint)).containsExactlyInAnyOrder("protocol", "host", "port", "username");
            assertThat(endpoint.path("host").asString()).isNotEmpty();
            assertThat(endpoint.path("port").asInt()).isBetween(1, 65_535);
            assertThat(endpoint.path("username").asString()).isNotEmpty();
        }
        house.settle();
        assertThat(tenant.get(service).path("endpoints")).isEqualTo(service.path("endpoints"));
    }

    @Test
    void theRoleOfAServiceIsItsOwnAndStaysForItsLife() {
        JsonNode service = tenant.made("{}");
        String role = service.path("iamRole").asString();
        assertThat(role).contains(tenant.id(), service.path("id").asString());
        tenant.update(service, "{'name': 'Renamed', 'releaseChannel': 'slow'}").ok();
        house.settle();
        tenant.command(service, "stop").ok();
        house.settle();
        assertThat(tenant.get(service).path("iamRole").asString()).isEqualTo(role);
        assertThat(tenant.made("{}").path("iamRole").asString()).isNotEqualTo(role);
    }

    @Test
    void timesAreInUtcAndEndInZ() {
        house.advance(Duration.ofNanos(123_456_789));
        String createdAt = tenant.made("{}").path("createdAt").asString();
        assertThat(createdAt).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z");
        assertThat(createdAt).isEqualTo(house.time.now().toString());
    }

    @Test
    void thePasswordIsLongAndMixedAndShownOnce() {
        ApiAnswer made = tenant.create("{}");
        String password = made.ok().path("password").asString();
        assertThat(password)
                .hasSizeGreaterThanOrEqualTo(20)
                .matches(".*[a-z].*")
                .matches(".*[A-Z].*")
                .matches(".*[0-9].*")
                .matches(".*[^a-zA-Z0-9].*");
        assertThat(tenant.create("{}").ok().path("password").asString()).isNotEqualTo(password);
        JsonNode service = made.ok().path("service");
        assertThat(tenant.admin().get(tenant.service(service)).text()).doesNotContain(password);
        assertThat(tenant.admin().get(tenant.services()).text()).doesNotContain(password);
    }

    @Test
    void onlyHashesOfAPasswordAreStored() throws IOException, NoSuchAlgorithmException {
        String password = tenant.create("{}").ok().path("password").asString();
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(password.getBytes(StandardCharsets.UTF_8));
        String stored = everythingStored(house.folder());
        assertThat(stored.contains(password)).as("the password is in the store").isFalse();
        assertThat(stored.contains(HexFormat.of().formatHex(digest)))
                .as("its hash is in the store")
                .isTrue();
    }

    /** Every byte of every file of the store, also of what is not yet in its main file. */
    static String everythingStored(Path folder) throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file :
                    files.filter(path -> path.toString().contains(".db")).toList()) {
                all.append(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
            }
        }
        assertThat(all.length()).as("the size of the store").isPositive();
        return all.toString();
    }
}
