package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiCaller;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** What those who watch an organization read about its services, on a plane without databases. */
class PrometheusTest {
    @RegisterExtension
    static final House house = House.start();

    private final Tenant tenant = house.tenant();

    private static List<String> lines(ApiAnswer answer) {
        answer.ok();
        assertThat(answer.need("content-type")).startsWith("text/plain");
        return answer.text().lines().toList();
    }

    private List<String> linesOf(JsonNode service) {
        return lines(tenant.admin().get(tenant.service(service) + "/prometheus"));
    }

    private String info(JsonNode service, String name, String state) {
        return "ClickHouse_ServiceInfo{clickhouse_org=\"" + tenant.id() + "\",clickhouse_service=\""
                + service.path("id").asString() + "\",clickhouse_service_name=\"" + name
                + "\",clickhouse_cluster_status=\"" + state + "\",clickhouse_version=\""
                + service.path("dbVersion").asString() + "\",scrape=\"full\"} 1";
    }

    @Test
    void aServiceIsALineWithItsStateAndItsVersion() {
        JsonNode service = tenant.made("{'name': 'Watched'}");
        assertThat(linesOf(service))
                .containsExactly(
                        "# HELP ClickHouse_ServiceInfo Information about service, including cluster status and"
                                + " ClickHouse version",
                        "# TYPE ClickHouse_ServiceInfo untyped",
                        info(service, "Watched", "provisioning"));
        house.settle();
        assertThat(linesOf(service)).hasSize(3).contains(info(service, "Watched", "running"));
    }

    @Test
    void watchingStartsNothing() {
        JsonNode service = tenant.made("{'name': 'Stopped'}");
        house.settle();
        tenant.command(service, "stop").ok();
        house.settle();
        assertThat(linesOf(service)).contains(info(service, "Stopped", "stopped"));
        house.settle();
        assertThat(linesOf(service)).contains(info(service, "Stopped", "stopped"));
    }

    @Test
    void pipesAreListedWithTheirState() {
        JsonNode service = tenant.running();
        JsonNode pipe =
                tenant.admin().post(tenant.pipes(service), PipeBodies.KAFKA).ok();
        house.settle();
        assertThat(linesOf(service))
                .contains("# TYPE ClickPipes_Info gauge")
                .anyMatch(line -> line.startsWith("ClickPipes_Info{clickhouse_org=\"" + tenant.id() + "\"")
                        && line.contains("clickpipe_id=\"" + pipe.path("id").asString() + "\"")
                        && line.contains("clickpipe_source=\"kafka\",clickpipe_state=\"Running\""));
    }

    @Test
    void anOrganizationIsAllOfItsServicesWhateverTheirNumber() {
        ApiCaller crowd = tenant.admin().inACrowd();
        for (int i = 0; i < 410; i++) {
            crowd.post(tenant.services(), "{'name': 'Service " + i + "'}").ok();
        }
        JsonNode first = tenant.admin().get(tenant.services()).ok().get(0);
        tenant.admin().get(tenant.service(first)).ok();
        house.settle();
        tenant.admin().post(tenant.pipes(first), PipeBodies.KAFKA).ok();
        List<String> lines = lines(tenant.admin().get(tenant.path() + "/prometheus?filtered_metrics=true"));
        assertThat(lines.stream().filter(line -> line.startsWith("ClickHouse_ServiceInfo{")))
                .hasSize(410)
                .doesNotHaveDuplicates();
        assertThat(lines.stream().filter(line -> line.startsWith("ClickPipes_Info{")))
                .hasSize(1);
        assertThat(lines.stream().filter(line -> line.startsWith("# TYPE"))).hasSize(2);
        assertThat(lines).noneMatch(String::isEmpty);
        assertThat(targets(tenant.admin(), "").findValuesAsString("clickhouse_service_id"))
                .hasSize(410)
                .doesNotHaveDuplicates();
    }

    @Test
    void anOrganizationWithoutServicesHasNoLines() {
        assertThat(lines(tenant.admin().get(tenant.path() + "/prometheus"))).hasSize(2);
    }

    private JsonNode targets(ApiCaller caller, String query) {
        ApiAnswer answer = caller.get(tenant.path() + "/prometheus/discovery" + query);
        assertThat(answer.status()).isEqualTo(200);
        return answer.json();
    }

    @Test
    void everyServiceIsATargetUnderTheAddressThatWasCalled() {
        JsonNode service = tenant.made("{'name': 'Watched', 'tags': [{'key': 'team.name', 'value': 'data'},"
                + " {'key': 'team-name', 'value': 'other'}, {'key': 'probe'}]}");
        JsonNode target = targets(tenant.admin(), "").get(0);
        assertThat(target.at("/targets/0").asString()).isEqualTo(house.authority());
        JsonNode labels = target.path("labels");
        assertThat(labels.properties().stream()
                        .map(label -> label.getKey() + "=" + label.getValue().asString()))
                .containsExactly(
                        "__scheme__=http",
                        "__metrics_path__=" + tenant.service(service) + "/prometheus",
                        "__param_filtered_metrics=true",
                        "__meta_clickhouse_provider=" + service.path("provider").asString(),
                        "__meta_clickhouse_region=" + service.path("region").asString(),
                        "__meta_clickhouse_tagpresent_team_name=true",
                        "__meta_clickhouse_tag_team_name=data",
                        "__meta_clickhouse_tagpresent_probe=true",
                        "clickhouse_org_id=" + tenant.id(),
                        "clickhouse_service_id=" + service.path("id").asString(),
                        "clickhouse_discovery_service_name=Watched");
        assertThat(lines(tenant.admin()
                        .get(labels.path("__metrics_path__").asString() + "?filtered_metrics="
                                + labels.path("__param_filtered_metrics").asString())))
                .anyMatch(line -> line.startsWith("ClickHouse_ServiceInfo{"));
        assertThat(targets(tenant.admin(), "?filtered_metrics=false")
                        .at("/0/labels/__param_filtered_metrics")
                        .asString())
                .isEqualTo("false");
    }

    @Test
    void noTargetIsAServiceThatIsBeingDeletedOrThatTheKeyMayNotRead() {
        JsonNode kept = tenant.made("{'name': 'Kept'}");
        JsonNode gone = tenant.made("{'name': 'Gone'}");
        assertThat(targets(tenant.admin(), "")).hasSize(2);
        tenant.delete(gone).ok();
        assertThat(targets(tenant.admin(), "").findValuesAsString("clickhouse_service_id"))
                .containsExactly(kept.path("id").asString());
        JsonNode seen = tenant.made("{'name': 'Seen'}");
        ApiCaller reader = tenant.having(tenant.newRole(
                "Watcher", Tenant.policy("ALLOW", "instance/" + seen.path("id").asString(), "view")));
        assertThat(targets(reader, "").findValuesAsString("clickhouse_service_id"))
                .containsExactly(seen.path("id").asString());
    }

    @Test
    void aSwitchIsTrueOrFalse() {
        tenant.admin().get(tenant.path() + "/prometheus?filtered_metrics=some").faultsAt("filtered_metrics");
        tenant.admin()
                .get(tenant.path() + "/prometheus/discovery?filtered_metrics=some")
                .faultsAt("filtered_metrics");
        JsonNode service = tenant.made("{}");
        tenant.admin()
                .get(tenant.service(service) + "/prometheus?filtered_metrics=1")
                .faultsAt("filtered_metrics");
    }
}
