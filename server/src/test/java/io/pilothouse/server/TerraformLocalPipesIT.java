package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Terraform on real databases: pipes from a real broker and a real S3 server. The provider waits until a pipe runs, so
 * its source has to be there.
 */
class TerraformLocalPipesIT {
    private static final String SERVICE = """
            resource "clickhouse_service" "fed" {
              name                  = "Terraform fed"
              cloud_provider        = "aws"
              region                = "us-east-1"
              ip_access             = [{ source = "127.0.0.1", description = "here" }]
              min_replica_memory_gb = 8
              max_replica_memory_gb = 16
              password_hash         = base64sha256("a-Password-of-24-letters")
            }

            """;

    private static final String DESTINATION = """
              destination = {
                table            = "%s"
                managed_table    = true
                table_definition = { engine = { type = "MergeTree" } }
                columns          = [{ name = "id", type = "UInt64" }]
              }
            """;

    @TempDir
    Path folder;

    private static String pipes(KafkaBroker broker, ObjectServer objects) {
        return """
                resource "clickhouse_clickpipe" "events" {
                  name       = "events"
                  service_id = clickhouse_service.fed.id
                  stopped    = false
                  source = {
                    kafka = {
                      type           = "kafka"
                      format         = "JSONEachRow"
                      brokers        = "%s"
                      topics         = "events"
                      authentication = "SCRAM-SHA-256"
                      credentials    = { username = "%s", password = "%s" }
                    }
                  }
                %s
                  settings = { streaming_max_insert_wait_ms = 1000 }
                  scaling  = { replicas = 1, replica_cpu_millicores = 500, replica_memory_gb = 0.5 }
                }

                resource "clickhouse_clickpipe" "files" {
                  name       = "files"
                  service_id = clickhouse_service.fed.id
                  stopped    = false
                  source = {
                    object_storage = {
                      type           = "s3"
                      format         = "JSONEachRow"
                      url            = "%s"
                      is_continuous  = true
                      authentication = "IAM_USER"
                      access_key     = { access_key_id = "%s", secret_key = "%s" }
                    }
                  }
                %s
                  settings = { object_storage_polling_interval_ms = 1000 }
                  scaling  = { replicas = 1, replica_cpu_millicores = 500, replica_memory_gb = 0.5 }
                }
                """.formatted(
                        broker.loginBrokers(),
                        KafkaBroker.USER,
                        KafkaBroker.PASSWORD.replace("\"", "\\\""),
                        DESTINATION.formatted("events"),
                        objects.url("in/*.json"),
                        ObjectServer.KEY_ID,
                        ObjectServer.SECRET,
                        DESTINATION.formatted("files"));
    }

    @Test
    void pipesFromKafkaAndFromFilesAreMadeChangedImportedAndDeleted()
            throws IOException, InterruptedException, ExecutionException, StartRefused {
        Path data = folder.resolve("data");
        try (ObjectServer objects = ObjectServer.start(folder);
                KafkaBroker broker = KafkaBroker.start(folder);
                TestProgram program = new LocalProgram().start(data, "--rules", "cloud", "--egress", objects.place())) {
            broker.topic("events", 1);
            broker.send("events", 0, null, "{\"id\": 1}");
            broker.flush();
            objects.put("in/1.json", "{\"id\": 1}\n");
            Terraform terraform = Terraform.of(program, Files.createDirectories(folder.resolve("work")));
            String pipes = pipes(broker, objects);
            terraform.apply(SERVICE + pipes);
            String service = terraform.attribute("clickhouse_service.fed", "id");
            String url = program.organizationUrl() + "/services/" + service;
            program.await(url + "/clickpipes", body -> body.split("\"state\":\"Running\"", -1).length == 3);
            for (String name : new String[] {"events", "files"}) {
                String pipe = "clickhouse_clickpipe." + name;
                // A source is not read back whole, for its login; and whether a pipe is to run, and how it scales, is
                // only written down.
                terraform.reimport(
                        pipe, service + ":" + terraform.attribute(pipe, "id"), "scaling", "stopped", "source");
                terraform.apply(SERVICE + pipes);
            }
            terraform.change(SERVICE
                    + pipes.replace("_ms = 1000", "_ms = 2000")
                            .replaceFirst("stopped    = false", "stopped    = true")
                            .replace("millicores = 500", "millicores = 1000"));
            assertThat(program.getAsFirstKey(url + "/clickpipes").body()).contains("\"state\":\"Stopped\"");
            terraform.destroy();
            assertThat(program.getAsFirstKey(program.organizationUrl() + "/services")
                            .body())
                    .contains("\"result\":[]");
            assertThat(Victims.find(ProcessHandle.current().descendants(), "WorkerMain"))
                    .isEmpty();
            assertThat(program.log()).doesNotContain(KafkaBroker.PASSWORD, ObjectServer.SECRET);
        }
    }
}
