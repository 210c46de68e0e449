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
    }

    @Test
    void anOrganizationWithoutServicesHasNoLines() {
        assertThat(lines(tenant.admin().get(tenant.path() + "/prometheus"))).hasSize(2);
    }

    @Test
    void aSwitchIsTrueOrFalse() {
        tenant.admin().get(tenant.path() + "/prometheus?filtered_metrics=some").faultsAt("filtered_metrics");
        JsonNode service = tenant.made("{}");
        tenant.admin()
                .get(tenant.service(service) + "/prometheus?filtered_metrics=1")
                .faultsAt("filtered_metrics");
    }
}
