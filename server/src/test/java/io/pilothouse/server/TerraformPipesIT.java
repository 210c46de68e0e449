package io.pilothouse.server;

import static io.pilothouse.server.TerraformIT.HASH;
import static io.pilothouse.server.TerraformIT.SIZE;
import static io.pilothouse.server.TerraformIT.service;
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

/** Terraform makes, changes and deletes pipes from every kind of source, the private ways to them, and webhooks. */
@Execution(ExecutionMode.CONCURRENT)
class TerraformPipesIT {
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

    /** A pipe into the service of this name, from this source. */
    private static String pipe(String service, String name, String source, String destination) {
        return """
                resource "clickhouse_clickpipe" "%s" {
                  name       = "%s"
                  service_id = clickhouse_service.%s.id
                  source = {
                %s
                  }
                  destination = {
                %s
                  }
                }

                """.formatted(name, name, service, source.indent(4), destination.indent(4));
    }

    private static final String DATABASE = "database = \"default\"";

    private static String table(String name) {
        return """
                table         = "%s"
                managed_table = true
                table_definition = {
                  engine = { type = "MergeTree" }
                }
                columns = [{ name = "id", type = "UInt64" }]
                """.formatted(name);
    }

    @Test
    void databasesAreCopied() throws IOException, InterruptedException {
        String mysql = """
                mysql = {
                  host           = "db.example.org"
                  type           = "mariadb"
                  credentials    = { username = "reader", password = "secret" }
                  settings       = { replication_mode = "cdc", sync_interval_seconds = 60 }
                  table_mappings = [{ source_schema_name = "shop", source_table = "users", target_table = "users" }]
                }
                """;
        String mongodb = """
                mongodb = {
                  uri             = "mongodb+srv://cluster.example.org/shop"
                  read_preference = "secondaryPreferred"
                  credentials     = { username = "reader", password = "secret" }
                  settings        = { replication_mode = "cdc" }
                  table_mappings  = [{ source_database_name = "shop", source_collection = "carts", target_table = "carts" }]
                }
                """;
        String bigquery = """
                bigquery = {
                  snapshot_staging_path = "gs://bucket/staging/"
                  credentials           = { service_account_file = base64encode("{}") }
                  settings              = { replication_mode = "snapshot" }
                  table_mappings        = [{ source_dataset_name = "shop", source_table = "orders", target_table = "orders" }]
                }
                """;
        String all = service("copies", SIZE + HASH)
                + pipe("copies", "users", mysql, DATABASE)
                + pipe("copies", "carts", mongodb, DATABASE)
                + pipe("copies", "history", bigquery, DATABASE);
        terraform.apply(all);
        terraform.change(all.replace("sync_interval_seconds = 60", "sync_interval_seconds = 30")
                .replace("secondaryPreferred", "nearest"));
        terraform.destroy();
    }

    @Test
    void streamsAreRead() throws IOException, InterruptedException {
        String pubsub = """
                pubsub = {
                  project_id          = "my-project"
                  topic               = "events"
                  format              = "JSONEachRow"
                  authentication      = "SERVICE_ACCOUNT"
                  seek_type           = "earliest"
                  ack_deadline        = 60
                  service_account_key = { service_account_file = base64encode("{}") }
                }
                """;
        String kinesis = """
                kinesis = {
                  format         = "JSONEachRow"
                  stream_name    = "events"
                  region         = "us-east-1"
                  iterator_type  = "AT_TIMESTAMP"
                  timestamp      = "2024-01-01T00:00"
                  authentication = "IAM_ROLE"
                  iam_role       = "arn:aws:iam::123456789012:role/one"
                }
                """;
        String all = service("streams", SIZE + HASH)
                + pipe("streams", "messages", pubsub, table("messages"))
                + pipe("streams", "records", kinesis, table("records"));
        terraform.apply(all);
        terraform.change(all.replace("= 60", "= 90").replace("role/one", "role/two"));
        terraform.destroy();
    }

    @Test
    void aClusterOfMskIsReadThroughAPrivateWay() throws IOException, InterruptedException {
        String way = """
                resource "clickhouse_clickpipes_reverse_private_endpoint" "msk" {
                  service_id         = clickhouse_service.near.id
                  description        = "cluster"
                  type               = "MSK_MULTI_VPC"
                  msk_cluster_arn    = "arn:aws:kafka:us-east-1:123456789012:cluster/demo/00000000-0000-0000-0000-000000000000-1"
                  msk_authentication = "SASL_IAM"
                }

                """;
        String kafka = """
                kafka = {
                  type                         = "msk"
                  format                       = "JSONEachRow"
                  brokers                      = join(",", [for i, name in clickhouse_clickpipes_reverse_private_endpoint.msk.private_dns_names : "${name}:${14001 + i}"])
                  topics                       = "events"
                  authentication               = "IAM_ROLE"
                  iam_role                     = "arn:aws:iam::123456789012:role/one"
                  reverse_private_endpoint_ids = [clickhouse_clickpipes_reverse_private_endpoint.msk.id]
                }
                """;
        String region = """
                data "clickhouse_private_endpoint_config" "here" {
                  cloud_provider = "aws"
                  region         = "us-east-1"
                }

                """;
        String all = region + service("near", SIZE + HASH) + way + pipe("near", "events", kafka, table("events"));
        terraform.apply(all);
        terraform.change(all.replace("role/one", "role/two"));
        terraform.destroy();
    }

    @Test
    void aWebhookIsMadeAndChanged() throws IOException, InterruptedException {
        String webhook = """
                resource "clickhouse_clickstack_webhook" "hook" {
                  name        = "On call"
                  service     = "generic"
                  url         = "https://hooks.example.org/on-call"
                  description = "first"
                }
                """;
        terraform.apply(webhook);
        terraform.change(webhook.replace("first", "second"));
        terraform.destroy();
    }
}
