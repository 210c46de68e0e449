package io.pilothouse.server.api;

import static io.pilothouse.server.api.AlertExamples.DASHBOARD;
import static io.pilothouse.server.api.AlertExamples.DASHBOARDS;
import static io.pilothouse.server.api.AlertExamples.SERVICES;
import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.api.ApiCaller;
import io.pilothouse.testkit.api.ApiJson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Dashboards and their tiles as things; the built-in ones stay as they are. */
class DashboardTest {
    @RegisterExtension
    static final House house = House.start();

    private final ApiCaller caller = house.tenant().alerts();

    private static String path(JsonNode dashboard) {
        return DASHBOARDS + "/" + dashboard.path("id").asString();
    }

    private static String tile(String members, String config) {
        return "{'name': 'D', 'tiles': [{'x': 0, 'y': 0, 'w': 1, 'h': 1" + members
                + ", 'config': {'displayType': 'line', 'metric': 'services', 'aggregation': 'last'" + config + "}}]}";
    }

    @Test
    void aDashboardComesBackAsItWasGiven() {
        JsonNode made = caller.post(DASHBOARDS, DASHBOARD).data();
        ApiJson.assertSame(made.path("tiles"), """
                [{'id': 'one', 'name': 'All', 'x': 0, 'y': 0, 'w': 12, 'h': 4,
                  'config': {'displayType': 'number', 'metric': 'services', 'aggregation': 'last', 'filter': {}}}]""");
        ApiJson.assertSame(made.path("tags"), "['a']");
        ApiJson.assertSame(made.path("builtIn"), "false");
        assertThat(caller.get(path(made)).data()).isEqualTo(made);
        JsonNode replaced = caller.put(
                        path(made),
                        tile(", 'id': null", ", 'filter': {'state': 'failed, degraded'}, 'groupBy': 'service'"))
                .data();
        ApiJson.assertSame(replaced.path("name"), "'D'");
        ApiJson.assertSame(replaced.path("tags"), "[]");
        JsonNode tile = replaced.path("tiles").get(0);
        assertThat(tile.path("id").asString()).hasSize(36);
        ApiJson.assertSame(tile.path("config").path("groupBy"), "'service'");
        caller.delete(path(made)).json();
        assertThat(caller.get(path(made)).message(404)).isEqualTo("Dashboard not found");
    }

    @Test
    void aDashboardIsCheckedWithoutBeingMade() {
        int before = caller.get(DASHBOARDS).data().size();
        ApiJson.assertSame(caller.post(DASHBOARDS + "/validate", DASHBOARD).json(), "{'valid': true, 'errors': []}");
        JsonNode faulty = caller.post(DASHBOARDS + "/validate", tile("", "").replace("services", "weather"))
                .json();
        assertThat(faulty.path("valid").asBoolean()).isFalse();
        assertThat(faulty.path("errors"))
                .extracting(error -> error.path("path").asString())
                .contains("tiles.0.config.metric");
        assertThat(caller.get(DASHBOARDS).data()).hasSize(before);
        assertThat(caller.get(DASHBOARDS + "/validate").status()).isEqualTo(405);
    }

    @Test
    void theBuiltInOnesComeFirstAndCannotBeChanged() {
        JsonNode made = caller.post(DASHBOARDS, DASHBOARD).data();
        JsonNode list = caller.get(DASHBOARDS).data();
        assertThat(list).hasSizeGreaterThan(3).last().isEqualTo(made);
        ApiJson.assertSame(list.get(0).path("builtIn"), "true");
        assertThat(list.get(0).path("id").asString()).isEqualTo(SERVICES);
        assertThat(caller.get(path(list.get(0))).data()).isEqualTo(list.get(0));
        assertThat(caller.put(path(list.get(0)), DASHBOARD).message(409)).contains("built-in");
        assertThat(caller.delete(path(list.get(0))).message(409)).contains("built-in");
        assertThat(caller.get(DASHBOARDS + "?limit=2&offset=3").data()).containsExactly(made);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "{'tiles': []} | name: is required",
                "{'name': 'D'} | tiles: is required",
                "{'name': 'D', 'tiles': [5]} | tiles[0]: must be an object",
                "{'name': 'D', 'tiles': [{'x': 0, 'y': 0, 'w': 1, 'h': 1}]} | tiles[0].config: is required",
                "{'name': 'D', 'tiles': [{}]} | tiles[0].x: is required; tiles[0].y: is required",
                "{'name': 'D', 'tiles': [], 'tags': ['']} | tags[0]: must not be blank"
            })
    void aBrokenRuleIsReported(String body, String message) {
        assertThat(caller.post(DASHBOARDS, body).message(400)).contains(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                ", 'x': 24 | | tiles[0].x: ",
                ", 'w': 0 | | tiles[0].w: ",
                ", 'h': 1.5 | | tiles[0].h: ",
                "\"\" | , 'displayType': 'pie' | tiles[0].config.displayType: must be one of line, stacked_bar, number",
                "\"\" | , 'metric': 'weather' | tiles[0].config.metric: must be one of services, pipes",
                "\"\" | , 'aggregation': 'sum' | tiles[0].config.aggregation: must be one of last for services",
                "\"\" | , 'filter': {'colour': 'red'} | tiles[0].config.filter.colour: ",
                "\"\" | , 'filter': {'state': 'tired'} | tiles[0].config.filter.state: ",
                "\"\" | , 'filter': {'service': 'x'} | tiles[0].config.filter.service: must be a UUID",
                "\"\" | , 'groupBy': 'colour' | tiles[0].config.groupBy: ",
                "\"\" | , 'groupBy': 'service' | tiles[0].config.groupBy: needs a filter on state"
            })
    void aTileThatCannotBeShownIsReported(String members, String config, String message) {
        String body = tile("", "");
        body = members == null || members.isEmpty() ? body : replaced(body, members);
        body = config == null || config.isEmpty() ? body : replaced(body, config);
        assertThat(caller.post(DASHBOARDS, body).message(400)).contains(message);
    }

    /** Puts a member in place of the one with its name, or behind the others where there is none. */
    private static String replaced(String body, String member) {
        String name = member.replaceAll("^, ('\\w+'):.*", "$1");
        return body.contains(name)
                ? body.replaceAll(name + ": ('\\w+'|\\d+)", member.substring(2).replace("$", ""))
                : body.replace("'aggregation': 'last'", "'aggregation': 'last'" + member);
    }
}
