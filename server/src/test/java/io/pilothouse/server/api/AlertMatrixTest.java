package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.right.Permission;
import io.pilothouse.http.wire.Route;
import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiCaller;
import io.pilothouse.testkit.api.ApiCredentials;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Every route of the alerts interface, tried by its own organization, by a foreign one, and without a token. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AlertMatrixTest {
    private static final String NOWHERE = "00000000-0000-4000-8000-00000000ffff";

    @RegisterExtension
    static final House house = House.start();

    private final AlertExamples examples = new AlertExamples();
    private final Tenant home = house.tenant();
    private final ApiCaller own = home.alerts();
    private final ApiCaller stranger = house.tenant().alerts();
    private final Map<String, ApiCaller> unknown = unknown();

    private Map<String, ApiCaller> unknown() {
        JsonNode revoked = home.newAlertsToken();
        home.admin()
                .delete(home.alertsTokens() + "/"
                        + revoked.path("token").path("id").asString())
                .ok();
        Map<String, ApiCaller> callers = new LinkedHashMap<>();
        callers.put("no token", house.alertsAs(ApiCredentials.NONE));
        callers.put("a wrong token", house.alertsAs(ApiCredentials.bearer("x".repeat(48))));
        callers.put("a revoked token", home.alertsWith(revoked));
        callers.put("a key of the other interface", house.alertsAs(home.admin().credentials()));
        return callers;
    }

    Stream<Route> routes() {
        return house.alertsEntrances().stream().filter(Route.class::isInstance).map(Route.class::cast);
    }

    private ApiAnswer ask(ApiCaller caller, Route route, Optional<String> id) {
        String path = route.path().replaceAll("\\{\\w+}", id.orElse(""));
        return caller.send(route.verb().name(), path, examples.body(route));
    }

    private Optional<String> needs(Route route, ApiCaller caller) {
        return examples.needs(route, caller);
    }

    @ParameterizedTest
    @MethodSource("routes")
    void aTokenOpensEverythingOfItsOrganization(Route route) {
        ApiAnswer answer = ask(own, route, needs(route, own));
        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
    }

    @ParameterizedTest
    @MethodSource("routes")
    void everyUnknownCallerGetsTheSameAnswer(Route route) {
        Optional<String> id = needs(route, own);
        for (Map.Entry<String, ApiCaller> caller : unknown.entrySet()) {
            ApiAnswer answer = ask(caller.getValue(), route, id);
            assertThat(answer.message(401)).as(caller.getKey()).isEqualTo("Unknown, disabled or expired credentials");
            assertThat(answer.need("www-authenticate")).startsWith("Bearer");
        }
    }

    @ParameterizedTest
    @MethodSource("routes")
    void aForeignThingIsAnsweredAsAMissingOne(Route route) {
        Optional<String> foreign = needs(route, stranger);
        if (foreign.isEmpty()) {
            return;
        }
        String message = ask(own, route, foreign).message(404);
        assertThat(message).matches("(Alert|Webhook|Dashboard) not found");
        assertThat(ask(own, route, Optional.of(NOWHERE)).message(404)).isEqualTo(message);
        assertThat(ask(own, route, Optional.of("no-uuid")).message(400)).contains("must be a UUID");
    }

    @ParameterizedTest
    @MethodSource("routes")
    void aWriteLeavesAnActivityAndAReadDoesNot(Route route) {
        String requestId = ask(own, route, needs(route, own)).need("x-request-id");
        long lines = home.admin()
                .get(home.path() + "/activities")
                .ok()
                .valueStream()
                .filter(line -> line.path("requestId").asString("").equals(requestId))
                .count();
        assertThat(lines).isEqualTo(route.permission() == Permission.ALERT_WRITE ? 1 : 0);
    }
}
