package io.pilothouse.server.certify;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Tree;
import io.pilothouse.server.certify.Step.Outcome;
import io.pilothouse.server.certify.Step.Result;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ReportTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final Masked masked = new Masked();
    private final AtomicLong nanoTime = new AtomicLong();
    private final Report report = new Report(
            new PrintStream(printed, true, StandardCharsets.UTF_8), () -> nanoTime.getAndAdd(1_500_000_000L), masked);

    private String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    @Test
    void everyStepIsALineWithItsSeconds() throws InterruptedException {
        report.take("apply", () -> Result.passed("1 added"));
        report.skip("faults", "none");
        report.close();
        assertThat(printed().lines().map(line -> line.replaceAll(" +", " ").strip()))
                .containsExactly(
                        "1 apply ok 1.5 s 1 added",
                        "2 faults skipped none",
                        "",
                        "Certified: 1 passed, 0 failed, 1 skipped, in 3.0 s.");
    }

    @Test
    void errorOfTerraformIsAFailureWithWhatItSaid() throws InterruptedException {
        report.take("apply", () -> {
            throw new TerraformFailed("apply", List.of("Error: no", "status: 400"));
        });
        report.close();
        assertThat(report.count(Outcome.FAILED)).isEqualTo(1);
        assertThat(printed()).contains("apply failed", "Error: no", "status: 400", "Not certified");
    }

    @Test
    void longDifferenceIsShortened() throws InterruptedException {
        report.take("empty plan", () -> Result.failed("", Collections.nCopies(40, "a line")));
        assertThat(report.steps().getFirst().result().details())
                .hasSize(26)
                .last()
                .isEqualTo("... and 15 more lines");
    }

    @Test
    void secretsAreNowhere() throws InterruptedException {
        masked.add("top-secret");
        masked.addMarked(
                JsonSample.of("{\"open\": \"seen\", \"shut\": \"never seen\", \"list\": [{\"a\": \"in a list\"}]}"),
                JsonSample.of("{\"shut\": true, \"list\": [{\"a\": true}]}"));
        masked.addAll(new Tree.Items(List.of(new Tree.Text("deep down"))));
        report.take(
                "top-secret = 1",
                () -> Result.failed("with top-secret", List.of("seen never seen", "in a list", "deep down")));
        String all = printed() + report.steps();
        assertThat(all)
                .contains("(hidden)", "seen")
                .doesNotContain("top-secret", "never seen", "in a list", "deep down");
    }

    @Test
    void secretsAreHiddenByLineAndAsJsonWritesThem() throws InterruptedException {
        masked.add("-----BEGIN KEY-----\nfirst half\nsecond half\n-----END KEY-----\n");
        masked.add("with \"quotes\"");
        report.take(
                "x".repeat(195) + "with \"quotes\"",
                () -> Result.failed(
                        "",
                        List.of(
                                "  first half",
                                "  second half",
                                "key: \"-----BEGIN KEY-----\\nfirst half\\nsecond half\\n-----END KEY-----\\n\"",
                                "value: \"with \\\"quotes\\\"\"")));
        assertThat(printed() + report.steps()).contains("(hid").doesNotContain("half", "quotes", "with");
    }

    @Test
    void errorsAreShownWithoutTheirFrame() {
        assertThat(Terraform.error("""
                \u001b[31m╷\u001b[0m
                │ Warning: something else
                ╵
                ╷
                │ Error: Invalid value
                │\s
                │   on main.tf line 1:
                ╵
                """, "ignored")).containsExactly("Error: Invalid value", "  on main.tf line 1:");
        assertThat(new TerraformFailed("apply", List.of("could not create, status: 400, body")).isRefusedByApi())
                .isTrue();
        assertThat(new TerraformFailed("apply", List.of("status: 500")).isRefusedByApi())
                .isFalse();
    }

    @Test
    void resourcesOfInnerModulesAreFoundAndTheirNamesForImport() {
        List<Resource> resources = Resource.of(JsonSample.of("""
                {"values": {"root_module": {
                  "resources": [
                    {"address": "data.clickhouse_roles.all", "mode": "data", "values": {"id": "x"}},
                    {"address": "clickhouse_service.one", "mode": "managed",
                     "provider_name": "registry.opentofu.org/clickhouse/clickhouse", "values": {"id": "s"}}],
                  "child_modules": [{"resources": [
                    {"address": "module.a.clickhouse_clickpipe.two", "mode": "managed",
                     "provider_name": "registry.terraform.io/clickhouse/clickhouse",
                     "values": {"id": "p", "service_id": "s"}},
                    {"address": "module.a.random_id.three", "mode": "managed",
                     "provider_name": "registry.opentofu.org/hashicorp/random", "values": {}}]}]}}}
                """));
        assertThat(resources).extracting(Resource::address).hasSize(3).doesNotContain("data.clickhouse_roles.all");
        assertThat(resources).extracting(Resource::isOfClickHouse).containsExactly(true, true, false);
        assertThat(resources.get(1).importIds()).containsExactly("s:p", "p", "s");
        assertThat(resources.get(0).importIds()).containsExactly("s");
        assertThat(resources.get(2).importIds()).isEmpty();
    }
}
