package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The figures of a real ClickHouse, as those who watch it read them. */
class FiguresIT {
    @TempDir
    private Path folder;

    private final LocalProgram local = new LocalProgram();
    private TestProgram program;

    @BeforeEach
    void start() throws StartRefused {
        program = local.start(folder);
    }

    @AfterEach
    void stop() {
        program.close();
    }

    private String scrape(String path) throws IOException, InterruptedException {
        HttpResponse<String> answer = program.getAsFirstKey(program.organizationUrl() + path);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.headers().firstValue("content-type")).hasValue("text/plain; version=0.0.4; charset=utf-8");
        return answer.body();
    }

    private static double value(String text, String family) {
        Matcher matcher =
                Pattern.compile("(?m)^" + family + "\\{[^}]*} (\\S+)$").matcher(text);
        assertThat(matcher.find()).as(text).isTrue();
        return Double.parseDouble(matcher.group(1));
    }

    private String await(String id, String state) throws IOException, InterruptedException {
        return program.await(
                program.organizationUrl() + "/services/" + id, body -> body.contains("\"state\":\"" + state + "\""));
    }

    @Test
    void aDatabaseCostsForItsMemoryAndForWhatItHasOnDisk()
            throws GeneralSecurityException, IOException, InterruptedException {
        HttpResponse<String> created =
                program.createService("{\"name\":\"Costly\",\"ipAccessList\":[{\"source\":\"127.0.0.1\"}]}");
        String id = TestProgram.field(created.body().substring(created.body().indexOf("\"service\"")), "id");
        await(id, "running");
        try (ServiceClient client = new ServiceClient(LocalProgram.authority(folder), created.body())) {
            client.query("CREATE TABLE t (x UInt64) ENGINE = MergeTree ORDER BY x");
            client.query("INSERT INTO t SELECT number FROM numbers(100000)");
        }
        // The engine looks at it again, and only then knows its size.
        local.advance(Duration.ofMinutes(2));
        LocalDate today = LocalDate.now(ZoneOffset.UTC);
        String report = program.await(
                program.organizationUrl() + "/usageCost?from_date=" + today + "&to_date=" + today.plusDays(1),
                body -> body.contains("\"storageCHC\":"));
        assertThat(report)
                .contains("\"computeCHC\":", "\"entityType\":\"datawarehouse\"", "\"entityId\":\"" + id + "\"");
    }

    @Test
    void aRunningDatabaseSpeaksForItselfAndASleepingOneIsLeftAlone()
            throws GeneralSecurityException, IOException, InterruptedException {
        HttpResponse<String> created = program.createService(
                "{\"name\":\"Watched\",\"ipAccessList\":[{\"source\":\"127.0.0.1\"}],\"idleTimeoutMinutes\":5}");
        String id = TestProgram.field(created.body().substring(created.body().indexOf("\"service\"")), "id");
        await(id, "running");
        String before = scrape("/services/" + id + "/prometheus");
        try (ServiceClient client = new ServiceClient(LocalProgram.authority(folder), created.body())) {
            for (int i = 0; i < 10; i++) {
                client.query("SELECT " + i);
            }
        }
        String after = scrape("/services/" + id + "/prometheus");
        String queries = "ClickHouseProfileEvents_SelectQuery";
        assertThat(value(after, queries)).isGreaterThanOrEqualTo(value(before, queries) + 10);
        assertThat(value(after, "ClickHouseMetrics_HTTPConnection")).isNotNegative();
        assertThat(after)
                .contains("clickhouse_service_name=\"Watched\"", "scrape=\"full\"", "table=\"system.events\"")
                .contains("# TYPE " + queries + " counter");
        List<String> names = after.lines()
                .filter(line -> line.startsWith("# TYPE"))
                .map(line -> line.split(" ", -1)[2])
                .toList();
        assertThat(names).doesNotHaveDuplicates().hasSizeGreaterThan(300);

        String filtered = scrape("/services/" + id + "/prometheus?filtered_metrics=true");
        assertThat(filtered.length()).isLessThan(after.length() / 3);
        assertThat(value(filtered, queries)).isPositive();
        assertThat(value(scrape("/prometheus?filtered_metrics=true"), queries)).isPositive();

        local.advance(Duration.ofMinutes(6));
        String idle = await(id, "idle");
        assertThat(idle).contains("\"idle\"");
        String asleep = scrape("/services/" + id + "/prometheus");
        assertThat(asleep.lines()).hasSize(3);
        assertThat(asleep).contains("clickhouse_cluster_status=\"idle\"").contains("scrape=\"full\"");
        assertThat(scrape("/prometheus").lines()).hasSize(3);
        assertThat(await(id, "idle")).contains("\"idle\"");
    }
}
