package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.api.ApiAnswer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The query endpoint of a service: which keys may ask its database, and as what. */
class QueryEndpointTest {
    @RegisterExtension
    static final House house = House.start();

    private final Tenant tenant = house.tenant();
    private final JsonNode service = tenant.made("{}");
    private final String path = tenant.service(service) + "/serviceQueryEndpoint";

    private String key() {
        return tenant.newKey("query_endpoints").at("/key/id").asString();
    }

    private ApiAnswer set(String roles, String keys) {
        return tenant.admin().post(path, "{'roles': [" + roles + "], 'openApiKeys': [" + keys + "]}");
    }

    private static String quoted(String... ids) {
        return "'" + String.join("', '", ids) + "'";
    }

    @Test
    void itIsThereFromWhenItIsSetUntilItIsDeleted() {
        assertThat(tenant.admin().get(path).status()).isEqualTo(404);
        assertThat(tenant.admin().delete(path).status()).isEqualTo(404);
        String second = key();
        String first = key();
        JsonNode made = set("'sql_console_admin', 'sql_console_read_only'", quoted(second, first))
                .ok();
        assertThat(made.path("openApiKeys").valueStream().map(JsonNode::asString))
                .containsExactly(second, first);
        assertThat(made.path("roles").valueStream().map(JsonNode::asString))
                .containsExactly("sql_console_admin", "sql_console_read_only");
        assertThat(made.path("allowedOrigins").asString()).isEmpty();
        assertThat(tenant.admin().get(path).ok()).isEqualTo(made);
        assertThat(set("'sql_console_admin', 'sql_console_read_only'", quoted(second, first))
                        .ok())
                .isEqualTo(made);
        JsonNode other = set("'sql_console_read_only'", "").ok();
        assertThat(other.path("id")).isEqualTo(made.path("id"));
        assertThat(other.path("openApiKeys")).isEmpty();
        tenant.admin().delete(path).ok();
        assertThat(tenant.admin().get(path).status()).isEqualTo(404);
    }

    @Test
    void everyChangeLeavesAnActivityAndTheSameAgainLeavesNone() {
        set("'sql_console_admin'", "").ok();
        set("'sql_console_admin'", "").ok();
        tenant.admin().delete(path).ok();
        List<String> types = tenant.admin()
                .get(tenant.path() + "/activities")
                .ok()
                .valueStream()
                .map(line -> line.path("type").asString())
                .filter(type -> type.startsWith("service_query"))
                .toList();
        assertThat(types).containsExactlyInAnyOrder("service_query_endpoint_delete", "service_query_endpoint_update");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | roles",
                "{'roles': []} | roles",
                "{'roles': ['admin']} | roles[0]",
                "{'roles': 'sql_console_admin'} | roles",
                "{'roles': ['sql_console_admin'], 'openApiKeys': 'all'} | openApiKeys",
                "{'roles': ['sql_console_admin'], 'openApiKeys': ['']} | openApiKeys[0]",
                "{'roles': ['sql_console_admin'], 'openApiKeys': ['1-1-1-1-1']} | openApiKeys[0]",
                "{'roles': ['sql_console_admin'], 'openApiKeys': ['no uuid']} | openApiKeys[0]",
                "{'roles': ['sql_console_admin'], 'allowedOrigins': 5} | allowedOrigins",
                "{'roles': ['sql_console_admin'], 'allowedOrigins': []} | allowedOrigins",
                "{'roles': ['sql_console_admin'], 'allowedOrigins': 'a\\n'} | allowedOrigins"
            })
    void whatIsNoEndpointIsRefused(String body, String fault) {
        tenant.admin().post(path, body).faultsAt(fault);
        assertThat(tenant.admin().get(path).status()).isEqualTo(404);
    }

    @Test
    void aForeignKeyIsAnsweredAsAMissingOne() {
        String foreign = house.tenant().newKey("admin").at("/key/id").asString();
        ApiAnswer answer = set("'sql_console_admin'", quoted(key(), foreign));
        answer.faultsAt("openApiKeys[1]");
        ApiAnswer missing = set("'sql_console_admin'", quoted(key(), "00000000-0000-4000-8000-000000000000"));
        assertThat(RefusalTest.withoutId(answer)).isEqualTo(RefusalTest.withoutId(missing));
    }

    @Test
    void aClientMaySendBackAListWhoseKeyIsGone() {
        String gone = key();
        set("'sql_console_admin'", quoted(gone)).ok();
        tenant.admin().delete(tenant.keys() + "/" + gone).ok();
        set("'sql_console_admin'", quoted(gone, key())).ok();
        set("'sql_console_admin'", "").ok();
        set("'sql_console_admin'", quoted(gone)).faultsAt("openApiKeys[0]");
    }
}
