package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.api.ApiAnswer;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The settings of ClickHouse that a service asks for: what there is, what is set, and what is refused. */
class ClickhouseSettingsTest {
    @RegisterExtension
    static final House house = House.start();

    private final Tenant tenant = house.tenant();
    private final JsonNode service = tenant.made("{}");
    private final String path = tenant.service(service) + "/clickhouseSettings";

    private ApiAnswer set(String json) {
        return tenant.admin().patch(path, "{\"settings\": \"" + json.replace("'", "\\\"") + "\"}");
    }

    private List<String> listed() {
        return tenant.admin()
                .get(path)
                .ok()
                .path("settings")
                .valueStream()
                .map(setting -> setting.path("name").asString() + " "
                        + setting.path("value").asString())
                .toList();
    }

    @Test
    void clientsSendAnObjectAsWell() {
        JsonNode changed =
                tenant.admin().patch(path, "{'settings': {'max_threads': 4}}").ok();
        assertThat(changed.at("/settings/max_threads").asString()).isEqualTo("4");
        assertThat(listed()).contains("max_threads 4");
        tenant.admin().patch(path, "{'settings': {'max_threads': 'many'}}").faultsAt("settings.max_threads");
    }

    @Test
    void whatIsSetIsListedUntilItIsTakenBack() {
        assertThat(listed()).containsExactly("max_concurrent_queries_for_user 200", "max_memory_usage " + (120L << 30));
        JsonNode changed = set("{'max_threads': 4, 'join_use_nulls': true, 'compatibility': '25.8'}")
                .ok();
        assertThat(changed.path("settings").asString())
                .isEqualTo("{\"compatibility\":\"25.8\",\"join_use_nulls\":\"1\",\"max_threads\":\"4\"}");
        assertThat(changed.path("warnings")
                        .valueStream()
                        .map(warning -> warning.path("name").asString()))
                .containsExactly("compatibility");
        set("{'max_threads': '6', 'max_memory_usage': '1000'}").ok();
        assertThat(listed())
                .containsExactly(
                        "compatibility 25.8",
                        "join_use_nulls 1",
                        "max_concurrent_queries_for_user 200",
                        "max_memory_usage 1000",
                        "max_threads 6");
        assertThat(tenant.admin().get(path + "/max_threads").ok().path("value").asString())
                .isEqualTo("6");
        for (String name : List.of("max_threads", "max_threads", "max_memory_usage", "compatibility")) {
            tenant.admin().delete(path + "/" + name).ok();
        }
        assertThat(tenant.admin().get(path + "/max_threads").ok().path("value").asString())
                .isEqualTo("auto");
        assertThat(listed())
                .containsExactly(
                        "join_use_nulls 1", "max_concurrent_queries_for_user 200", "max_memory_usage " + (120L << 30));
    }

    @Test
    void theSchemaSaysWhatMayBeSet() {
        JsonNode schema = tenant.admin().get(path + "/schema").ok().path("settings");
        assertThat(schema.valueStream().map(entry -> entry.path("name").asString()))
                .contains("max_threads", "compatibility")
                .doesNotContain("readonly");
        JsonNode flag = schema.valueStream()
                .filter(entry -> entry.path("name").asString().equals("join_use_nulls"))
                .findFirst()
                .orElseThrow();
        assertThat(flag.path("type").asString()).isEqualTo("integer");
        assertThat(flag.path("enum").toString()).isEqualTo("[0,1]");
    }

    /** The official client changes the first of its candidates that the schema has, if its value is listed. */
    @Test
    void aFreshServiceListsTheSettingThatClientsBeginWith() {
        JsonNode schema = tenant.admin().get(path + "/schema").ok().path("settings");
        assertThat(schema.valueStream().map(entry -> entry.path("name").asString()))
                .contains("max_concurrent_queries_for_user");
        assertThat(listed()).contains("max_concurrent_queries_for_user 200");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'max_thread': 4} | settings.max_thread",
                "{'max_threads': 'many'} | settings.max_threads",
                "{'max_threads': -1} | settings.max_threads",
                "{'max_threads': null} | settings.max_threads",
                "{'max_threads': [4]} | settings.max_threads",
                "{'max_threads': 1e300} | settings.max_threads",
                "{'max_block_size': 0} | settings.max_block_size",
                "{'readonly': 1} | settings.readonly",
                "{'result_overflow_mode': 'wait'} | settings.result_overflow_mode",
                "{'compatibility': 'old'} | settings.compatibility",
                "{} | settings",
                "[] | settings",
                "{ | settings"
            })
    void whatIsNoSettingAndNoValueIsRefusedByName(String json, String at) {
        set(json).faultsAt(at);
        assertThat(listed()).hasSize(2);
    }

    @Test
    void everyFaultIsNamedAndNothingIsSet() {
        set("{'max_threads': 4, 'readonly': 1, 'nothing': 1}").faultsAt("settings.readonly", "settings.nothing");
        assertThat(listed()).hasSize(2);
        tenant.admin().patch(path, "{'settings': {}}").faultsAt("settings");
        tenant.admin().patch(path, "{'settings': 5}").faultsAt("settings");
        tenant.admin().patch(path, "{}").faultsAt("settings");
    }

    @Test
    void whatIsNoSettingIsNotThere() {
        tenant.admin().get(path + "/nothing").refused(404, "NOT_FOUND");
        tenant.admin().delete(path + "/nothing").refused(404, "NOT_FOUND");
        tenant.admin().get(path + "/readonly").refused(404, "NOT_FOUND");
    }

    @Test
    void aSleepingServiceIsNotWokenAndAStoppedOneTakesTheWish() {
        JsonNode stopped = tenant.running();
        tenant.command(stopped, "stop").ok();
        house.settle();
        String there = tenant.service(stopped) + "/clickhouseSettings";
        tenant.admin()
                .patch(there, "{\"settings\": \"{\\\"max_threads\\\": 2}\"}")
                .ok();
        tenant.admin().get(there).ok();
        tenant.admin().get(there + "/schema").ok();
        house.settle();
        assertThat(tenant.get(stopped).path("state").asString()).isEqualTo("stopped");
        assertThat(tenant.admin().get(there + "/max_threads").ok().path("value").asString())
                .isEqualTo("2");
    }

    @Test
    void onlyACallerWhoKnowsWhatIsSetChangesIt() {
        String tag = tenant.admin().get(path).need("etag");
        set("{'max_threads': 4}").ok();
        assertThat(tenant.admin()
                        .with("If-Match", tag)
                        .patch(path, "{\"settings\": \"{\\\"max_threads\\\": 5}\"}")
                        .status())
                .isEqualTo(412);
        String one = tenant.admin().get(path + "/max_threads").need("etag");
        set("{'max_threads': 6}").ok();
        assertThat(tenant.admin()
                        .with("If-Match", one)
                        .delete(path + "/max_threads")
                        .status())
                .isEqualTo(412);
    }

    @Test
    void aChangeLeavesALineAndTheSameChangeAgainNone() {
        set("{'max_threads': 4}").ok();
        set("{'max_threads': 4}").ok();
        tenant.admin().delete(path + "/max_threads").ok();
        tenant.admin().delete(path + "/max_threads").ok();
        assertThat(tenant.admin()
                        .get(tenant.path() + "/activities")
                        .ok()
                        .valueStream()
                        .filter(line -> line.path("type").asString().equals("service_update_clickhouse_settings")))
                .hasSize(2);
    }

    @Test
    void longTextsAreRefused() {
        String many = IntStream.range(0, 300).mapToObj(i -> "1").collect(Collectors.joining(".", "25.", ""));
        set("{'compatibility': '" + many + "'}").faultsAt("settings.compatibility");
    }
}
