package io.pilothouse.server;

import static io.pilothouse.server.ConsolePages.all;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;

/** Every block of Terraform that stands beside a form is one that ClickHouse's own provider takes. */
class ConsoleTerraformIT {
    /** What a block that is a part of a resource leaves out. */
    private static final Map<String, String> REST = Map.of(
            "clickhouse_service", """
                    name = "A"
                    ip_access = []
                    password = "..."
                    cloud_provider = "aws"
                    region = "us-east-1"
                    """,
            "clickhouse_clickpipe", """
                    service_id = "1"
                    name = "Files"
                    source = { object_storage = { format = "JSONEachRow", url = "https://files.example.org/*" } }
                    destination = { database = "default" }
                    """,
            "clickhouse_role", """
                    name = "A"
                    """);

    @Test
    void theProviderTakesEveryBlock(@TempDir Path folder, @TempDir Path modules)
            throws IOException, InterruptedException, StartRefused {
        try (TestProgram program = TestProgram.start(folder);
                ConsolePages pages = ConsolePages.signedIn(program)) {
            String service = ConsolePages.running(program, "Explained");
            String pipe = pipe(program, service);
            String role = made(program, "/roles", """
                    {"name": "Readers", "policies": [{"allowDeny": "ALLOW", "resources": ["instance/*"],
                     "permissions": ["control-plane:service:view"]}]}""");
            String key = TestProgram.field(
                    program.getAsFirstKey(program.organizationUrl() + "/keys").body(), "id");
            StringBuilder all = new StringBuilder();
            int blocks = 0;
            int addresses = 0;
            for (String path : List.of(
                    "/services/" + service,
                    "/services/" + service + "/backups",
                    "/services/" + service + "/settings",
                    "/services/" + service + "/schedules",
                    "/services/" + service + "/new-pipe",
                    "/services/" + service + "/pipes/" + pipe,
                    "/new-service",
                    "/roles",
                    "/roles/" + role,
                    "/keys",
                    "/keys/" + key,
                    "/members",
                    "/webhooks",
                    "/alerts",
                    "/dashboards")) {
                for (Element said : all(pages.page(path), "pre")) {
                    if (said.getAttribute("class").equals("terraform")) {
                        String text = said.getTextContent();
                        assertThat(text).as(path).matches("(?s)#[^\\n]*|resource .*");
                        if (text.startsWith("resource")) {
                            blocks++;
                            all.append(whole(text, blocks)).append('\n');
                        }
                    } else if (said.getAttribute("id").equals("client-terraform")) {
                        all.append("resource \"clickhouse_service\" \"this\" {\n")
                                .append(REST.get("clickhouse_service"))
                                .append("}\n")
                                .append(said.getTextContent())
                                .append('\n');
                        addresses++;
                    }
                }
            }
            assertThat(blocks).isGreaterThan(20);
            assertThat(addresses).isOne();
            Terraform.of(program, modules).validate(all.toString());
        }
    }

    private static String pipe(TestProgram program, String service) throws IOException, InterruptedException {
        return made(program, "/services/" + service + "/clickpipes", """
                {"name": "Orders",
                 "source": {"kafka": {"format": "JSONEachRow", "brokers": "broker.example.org:9092", "topics": "orders",
                   "authentication": "PLAIN", "credentials": {"username": "reader", "password": "of the reader"}}},
                 "destination": {"database": "default", "table": "orders", "managedTable": true,
                   "tableDefinition": {"engine": {"type": "MergeTree"}, "sortingKey": ["id"]},
                   "columns": [{"name": "id", "type": "Int64"}]},
                 "fieldMappings": [{"sourceField": "id", "destinationField": "id"}]}""");
    }

    private static String made(TestProgram program, String path, String body) throws IOException, InterruptedException {
        HttpResponse<String> answer = program.send(program.management(program.organizationUrl() + path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return TestProgram.field(answer.body(), "id");
    }

    /** A block of its own name, with what it leaves out. */
    private static String whole(String block, int number) {
        String named = block.replaceAll("(resource \"\\w+\" \")(\\w+)\"", "$1block_" + number + "_$2\"");
        String resource = block.split("\"", -1)[1];
        StringBuilder rest = new StringBuilder();
        for (String line : REST.getOrDefault(resource, "").lines().toList()) {
            if (!block.contains("\n  " + line.substring(0, line.indexOf(' ')) + " = ")) {
                rest.append("  ").append(line).append('\n');
            }
        }
        return named.replace("  # ...\n", rest.toString());
    }
}
