package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.http.wire.Route;
import io.pilothouse.testkit.Walk;
import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiCaller;
import io.pilothouse.testkit.api.ApiRaw;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** Hostile bodies for every write of the alerts interface: each is refused in its shape, and nothing is changed by it. */
class AlertFuzzTest {
    private static final int ROUNDS = Walk.length(1_500, 75_000);

    @RegisterExtension
    static final House house = House.start();

    private final ApiCaller caller = house.tenant().alerts();
    private final FuzzGround ground = FuzzGround.of(
            aims(),
            "Authorization: " + Objects.requireNonNull(caller.credentials().authorization()));
    private final Map<String, String> wrongs = new TreeMap<>();

    private List<FuzzGround.Aim> aims() {
        AlertExamples examples = new AlertExamples();
        List<FuzzGround.Aim> aims = new ArrayList<>();
        house.alertsEntrances().stream()
                .filter(Route.class::isInstance)
                .map(Route.class::cast)
                .forEach(route -> {
                    String id = examples.needs(route, caller).orElse("");
                    String target = route.path().replaceAll("\\{\\w+}", id);
                    aims.add(
                            new FuzzGround.Aim(route.operationId(), route.verb().name(), target, examples.body(route)));
                });
        return aims;
    }

    private List<JsonNode> everything() {
        List<JsonNode> all = new ArrayList<>();
        for (String path : List.of(AlertExamples.ALERTS, AlertExamples.WEBHOOKS, AlertExamples.DASHBOARDS)) {
            all.add(caller.get(path).data());
        }
        return all;
    }

    @Test
    void hostileBodiesAreRefusedAndChangeNothing() {
        Walk walk = Walk.begin(AlertFuzzTest.class);
        RandomGenerator random = walk.random();
        FuzzBodies bodies = new FuzzBodies(ground);
        List<String> names = bodies.namesForAnyBody();
        List<JsonNode> before = everything();
        ApiRaw connection = house.alertsRaw();
        for (int round = 0; round < ROUNDS; round++) {
            FuzzRequest request = bodies.request(names.get(round % names.size()), random);
            if (!survives(connection, request)) {
                connection.close();
                connection = house.alertsRaw();
            }
        }
        connection.close();
        assertThat(wrongs.values()).as("%s", walk).isEmpty();
        assertThat(everything()).as("what is there, %s", walk).isEqualTo(before);
    }

    /** Sends one request and judges what comes of it; says whether the connection can take another. */
    private boolean survives(ApiRaw connection, FuzzRequest request) {
        try {
            connection.send(request.bytes());
            ApiAnswer answer = connection.read(request.method(), request.target());
            if (answer.status() == 200 && request.target().endsWith("/validate")) {
                assertThat(answer.json().path("valid").asBoolean()).isFalse();
            } else {
                assertThat(answer.message(answer.status())).isNotEmpty();
                assertThat(answer.status()).isBetween(400, 499);
            }
            return !"close".equals(answer.header("connection"));
        } catch (AssertionError | RuntimeException wrong) {
            wrongs.putIfAbsent(request.name(), request + "\n" + wrong);
            return false;
        }
    }
}
