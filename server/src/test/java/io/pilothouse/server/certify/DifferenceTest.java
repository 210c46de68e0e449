package io.pilothouse.server.certify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DifferenceTest {
    private static List<Difference> of(String change) {
        return Difference.of(JsonSample.of("""
                {"resource_changes": [{"address": "clickhouse_service.one", "change": %s}]}
                """.formatted(change)));
    }

    @Test
    void planThatDoesNothingButReadIsEmpty() {
        assertThat(of("{\"actions\": [\"no-op\"], \"before\": {\"a\": 1}, \"after\": {\"a\": 1}}"))
                .isEmpty();
        assertThat(of("{\"actions\": [\"read\"], \"before\": null, \"after\": {\"a\": 1}}"))
                .isEmpty();
        assertThat(Difference.of(JsonSample.of("{}"))).isEmpty();
    }

    @Test
    void attributeThatDiffersIsNamedWithBothValues() {
        assertThat(of("""
                        {"actions": ["update"],
                         "before": {"same": true, "size": 8, "endpoints": {"https": {"port": 1}, "mysql": {"on": false}}},
                         "after": {"same": true, "size": 16, "endpoints": {"https": {"port": 1}, "mysql": {"on": true}}},
                         "after_unknown": {}}
                        """).getFirst().lines(new Masked()))
                .containsExactly(
                        "clickhouse_service.one would be updated",
                        "  size: 8 -> 16",
                        "  endpoints.mysql.on: false -> true");
    }

    @Test
    void attributeThatIsOnlyKnownAfterwardsIsNamed() {
        assertThat(of("""
                        {"actions": ["update"], "before": {"input": "then"}, "after": {},
                         "after_unknown": {"input": true}}
                        """).getFirst().lines(new Masked())).contains("  input: \"then\" -> (known after apply)");
    }

    @Test
    void secretIsNamedWithoutItsValues() {
        String lines = String.join("\n", of("""
                        {"actions": ["update"],
                         "before": {"marked": "one", "password": "two", "list": [{"key": "three"}]},
                         "after": {"marked": "four", "password": "five", "list": [{"key": "six"}]},
                         "before_sensitive": {"marked": true, "list": [{"key": true}]}, "after_sensitive": {}}
                        """).getFirst().lines(new Masked()));
        assertThat(lines)
                .contains("  marked: (hidden)", "  password: (hidden)", "  list: (hidden)")
                .doesNotContain("one\"", "two", "three", "four", "five", "six");
    }

    @Test
    void secretIsHiddenAlsoWhereTheEndOfWhatIsShownCutsIt() {
        Masked masked = new Masked();
        masked.add("long-secret");
        String open = "o".repeat(52);
        assertThat(of("""
                        {"actions": ["update"], "before": {"url": "%slong-secret"}, "after": {"url": "https://host"}}
                        """.formatted(open)).getFirst().lines(masked).getLast())
                .startsWith("  url: \"" + open)
                .doesNotContain("long");
    }

    @Test
    void replacementIsCalledOne() {
        assertThat(of("{\"actions\": [\"delete\", \"create\"], \"before\": {\"a\": 1}, \"after\": {\"a\": 2}}")
                        .getFirst()
                        .lines(new Masked()))
                .first()
                .isEqualTo("clickhouse_service.one would be replaced");
    }

    @Test
    void importMayLeaveOpenOnlyWhatTheApiDoesNotShow() {
        assertThat(of("{\"actions\": [\"update\"], \"before\": {\"hash\": null}, \"after\": {\"hash\": \"x\"}}")
                        .getFirst()
                        .isOnlyUnknown())
                .isTrue();
        assertThat(of("""
                        {"actions": ["update"], "before": {"stopped": null, "state": "Running"},
                         "after": {"stopped": false}, "after_unknown": {"state": true}}
                        """).getFirst().isOnlyUnknown()).isTrue();
        assertThat(of("{\"actions\": [\"update\"], \"before\": {\"size\": 8}, \"after\": {\"size\": 16}}")
                        .getFirst()
                        .isOnlyUnknown())
                .isFalse();
        assertThat(of("{\"actions\": [\"create\"], \"before\": null, \"after\": {\"size\": 16}}")
                        .getFirst()
                        .isOnlyUnknown())
                .isFalse();
    }

    @Test
    void providerThatIsToldToGoElsewhereIsFound() {
        String plan = """
                {"variables": {"api_url": {"value": "%s"}},
                 "configuration": {"provider_config": {"clickhouse": {"expressions": {"api_url": %s}}}}}
                """;
        String here = "http://127.0.0.1:8080/v1";
        String constant = "{\"constant_value\": \"https://api.clickhouse.cloud/v1\"}";
        String variable = "{\"references\": [\"var.api_url\"]}";
        String local = "{\"references\": [\"local.api_url\"]}";
        assertThat(Difference.strayAddress(JsonSample.of(plan.formatted(here, constant)), here))
                .contains("https://api.clickhouse.cloud/v1");
        assertThat(Difference.strayAddress(JsonSample.of(plan.formatted("https://elsewhere", variable)), here))
                .contains("https://elsewhere");
        assertThat(Difference.strayAddress(JsonSample.of(plan.formatted(here, variable)), here))
                .isEmpty();
        assertThat(Difference.strayAddress(JsonSample.of(plan.formatted(here, local)), here))
                .contains("local.api_url");
        assertThat(Difference.strayAddress(JsonSample.of("{}"), here)).isEmpty();
    }
}
