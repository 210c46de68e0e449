package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
 * Terraform makes, changes, imports and deletes what people write down with it, and has nothing to do in between. The
 * provider asks every five seconds, so the cases run side by side.
 */
@Execution(ExecutionMode.CONCURRENT)
class TerraformIT {
    @TempDir
    static Path folder;

    private static TestProgram program;

    private Terraform terraform;

    @BeforeAll
    static void open() throws StartRefused {
        program = TestProgram.start(folder.resolve("data"), "--rules", "cloud");
    }

    @AfterAll
    static void close() throws IOException, InterruptedException {
        try {
            assertThat(program.getAsFirstKey(program.organizationUrl() + "/services")
                            .body())
                    .contains("\"result\":[]");
        } finally {
            program.close();
        }
    }

    @BeforeEach
    void prepare(TestInfo test) throws IOException, InterruptedException {
        terraform = Terraform.of(
                program,
                Files.createDirectories(
                        folder.resolve(test.getTestMethod().orElseThrow().getName())));
    }

    @AfterEach
    void removeLeft() throws IOException, InterruptedException {
        Terraform.removeLeft(terraform);
    }

    /** A service with these lines among the least that the provider demands. */
    static String service(String name, String more) {
        return """
                resource "clickhouse_service" "%s" {
                  name                  = "Terraform %s"
                  cloud_provider        = "aws"
                  region                = "us-east-1"
                  ip_access             = [{ source = "10.0.0.0/8", description = "office" }]
                %s
                }

                """.formatted(name, name, more);
    }

    static final String SIZE = """
              idle_scaling          = true
              idle_timeout_minutes  = 5
              min_replica_memory_gb = 8
              max_replica_memory_gb = 120
            """;
    static final String HASH = "  password_hash = base64sha256(\"a-Password-of-24-letters\")\n";

    @Test
    void aServiceIsMadeResizedImportedAndDeleted() throws IOException, InterruptedException {
        terraform.apply(service("one", SIZE + HASH));
        terraform.change(service("one", SIZE.replace("120", "64").replace("= 5", "= 30") + HASH));
        terraform.reimport(
                "clickhouse_service.one", terraform.attribute("clickhouse_service.one", "id"), "password_hash");
        terraform.destroy();
    }

    @Test
    void everyFieldOfAServiceIsTaken() throws IOException, InterruptedException {
        String all = SIZE + HASH + """
                  double_sha1_password_hash = sha1("a-Password-of-24-letters")
                  release_channel           = "fast"
                  enable_core_dumps         = true
                  num_replicas              = 2
                  tags                      = { team = "data", stage = "test" }
                  endpoints                 = { mysql = { enabled = true } }
                  backup_configuration      = { backup_period_in_hours = 24, backup_retention_period_in_hours = 48 }
                  encryption_key            = "arn:aws:kms:us-east-1:123456789012:key/one"
                  encryption_assumed_role_identifier = "arn:aws:iam::123456789012:role/one"
                """;
        terraform.apply(service("full", all));
        terraform.change(service(
                "full",
                all.replace("fast", "slow")
                        .replace("core_dumps         = true", "core_dumps         = false")
                        .replace("stage = \"test\"", "stage = \"live\"")
                        .replace("in_hours = 48", "in_hours = 72")));
        terraform.destroy();
    }

    @Test
    void aServiceScalesHorizontallyWithinABand() throws IOException, InterruptedException {
        String band = HASH + """
                  autoscaling_mode      = "horizontal"
                  idle_scaling          = true
                  idle_timeout_minutes  = 5
                  min_replica_memory_gb = 16
                  max_replica_memory_gb = 16
                  min_replicas          = 2
                  max_replicas          = 5
                """;
        terraform.apply(service("band", band));
        terraform.change(service("band", band.replace("max_replicas          = 5", "max_replicas          = 6")));
        terraform.destroy();
    }

    @Test
    void aWarehouseHasASecondaryService() throws IOException, InterruptedException {
        String primary = service("primary", SIZE + HASH);
        terraform.apply(primary
                + service(
                        "secondary",
                        SIZE + "  warehouse_id = clickhouse_service.primary.warehouse_id\n  readonly = true\n"));
        terraform.change(primary
                + service(
                        "secondary",
                        SIZE.replace("120", "64")
                                + "  warehouse_id = clickhouse_service.primary.warehouse_id\n  readonly = true\n"));
        terraform.destroy();
    }

    @Test
    void aPasswordIsSetByItsHashOrWritten() throws IOException, InterruptedException {
        terraform.apply(service("secret", SIZE + HASH));
        terraform.change(service("secret", SIZE + HASH.replace("24", "25")));
        terraform.destroy();
    }

    @Test
    void aServiceHasAnUpgradeWindowAndAScalingSchedule() throws IOException, InterruptedException {
        String times = """
                resource "clickhouse_service_scheduled_scaling" "day" {
                  service_id = clickhouse_service.timed.id
                  entries = [
                    { name = "Day", weekdays = [1, 2], start_hour_utc = 8, end_hour_utc = 18,
                      min_replica_memory_gb = 16, max_replica_memory_gb = 32 },
                  ]
                }

                resource "clickhouse_service_upgrade_window" "noon" {
                  service_id     = clickhouse_service.timed.id
                  weekday        = 3
                  start_hour_utc = 12
                }
                """;
        terraform.apply(service("timed", SIZE + HASH) + times);
        terraform.change(service("timed", SIZE + HASH)
                + times.replace("= 18", "= 20").replace("weekday        = 3", "weekday        = 4"));
        terraform.destroy();
    }

    @Test
    void aServiceHasAQueryEndpoint() throws IOException, InterruptedException {
        String key = "data \"clickhouse_api_key_id\" \"self\" {\n}\n\n";
        String endpoint = SIZE + HASH + """
                  query_api_endpoints = {
                    api_key_ids     = [data.clickhouse_api_key_id.self.id]
                    roles           = ["sql_console_read_only"]
                    allowed_origins = "https://app.example.org"
                  }
                """;
        terraform.apply(key + service("asked", endpoint));
        terraform.change(
                key + service("asked", endpoint.replace("read_only", "admin").replace("https://app.example.org", "*")));
        terraform.change(key + service("asked", SIZE + HASH));
        terraform.destroy();
    }

    @Test
    void aRoleIsMadeAssignedAndChanged() throws IOException, InterruptedException {
        String roles = """
                data "clickhouse_api_key_id" "self" {
                }

                data "clickhouse_user" "first" {
                  email = "admin@pilothouse.internal"
                }

                data "clickhouse_role" "member" {
                  name = "Member"
                }

                data "clickhouse_roles" "all" {
                }

                resource "clickhouse_role" "keeper" {
                  name = "Keeper"
                  policies = [
                    {
                      effect      = "ALLOW"
                      permissions = ["control-plane:organization:view"]
                      resources   = ["organization/ORGANIZATION"]
                    },
                    {
                      effect      = "ALLOW"
                      permissions = ["control-plane:service:view", "control-plane:service:view-backups"]
                      resources   = ["instance/*"]
                    },
                    {
                      effect      = "DENY"
                      permissions = ["sql-console:database:access"]
                      resources   = ["instance/*"]
                      tags        = { role = "sql-console-readonly" }
                    },
                  ]
                }

                resource "clickhouse_role_assignment" "keepers" {
                  role_id     = clickhouse_role.keeper.id
                  api_key_ids = [data.clickhouse_api_key_id.self.id]
                  user_ids    = [data.clickhouse_user.first.id]
                }

                resource "clickhouse_role_assignment" "members" {
                  role_id  = data.clickhouse_role.member.id
                  user_ids = [data.clickhouse_user.first.id]
                }
                """.replace("ORGANIZATION", program.organizationUrl().replaceAll(".*/", ""));
        terraform.apply(roles);
        terraform.change(roles.replace("\"Keeper\"", "\"Guard\"")
                .replace("view-backups", "manage-backups")
                .replace("  api_key_ids = [data.clickhouse_api_key_id.self.id]\n", ""));
        terraform.destroy();
    }

    @Test
    void anOrganizationsSettingsAndPrivateEndpointsAreKept() throws IOException, InterruptedException {
        String around = """
                resource "clickhouse_organization_settings" "all" {
                  core_dumps_enabled = true
                }

                resource "clickhouse_service_private_endpoints_attachment" "way" {
                  service_id           = clickhouse_service.near.id
                  private_endpoint_ids = ["vpce-0123456789abcdef0"]
                }

                """;
        terraform.apply(around + service("near", SIZE + HASH));
        terraform.change(around.replace("abcdef0", "abcdef1") + service("near", SIZE + HASH));
        terraform.destroy();
    }

    @Test
    void pipesAreMadeSetScaledAndStopped() throws IOException, InterruptedException {
        String service = service("fed", SIZE + HASH);
        String pipes = """
                resource "clickhouse_clickpipe" "events" {
                  name       = "events"
                  service_id = clickhouse_service.fed.id
                  stopped    = false
                  source = {
                    kafka = {
                      type           = "confluent"
                      format         = "JSONEachRow"
                      brokers        = "broker.example.org:9092"
                      topics         = "events"
                      authentication = "PLAIN"
                      credentials    = { username = "reader", password = "secret" }
                    }
                  }
                  destination = {
                    table         = "events"
                    managed_table = true
                    table_definition = {
                      engine = { type = "MergeTree" }
                    }
                    columns = [
                      { name = "id", type = "UInt64" },
                      { name = "name", type = "String" },
                    ]
                  }
                  field_mappings = [{ source_field = "user_id", destination_field = "id" }]
                }

                resource "clickhouse_clickpipe" "files" {
                  name       = "files"
                  service_id = clickhouse_service.fed.id
                  source = {
                    object_storage = {
                      type          = "s3"
                      format        = "CSVWithNames"
                      url           = "https://bucket.s3.amazonaws.com/*.csv"
                      is_continuous = true
                    }
                  }
                  destination = {
                    table         = "files"
                    managed_table = true
                    table_definition = {
                      engine = { type = "MergeTree" }
                    }
                    columns = [{ name = "id", type = "UInt64" }]
                  }
                  settings = { object_storage_concurrency = 4 }
                  scaling  = { replicas = 2, replica_cpu_millicores = 250, replica_memory_gb = 1 }
                }
                """;
        terraform.apply(service + pipes);
        terraform.change(service
                + pipes.replace("stopped    = false", "stopped    = true")
                        .replace("concurrency = 4", "concurrency = 8")
                        .replace("replicas = 2", "replicas = 3"));
        terraform.destroy();
    }

    @Test
    void aServiceIsEncryptedUnderAKeyThatChanges() throws IOException, InterruptedException {
        String service = service("sealed", SIZE + HASH + "  transparent_data_encryption = { enabled = true }\n");
        String key = """
                resource "clickhouse_service_transparent_data_encryption_key_association" "key" {
                  service_id = clickhouse_service.sealed.id
                  key_id     = "arn:aws:kms:us-east-1:123456789012:key/one"
                }
                """;
        terraform.apply(service + key);
        terraform.change(service + key.replace("key/one", "key/two"));
        terraform.destroy();
    }

    @Test
    void aDatabaseIsReadThroughAPrivateWay() throws IOException, InterruptedException {
        String database = service("copied", SIZE + HASH) + """
                resource "clickhouse_clickpipes_reverse_private_endpoint" "way" {
                  service_id                = clickhouse_service.copied.id
                  description               = "database"
                  type                      = "VPC_ENDPOINT_SERVICE"
                  vpc_endpoint_service_name = "com.amazonaws.vpce.us-east-1.vpce-svc-0123456789abcdef0"
                }

                resource "clickhouse_clickpipe" "orders" {
                  name       = "orders"
                  service_id = clickhouse_service.copied.id
                  source = {
                    postgres = {
                      host           = "db.example.org"
                      port           = 5432
                      database       = "shop"
                      credentials    = { username = "reader", password = "secret" }
                      settings       = { replication_mode = "cdc" }
                      table_mappings = [{ source_schema_name = "public", source_table = "orders", target_table = "orders" }]
                    }
                  }
                  destination = { database = "default" }
                }

                resource "clickhouse_clickpipe_cdc_infrastructure" "size" {
                  service_id             = clickhouse_service.copied.id
                  replica_cpu_millicores = 2000
                  replica_memory_gb      = 8
                  depends_on             = [clickhouse_clickpipe.orders]
                }
                """;
        terraform.apply(database);
        terraform.change(database.replace("= 2000", "= 4000")
                .replace("replica_memory_gb      = 8", "replica_memory_gb      = 16"));
        terraform.destroy();
    }
}
