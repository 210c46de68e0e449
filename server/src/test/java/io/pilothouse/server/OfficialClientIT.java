package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** ClickHouse's own client works here as people use it: it runs unmodified, and is given nothing but the address. */
class OfficialClientIT {
    private static final String COLUMN = "{\"sourceField\": \"id\", \"destinationField\": \"id\"}";
    private static final String TABLE = "{\"engine\": {\"type\": \"MergeTree\", \"columnIds\": [],"
            + " \"versionColumnId\": \"\"}, \"sortingKey\": [\"id\"], \"partitionBy\": \"\", \"primaryKey\": \"\"}";

    @TempDir
    Path folder;

    private TestProgram program;
    private OfficialClient client;

    @BeforeEach
    void open() throws IOException, InterruptedException, StartRefused {
        program = TestProgram.start(folder.resolve("data"), "--rules", "cloud");
        client = OfficialClient.of(program, folder.resolve("home"));
    }

    @AfterEach
    void close() {
        program.close();
    }

    private String created(String... more) throws IOException, InterruptedException {
        String service = TestProgram.field(client.cloud(more), "id");
        program.await(
                program.organizationUrl() + "/services/" + service, body -> body.contains("\"state\":\"running\""));
        return service;
    }

    @Test
    void aServiceIsMadeChangedStoppedStartedAndDeleted() throws IOException, InterruptedException {
        assertThat(client.cloud("service", "list")).contains("No services found");
        String service = created("service", "create", "--name", "cli-one", "--region", "us-east-1", "--json");
        assertThat(client.cloud("service", "list")).contains("cli-one", service, "running", "us-east-1");

        client.cloud(
                "service",
                "update",
                service,
                "--new-name",
                "cli-two",
                "--add-ip-allow",
                "10.0.0.0/8=office",
                "--add-tag",
                "team=data",
                "--enable-endpoint",
                "mysql");
        client.cloud(
                "service",
                "scale",
                service,
                "--num-replicas",
                "2",
                "--min-replica-memory-gb",
                "16",
                "--max-replica-memory-gb",
                "32");
        client.cloud("service", "backup-config", "update", service, "--backup-period-hours", "12");
        assertThat(client.cloud("service", "backup-config", "get", service)).contains("backupPeriodInHours: 12");
        client.cloud("service", "private-endpoint", "create", service, "--endpoint-id", "vpce-0123456789abcdef0");
        assertThat(client.cloud("service", "private-endpoint", "get-config", service))
                .contains("privateDnsHostname: ");
        assertThat(client.cloud("service", "reset-password", service)).contains("New password: ");
        assertThat(client.cloud("service", "get", service, "--json"))
                .contains("\"cli-two\"", "10.0.0.0/8", "office", "\"team\"", "\"numReplicas\": 2", "mysql");

        assertThat(client.cloud("service", "stop", service)).contains("stop request accepted");
        program.await(
                program.organizationUrl() + "/services/" + service, body -> body.contains("\"state\":\"stopped\""));
        assertThat(client.cloud("service", "start", service)).contains("start request accepted");
        program.await(
                program.organizationUrl() + "/services/" + service, body -> body.contains("\"state\":\"running\""));
        // It knows a running service by the words of the refusal, and says what to do about it.
        OfficialClient.Run refused = client.cloudWith(program.credential("key_secret"), "service", "delete", service);
        assertThat(refused.code()).isOne();
        assertThat(refused.printed()).contains("use --force to stop it first");
        assertThat(client.cloud("service", "delete", service, "--force")).contains("deletion initiated");
        program.await(program.organizationUrl() + "/services/" + service, body -> body.contains("\"status\":404"));
    }

    @Test
    void aPipeIsMadeScaledStoppedStartedAndDeleted() throws IOException, InterruptedException {
        String service = created("service", "create", "--name", "cli-one", "--json");
        Path table = Files.writeString(folder.resolve("table.json"), TABLE);
        String pipe = TestProgram.field(
                client.cloud(
                        "clickpipe",
                        "create",
                        "kafka",
                        service,
                        "--json",
                        "--name=orders",
                        "--kafka-type=kafka",
                        "--brokers=broker.example.org:9092",
                        "--topics=orders",
                        "--format=JSONEachRow",
                        "--auth=PLAIN",
                        "--username=reader",
                        "--password=secret",
                        "--database=default",
                        "--table=orders",
                        "--column=id:UInt64",
                        "--managed-table=true",
                        "--field-mapping=" + COLUMN,
                        "--table-definition-file=" + table),
                "id");
        String url = program.organizationUrl() + "/services/" + service + "/clickpipes/" + pipe;
        program.await(url, body -> body.contains("\"state\":\"Running\""));
        assertThat(client.cloud("clickpipe", "list", service)).contains("orders", pipe, "Kafka", "Running");
        assertThat(client.cloud("clickpipe", "scale", service, pipe, "--replicas=2", "--memory-gb=1"))
                .contains("Replicas: 2");
        client.cloud("clickpipe", "stop", service, pipe);
        program.await(url, body -> body.contains("\"state\":\"Stopped\""));
        client.cloud("clickpipe", "start", service, pipe);
        client.cloud(
                "clickpipe",
                "reverse-private-endpoint",
                "create",
                service,
                "--type=VPC_ENDPOINT_SERVICE",
                "--description=brokers",
                "--vpc-endpoint-service-name=com.amazonaws.vpce.us-east-1.vpce-svc-0123456789abcdef0");
        assertThat(client.cloud("clickpipe", "reverse-private-endpoint", "list", service))
                .contains("VPC_ENDPOINT_SERVICE", "brokers");
        client.cloud("clickpipe", "delete", service, pipe);
        program.await(url, body -> body.contains("\"status\":404"));
    }

    @Test
    void anOrganizationItsKeysAndItsHistoryAreLookedAfter() throws IOException, InterruptedException {
        client.cloud("org", "update", "--new-name", "Mine");
        assertThat(client.cloud("org", "list")).contains("Mine", program.credential("organization_id"));
        assertThat(client.cloud("key", "create", "--name", "robot")).contains("API key created!");
        assertThat(client.cloud("key", "list")).contains("robot", "enabled");
        assertThat(client.cloud("activity", "list")).contains("create");
        OfficialClient.Run wrong = client.cloudWith("wrong", "service", "list");
        assertThat(wrong.code()).as(wrong.printed()).isEqualTo(4);
    }
}
