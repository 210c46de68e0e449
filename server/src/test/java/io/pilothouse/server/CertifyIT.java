package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Modules are certified as their authors do it, with Terraform and, where they name it, ClickHouse's own provider. */
class CertifyIT {
    @TempDir
    Path folder;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private Path module;

    @BeforeEach
    void prepare() throws IOException {
        module = Files.createDirectory(folder.resolve("module"));
    }

    private int certify(Map<String, String> more, String... options) throws IOException, InterruptedException {
        Map<String, String> environment = new TreeMap<>(Terraform.forInit(folder));
        environment.putAll(more);
        List<String> arguments = new ArrayList<>(List.of("certify", module.toString()));
        arguments.addAll(List.of("--terraform", Terraform.binary().toString()));
        arguments.addAll(List.of(options));
        try (PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            return new Main(environment, out, out).run(arguments);
        }
    }

    /** What was printed, with single blanks. */
    private String printed() {
        return printed.toString(StandardCharsets.UTF_8).replaceAll(" +", " ");
    }

    private void write(String text) throws IOException {
        Files.writeString(module.resolve("main.tf"), text);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(module)) {
            return all.sorted().toList();
        }
    }

    @Test
    void moduleOfAServiceIsCertified() throws IOException, InterruptedException {
        write("""
                terraform {
                  required_providers {
                    clickhouse = { source = "ClickHouse/clickhouse" }
                  }
                }

                variable "organization_id" {}
                variable "token_key" {}
                variable "token_secret" { sensitive = true }

                variable "memory" {
                  default = 8
                  validation {
                    condition     = contains([8, 16], var.memory)
                    error_message = "8 or 16"
                  }
                }

                variable "region" { default = "eu-west-1" }

                variable "password" {
                  default   = "first-Password-of-24-letters"
                  sensitive = true
                }

                variable "tags" {
                  type    = map(string)
                  default = {}
                }

                provider "clickhouse" {
                  organization_id = var.organization_id
                  token_key       = var.token_key
                  token_secret    = var.token_secret
                }

                resource "clickhouse_service" "events" {
                  name                  = "events"
                  cloud_provider        = "aws"
                  region                = var.region
                  min_replica_memory_gb = var.memory
                  max_replica_memory_gb = 64
                  idle_scaling          = true
                  idle_timeout_minutes  = 5
                  ip_access             = [{ source = "127.0.0.1", description = "this machine" }]
                  password_hash         = base64sha256(var.password)
                  tags                  = var.tags
                }

                resource "clickhouse_service_upgrade_window" "noon" {
                  service_id     = clickhouse_service.events.id
                  weekday        = 3
                  start_hour_utc = 12
                }
                """);
        Files.writeString(module.resolve("certify.tfvars.json"), """
                {"password": ["second-Password-of-24-letters"], "tags": [{"team": "data"}]}
                """);
        List<Path> before = files();
        Path report = folder.resolve("report.xml");
        assertThat(certify(Map.of(), "--junit", report.toString()))
                .as(printed())
                .isEqualTo(Main.FINE);
        assertThat(printed())
                .contains(
                        "2 resources, 4 variables",
                        "memory ok",
                        "= 16",
                        "password = (hidden) ok",
                        "password = (hidden): empty plan ok",
                        "tags = {\"team\":\"data\"} ok",
                        "region skipped refused with \"eu-west-1-2\"",
                        "all variables as before: empty plan ok",
                        "fault: 429 three times ok",
                        "fault: 503 twice ok",
                        "fault: two requests cut off ok",
                        "fault: a change without its answer ok",
                        "fault: a change without its answer: empty plan ok",
                        "import clickhouse_service.events ok",
                        "import clickhouse_service_upgrade_window.noon ok",
                        "not shown by the API: password_hash",
                        "imported: empty plan ok",
                        "destroy ok",
                        "nothing left ok",
                        "Certified: ")
                .doesNotContain("first-Password", "second-Password");
        assertThat(Files.readString(report))
                .contains("failures=\"0\"", "name=\"import clickhouse_service.events\"")
                .doesNotContain("first-Password", "second-Password");
        assertThat(files()).as("the module").isEqualTo(before);
    }

    @Test
    void moduleOfThePageAboutTerraformIsCertified() throws IOException, InterruptedException {
        String page = Files.readString(Clone.root().resolve("docs/terraform.md"));
        int begin = page.indexOf("terraform {\n  required_providers");
        write(page.substring(begin, page.indexOf("```", begin)));
        assertThat(certify(Map.of())).as(printed()).isEqualTo(Main.FINE);
        assertThat(printed())
                .contains(
                        "3 added, 0 changed, 0 destroyed",
                        "import clickhouse_clickpipe.orders ok",
                        "not shown by the API: password_hash, source.kafka.credentials, stopped",
                        "nothing left ok");
    }

    @Test
    void planThatIsNeverEmptyFailsAndNamesTheAttribute() throws IOException, InterruptedException {
        write("resource \"terraform_data\" \"clock\" {\n  input = timestamp()\n}\n");
        Path report = folder.resolve("report.xml");
        assertThat(certify(Map.of(), "--junit", report.toString())).isEqualTo(Main.REFUSED);
        assertThat(printed())
                .contains(
                        "empty plan FAILED",
                        "terraform_data.clock would be updated",
                        "input: ",
                        "destroy ok",
                        "nothing left ok",
                        "Not certified: ");
        assertThat(Files.readString(report)).contains("failures=\"1\"", "terraform_data.clock would be updated");
    }

    @Test
    void applyThatAFaultBreaksIsTakenUpByTheNext() throws IOException, InterruptedException {
        write("""
                variable "note" { default = "one" }

                resource "terraform_data" "asks" {
                  triggers_replace = var.note
                  provisioner "local-exec" {
                    command = <<-EOT
                      curl -sf -u "$CLICKHOUSE_CLOUD_API_KEY:$CLICKHOUSE_CLOUD_API_SECRET" \\
                        "$CLICKHOUSE_API_URL/organizations/$CLICKHOUSE_ORG_ID/services"
                    EOT
                  }
                }
                """);
        assertThat(certify(Map.of())).as(printed()).isEqualTo(Main.FINE);
        assertThat(printed())
                .containsPattern("fault: 429 three times ok .* the apply failed, the next one went through")
                .containsPattern("fault: two requests cut off ok .* the apply failed, the next one went through")
                .containsPattern("fault: a change without its answer skipped it met no request");
    }

    @Test
    void whatADestroyLeavesBehindIsNamed() throws IOException, InterruptedException {
        write("""
                resource "terraform_data" "forgotten" {
                  provisioner "local-exec" {
                    command = <<-EOT
                      curl -sf -u "$CLICKHOUSE_CLOUD_API_KEY:$CLICKHOUSE_CLOUD_API_SECRET" \\
                        -H 'Content-Type: application/json' -d '{"name": "forgotten"}' \\
                        "$CLICKHOUSE_API_URL/organizations/$CLICKHOUSE_ORG_ID/services"
                    EOT
                  }
                }
                """);
        assertThat(certify(Map.of())).as(printed()).isEqualTo(Main.REFUSED);
        assertThat(printed())
                .contains("destroy ok", "nothing left FAILED", "1 thing left", "services ", "\"forgotten\"");
    }

    @Test
    void applyThatFailsIsShownAndClearedAway() throws IOException, InterruptedException {
        write("""
                resource "terraform_data" "made" {}

                resource "terraform_data" "broken" {
                  provisioner "local-exec" {
                    command = "echo not today >&2; exit 3"
                  }
                }
                """);
        assertThat(certify(Map.of())).as(printed()).isEqualTo(Main.REFUSED);
        assertThat(printed())
                .contains("apply FAILED", "not today", "destroy ok", "1 failed")
                .doesNotContain("import");
    }

    @Test
    void programThatRunsAlreadyKeepsWhatItHad() throws IOException, InterruptedException, StartRefused {
        write("resource \"terraform_data\" \"one\" {}\n");
        try (TestProgram program = TestProgram.start(folder.resolve("data"))) {
            program.createService("{\"name\": \"there before\"}");
            Map<String, String> key = Map.of(
                    "CLICKHOUSE_ORG_ID", program.credential("organization_id"),
                    "CLICKHOUSE_CLOUD_API_KEY", program.credential("key_id"),
                    "CLICKHOUSE_CLOUD_API_SECRET", program.credential("key_secret"));
            String url = program.credential("base_url");
            assertThat(certify(key, "--url", url)).as(printed()).isEqualTo(Main.FINE);
            assertThat(printed()).contains("against " + url, "has no controls for faults", "nothing left ok");
            assertThat(program.getAsFirstKey(program.organizationUrl() + "/services")
                            .body())
                    .contains("there before");
        }
    }

    @Test
    void providerThatIsToldToGoElsewhereGetsNoApply() throws IOException, InterruptedException {
        write("""
                terraform {
                  required_providers {
                    clickhouse = { source = "ClickHouse/clickhouse" }
                  }
                }

                provider "clickhouse" {
                  api_url = "https://api.example.invalid/v1"
                }

                resource "clickhouse_role" "one" {
                  name     = "one"
                  policies = []
                }
                """);
        assertThat(certify(Map.of())).isEqualTo(Main.REFUSED);
        assertThat(printed())
                .contains("plan FAILED", "https://api.example.invalid/v1")
                .doesNotContain("apply ok", "destroy");
    }
}
