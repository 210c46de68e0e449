package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Edition;
import io.pilothouse.http.wire.AnyRoute;
import io.pilothouse.http.wire.Route;
import io.pilothouse.testkit.api.ApiCredentials;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Every limit of the documents that are served, at its edge and beyond: what breaks it is refused by its place, and
 * what just keeps it is taken. A limit that no request here shows is a failure too.
 */
class LimitsTest {
    private static final JsonNode NO_OTHER = JsonNodeFactory.instance.missingNode();

    /** Where the server is right and reports a fault in another place, with the reason. */
    private static final Map<String, String> EXCEPTIONS = Map.of(
            "clickPipeUpdate .*tableMappingsToAdd\\[0]\\.(sortingKeys|excludedColumns) -> 400 "
                    + "\\[source\\.(postgres|mysql)\\.tableMappings\\[",
            "rules among the tables of a pipe are checked where the new ones will stand");

    private static final Map<String, String> ALERT_EXCEPTIONS = Map.of(
            "no request keeps .*/WebhookGiven/properties/url/minLength",
            "a URL that begins as its pattern says is longer than one character");

    @RegisterExtension
    static final House seed = House.start(Edition.SEED);

    @RegisterExtension
    static final House cloud = House.start(Edition.CLOUD);

    @Test
    void theManagementApiHoldsEveryLimitOfItsDocument() {
        JsonNode document = seed.nobody().get("/openapi.json").json();
        LimitTrials trials = new LimitTrials(document, NO_OTHER, new LimitManagementGround(seed));
        routes(seed.entrances()).forEach(trials::of);
        assertThat(trials.requireAllHeld(EXCEPTIONS)).isGreaterThan(1000);
    }

    @Test
    void theCloudEditionHoldsEveryLimitThatIsItsOwn() {
        JsonNode document = cloud.nobody().get("/openapi.json").json();
        JsonNode other = seed.nobody().get("/openapi.json").json();
        LimitTrials trials = new LimitTrials(document, other, new LimitManagementGround(cloud));
        routes(cloud.entrances()).forEach(trials::of);
        assertThat(trials.requireAllHeld(Map.of())).isGreaterThan(100);
    }

    @Test
    void theAlertsInterfaceHoldsEveryLimitOfItsDocument() {
        JsonNode document =
                seed.alertsAs(ApiCredentials.NONE).get("/openapi.json").json();
        LimitTrials trials = new LimitTrials(document, NO_OTHER, new LimitAlertsGround(seed));
        routes(seed.alertsEntrances()).forEach(trials::of);
        assertThat(trials.requireAllHeld(ALERT_EXCEPTIONS)).isGreaterThan(100);
    }

    /** Pipes come first: they wait for their service, while the fleet is small. */
    private static List<Route> routes(List<AnyRoute> entrances) {
        return entrances.stream()
                .filter(Route.class::isInstance)
                .map(Route.class::cast)
                .sorted(Comparator.comparing(route -> !route.path().contains("clickpipes")))
                .toList();
    }
}
