package io.pilothouse.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was made without Terraform, or is no longer in its state, is taken up by it as it is. */
class TerraformImportIT {
    private static final String ALL = """
            resource "clickhouse_service" "one" {
              name                  = "Terraform one"
              cloud_provider        = "aws"
              region                = "us-east-1"
              ip_access             = [{ source = "10.0.0.0/8", description = "office" }]
              min_replica_memory_gb = 8
              max_replica_memory_gb = 120
              password_hash         = base64sha256("a-Password-of-24-letters")
            }

            resource "clickhouse_service_scheduled_scaling" "day" {
              service_id = clickhouse_service.one.id
              entries = [
                { name = "Day", weekdays = [1, 2], start_hour_utc = 8, end_hour_utc = 18,
                  min_replica_memory_gb = 16, max_replica_memory_gb = 32 },
              ]
            }

            resource "clickhouse_service_upgrade_window" "noon" {
              service_id     = clickhouse_service.one.id
              weekday        = 3
              start_hour_utc = 12
            }

            resource "clickhouse_service_private_endpoints_attachment" "way" {
              service_id           = clickhouse_service.one.id
              private_endpoint_ids = ["vpce-0123456789abcdef0"]
            }

            resource "clickhouse_clickpipes_reverse_private_endpoint" "way" {
              service_id                = clickhouse_service.one.id
              description               = "database"
              type                      = "VPC_ENDPOINT_SERVICE"
              vpc_endpoint_service_name = "com.amazonaws.vpce.us-east-1.vpce-svc-0123456789abcdef0"
            }

            resource "clickhouse_clickpipe" "files" {
              name       = "files"
              service_id = clickhouse_service.one.id
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
            }
            """;

    @TempDir
    Path folder;

    @Test
    void everyResourceThatTheProviderCanImportIsImported() throws IOException, InterruptedException, StartRefused {
        try (TestProgram program = TestProgram.start(folder.resolve("data"), "--rules", "cloud")) {
            Terraform terraform = Terraform.of(program, Files.createDirectories(folder.resolve("work")));
            terraform.apply(ALL);
            String service = terraform.attribute("clickhouse_service.one", "id");
            terraform.reimport("clickhouse_service.one", service, "password_hash");
            terraform.apply(ALL);
            terraform.reimport("clickhouse_service_scheduled_scaling.day", service);
            terraform.reimport("clickhouse_service_upgrade_window.noon", service);
            terraform.reimport("clickhouse_service_private_endpoints_attachment.way", service);
            String way = "clickhouse_clickpipes_reverse_private_endpoint.way";
            terraform.reimport(way, service + ":" + terraform.attribute(way, "id"));
            String pipe = "clickhouse_clickpipe.files";
            // Whether it is stopped, and how it scales, is only written down.
            terraform.reimport(pipe, service + ":" + terraform.attribute(pipe, "id"), "scaling", "stopped");
            terraform.destroy();
        }
    }
}
