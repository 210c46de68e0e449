package io.pilothouse.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.pilothouse.core.engine.Pass;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.http.metrics.MetricsText;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.PublicRoute;
import io.pilothouse.http.wire.RequestRecord;
import io.pilothouse.http.wire.Verb;
import io.pilothouse.server.NoStore;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class MetricsTest {
    private static final Pattern SAMPLE = Pattern.compile(
            "([a-z][a-z0-9_]*)(\\{[a-z]+=\"(?:[^\"\\\\\\n]|\\\\[\\\\\"n])*\"(?:,[a-z]+=\"[^\"]*\")*})? (-?[0-9.]+(?:E-?[0-9]+)?)");
    private static final Pattern TYPE = Pattern.compile("# TYPE ([a-z][a-z0-9_]*) (counter|gauge|histogram|summary)");

    private final MetricsText text = new MetricsText();

    private List<String> lines() {
        return text.toString().lines().toList();
    }

    private static RequestMetrics requests() {
        return new RequestMetrics(List.of(
                new PublicRoute("thingGet", Verb.GET, "/thing", exchange -> Answer.text(200, "text/plain", "thing"))));
    }

    private static RequestRecord request(String operationId, int status, Duration took) {
        return new RequestRecord(UUID.randomUUID(), operationId, null, null, null, status, took.toNanos(), 1);
    }

    @Test
    void requestsAreCountedByOperationAndStatus() {
        RequestMetrics requests = requests();
        requests.observe(request("thingGet", 200, Duration.ofMillis(1)));
        requests.observe(request("thingGet", 200, Duration.ofMillis(2)));
        requests.observe(request("thingGet", 404, Duration.ofMillis(1)));
        requests.observe(request("neverRouted", 500, Duration.ofMillis(1)));
        requests.observe(new RequestRecord(UUID.randomUUID(), null, null, null, null, 999, 1, 1));
        requests.write(text);
        assertThat(lines())
                .contains(
                        "# TYPE pilothouse_requests_total counter",
                        "pilothouse_requests_total{operation=\"thingGet\",status=\"200\"} 2",
                        "pilothouse_requests_total{operation=\"thingGet\",status=\"404\"} 1",
                        "pilothouse_requests_total{operation=\"none\",status=\"500\"} 1",
                        "pilothouse_requests_total{operation=\"none\",status=\"0\"} 1");
    }

    @Test
    void latenciesFallIntoTheFirstBoundThatIsNotBelowThem() {
        RequestMetrics requests = requests();
        requests.observe(request("thingGet", 200, Duration.ofMillis(1)));
        requests.observe(request("thingGet", 200, Duration.ofMillis(1).plusNanos(1)));
        requests.observe(request("thingGet", 200, Duration.ofSeconds(60)));
        requests.write(text);
        String name = "pilothouse_request_duration_seconds";
        assertThat(lines())
                .contains(
                        "# TYPE " + name + " histogram",
                        name + "_bucket{operation=\"thingGet\",le=\"5.0E-4\"} 0",
                        name + "_bucket{operation=\"thingGet\",le=\"0.001\"} 1",
                        name + "_bucket{operation=\"thingGet\",le=\"0.0025\"} 2",
                        name + "_bucket{operation=\"thingGet\",le=\"10\"} 2",
                        name + "_bucket{operation=\"thingGet\",le=\"+Inf\"} 3",
                        name + "_sum{operation=\"thingGet\"} 60.002000001",
                        name + "_count{operation=\"thingGet\"} 3");
    }

    @Test
    void countingARequestAllocatesNothing() {
        RequestMetrics requests = requests();
        RequestRecord record = request("thingGet", 200, Duration.ofMillis(1));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 10_000; i++) {
                requests.observe(record);
            }
            allocated = Math.min(allocated, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(allocated).isLessThan(10_000);
    }

    @Test
    void theStoreReportsItsQueueItsGroupsAndItsCommits() {
        StoreMeter store = new StoreMeter();
        store.waiting(7);
        store.committed(3, Duration.ofMillis(2));
        store.committed(1_000, Duration.ofSeconds(2));
        store.write(text);
        assertThat(lines())
                .contains(
                        "pilothouse_store_writes_waiting 7",
                        "pilothouse_store_group_writes_bucket{le=\"2\"} 0",
                        "pilothouse_store_group_writes_bucket{le=\"4\"} 1",
                        "pilothouse_store_group_writes_bucket{le=\"256\"} 1",
                        "pilothouse_store_group_writes_sum 1003",
                        "pilothouse_store_group_writes_count 2",
                        "pilothouse_store_commit_seconds_bucket{le=\"0.001\"} 0",
                        "pilothouse_store_commit_seconds_bucket{le=\"0.0025\"} 1",
                        "pilothouse_store_commit_seconds_sum 2.002",
                        "pilothouse_store_commit_seconds_count 2");
    }

    @Test
    void theEngineReportsItsPassesAlsoDuringAnOutageOfTheStore() {
        EngineMeter engine = new EngineMeter(new NoStore(), () -> Instant.EPOCH);
        Tasks.Claim claim = new Tasks.Claim(Tasks.Kind.SERVICE, UUID.randomUUID(), 1, 1, 0, Instant.EPOCH);
        Pass fails = engine.counting(_ -> {
            throw new StoreUnavailable("gone", new IllegalStateException());
        });
        engine.counting(_ -> {}).run(claim);
        assertThatThrownBy(() -> fails.run(claim)).isInstanceOf(StoreUnavailable.class);
        engine.write(text, () -> 5, () -> Duration.ofMillis(1_500));
        assertThat(lines())
                .contains(
                        "pilothouse_engine_round_age_seconds 1.5",
                        "pilothouse_engine_passes_running 5",
                        "pilothouse_engine_pass_seconds_count 2",
                        "pilothouse_engine_passes_failed_total 1",
                        "pilothouse_engine_plane_faults_total 0")
                .noneMatch(line -> line.contains("tasks_due"));
    }

    @Test
    void callsToTheOutsideThatFailAreCounted() {
        EngineMeter engine = new EngineMeter(new NoStore(), () -> Instant.EPOCH);
        engine.callFailed();
        engine.callFailed();
        engine.write(text, () -> 0, () -> Duration.ZERO);
        assertThat(lines()).contains("pilothouse_engine_plane_faults_total 2");
    }

    @Test
    void theJvmReportsMemoryGarbageAndThreads() {
        JvmGauges.write(text);
        assertThat(text.toString())
                .contains(
                        "jvm_memory_used_bytes{area=\"heap\"} ",
                        "jvm_memory_used_bytes{area=\"nonheap\"} ",
                        "jvm_memory_committed_bytes{area=\"heap\"} ",
                        "jvm_memory_max_bytes{area=\"heap\"} ",
                        "jvm_gc_collection_seconds_count{gc=\"",
                        "jvm_gc_collection_seconds_sum{gc=\"",
                        "jvm_threads_current ",
                        "process_cpu_seconds_total ",
                        "process_start_time_seconds ");
    }

    @Test
    void everyLineIsWellFormedAndEveryFamilyIsDeclaredOnce() {
        text.family("pilothouse_info", MetricsText.Kind.GAUGE, "What it is.");
        text.sample("pilothouse_info", 1, "version", "a\"b\\c\nd", "plane", "x");
        requests().write(text);
        new StoreMeter().write(text);
        new EngineMeter(new NoStore(), () -> Instant.EPOCH).write(text, () -> 0, () -> Duration.ZERO);
        JvmGauges.write(text);
        Set<String> families = new HashSet<>();
        String family = "";
        for (String line : lines()) {
            Matcher type = TYPE.matcher(line);
            if (line.startsWith("# HELP ")) {
                continue;
            }
            if (type.matches()) {
                family = type.group(1);
                assertThat(families.add(family)).as(line).isTrue();
                continue;
            }
            Matcher sample = SAMPLE.matcher(line);
            assertThat(sample.matches()).as(line).isTrue();
            assertThat(sample.group(1)).as(line).matches(family + "(_bucket|_sum|_count)?");
        }
        assertThat(families).hasSizeGreaterThan(10);
        assertThat(text.toString())
                .contains("{version=\"a\\\"b\\\\c\\nd\",plane=\"x\"} 1\n")
                .endsWith("\n");
    }
}
