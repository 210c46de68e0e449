package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Terraform on real databases: services, and what ClickHouse's second provider makes in them by SQL. The providers ask
 * every five seconds, so the cases run side by side.
 */
@Execution(ExecutionMode.CONCURRENT)
class TerraformLocalIT {
    private static final String PASSWORD = "a-Password-of-24-letters";

    @TempDir
    static Path folder;

    private static TestProgram program;

    private Terraform terraform;

    @BeforeAll
    static void open() throws StartRefused {
        program = LocalProgram.besideOthers().start(folder.resolve("data"), "--rules", "cloud");
    }

    @AfterAll
    static void close() throws IOException, InterruptedException {
        if (program == null) {
            return;
        }
        try (Stream<Path> left = Files.list(folder.resolve("data").resolve("services"))) {
            assertThat(program.getAsFirstKey(program.organizationUrl() + "/services")
                            .body())
                    .contains("\"result\":[]");
            assertThat(left).extracting(path -> path.getFileName().toString()).containsExactly(".lock");
        } finally {
            program.close();
        }
    }

    @BeforeEach
    void prepare(TestInfo test) throws IOException, InterruptedException {
        Path own = folder.resolve(test.getTestMethod().orElseThrow().getName());
        terraform = Terraform.of(program, Files.createDirectories(own), "clickhousedbops");
    }

    @AfterEach
    void removeLeft() throws IOException, InterruptedException {
        Terraform.removeLeft(terraform);
    }

    /** The least that the provider takes, which this machine may connect to. */
    private static String service(String name, int memory, String more) {
        return """
                resource "clickhouse_service" "%s" {
                  name                  = "Terraform %s"
                  cloud_provider        = "aws"
                  region                = "us-east-1"
                  ip_access             = [{ source = "127.0.0.1", description = "here" }]
                  min_replica_memory_gb = 8
                  max_replica_memory_gb = %s
                  password_hash         = base64sha256("%s")
                %s
                }

                """.formatted(name, name, Integer.toString(memory), PASSWORD, more);
    }

    @Test
    void aServiceAndADatabaseInItAreMadeChangedImportedAndDeleted() throws IOException, InterruptedException {
        terraform.apply(service("one", 16, ""));
        String inside = """
                provider "clickhousedbops" {
                  protocol    = "https"
                  host        = clickhouse_service.one.endpoints.https.host
                  port        = clickhouse_service.one.endpoints.https.port
                  auth_config = { strategy = "basicauth", username = "default", password = "%s" }
                  tls_config  = { ca_cert = file("%s") }
                }

                resource "clickhousedbops_database" "events" {
                  name    = "events"
                  comment = "first"
                }
                """.formatted(PASSWORD, LocalProgram.authority(folder.resolve("data")));
        terraform.apply(service("one", 16, "") + inside);
        terraform.change(service("one", 32, "") + inside);
        terraform.replace(
                service("one", 32, "") + inside.replace("first", "second"), "clickhousedbops_database.events");
        terraform.reimport("clickhousedbops_database.events", "events");
        terraform.reimport(
                "clickhouse_service.one", terraform.attribute("clickhouse_service.one", "id"), "password_hash");
        terraform.destroy();
    }

    @Test
    void aServiceThatIsStoppedIsChangedAndDeleted() throws IOException, InterruptedException {
        terraform.apply(service("rests", 16, ""));
        String url = program.organizationUrl() + "/services/" + terraform.attribute("clickhouse_service.rests", "id");
        program.patch(url + "/state", "{\"command\":\"stop\"}");
        program.await(url, body -> body.contains("\"state\":\"stopped\""));
        terraform.apply(service("rests", 16, ""));
        terraform.change(service("rests", 32, ""));
        assertThat(program.getAsFirstKey(url).body()).contains("\"state\":\"stopped\"");
        terraform.destroy();
    }

    @Test
    void aWarehouseHasASecondaryService() throws IOException, InterruptedException {
        String joins = "  warehouse_id = clickhouse_service.primary.warehouse_id\n  readonly = true\n";
        String secondary = service("secondary", 16, joins).replaceAll("(?m)^ *password_hash .*\n", "");
        terraform.apply(service("primary", 16, "") + secondary);
        terraform.change(service("primary", 16, "") + secondary.replace("= 16", "= 32"));
        terraform.reimport("clickhouse_service.secondary", terraform.attribute("clickhouse_service.secondary", "id"));
        terraform.destroy();
    }

    /** What belongs to the service of this name, and the lines that it has itself. */
    private static String around(String service) {
        return """
                data "clickhouse_api_key_id" "self" {
                }

                resource "clickhouse_role" "%1$s" {
                  name     = "Keeper of %1$s"
                  policies = [{
                    effect      = "ALLOW"
                    permissions = ["control-plane:service:view"]
                    resources   = ["instance/${clickhouse_service.%1$s.id}"]
                  }]
                }

                resource "clickhouse_service_scheduled_scaling" "day" {
                  service_id = clickhouse_service.%1$s.id
                  entries = [
                    { name = "Day", weekdays = [1, 2], start_hour_utc = 8, end_hour_utc = 18,
                      min_replica_memory_gb = 8, max_replica_memory_gb = 16 },
                  ]
                }

                resource "clickhouse_service_upgrade_window" "noon" {
                  service_id     = clickhouse_service.%1$s.id
                  weekday        = 3
                  start_hour_utc = 12
                }
                """.formatted(service);
    }

    @Test
    void aServiceHasItsEndpointItsHoursAndARole() throws IOException, InterruptedException {
        String endpoint = """
                  query_api_endpoints = {
                    api_key_ids     = [data.clickhouse_api_key_id.self.id]
                    roles           = ["sql_console_read_only"]
                    allowed_origins = "https://app.example.org"
                  }
                """;
        terraform.apply(service("asked", 16, endpoint) + around("asked"));
        terraform.change(service("asked", 16, endpoint.replace("read_only", "admin"))
                + around("asked")
                        .replace("= 18", "= 20")
                        .replace("weekday        = 3", "weekday        = 4")
                        .replace("service:view\"", "service:view-backups\""));
        terraform.destroy();
    }

    /** Nothing here takes on a role, and the provider waits for a pipe only until it has failed. */
    @Test
    void aPipeWhoseSourceNothingReadsIsMadeStoppedAndDeleted() throws IOException, InterruptedException {
        String pipe = """
                resource "clickhouse_clickpipe" "records" {
                  name       = "records"
                  service_id = clickhouse_service.fed.id
                  stopped    = false
                  source = {
                    kinesis = {
                      format         = "JSONEachRow"
                      stream_name    = "records"
                      region         = "us-east-1"
                      iterator_type  = "TRIM_HORIZON"
                      authentication = "IAM_ROLE"
                      iam_role       = "arn:aws:iam::123456789012:role/one"
                    }
                  }
                  destination = {
                    table            = "records"
                    managed_table    = true
                    table_definition = { engine = { type = "MergeTree" } }
                    columns          = [{ name = "id", type = "UInt64" }]
                  }
                  settings = { streaming_max_insert_wait_ms = 1000 }
                }
                """;
        terraform.apply(service("fed", 16, "") + pipe);
        terraform.change(service("fed", 16, "")
                + pipe.replace("stopped    = false", "stopped    = true").replace("_ms = 1000", "_ms = 2000"));
        terraform.destroy();
    }
}
