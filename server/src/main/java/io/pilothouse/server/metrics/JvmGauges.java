package io.pilothouse.server.metrics;

import io.pilothouse.http.metrics.MetricsText;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryUsage;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;

/** The JVM's own figures, under the names that Prometheus users know; read only when they are scraped. */
public final class JvmGauges {
    private JvmGauges() {}

    public static void write(MetricsText text) {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        MemoryUsage heap = memory.getHeapMemoryUsage();
        MemoryUsage rest = memory.getNonHeapMemoryUsage();
        text.family("jvm_memory_used_bytes", MetricsText.Kind.GAUGE, "Memory in use.");
        text.sample("jvm_memory_used_bytes", heap.getUsed(), "area", "heap");
        text.sample("jvm_memory_used_bytes", rest.getUsed(), "area", "nonheap");
        text.family("jvm_memory_committed_bytes", MetricsText.Kind.GAUGE, "Memory taken from the system.");
        text.sample("jvm_memory_committed_bytes", heap.getCommitted(), "area", "heap");
        text.sample("jvm_memory_committed_bytes", rest.getCommitted(), "area", "nonheap");
        text.family("jvm_memory_max_bytes", MetricsText.Kind.GAUGE, "The most it may grow to.");
        text.sample("jvm_memory_max_bytes", heap.getMax(), "area", "heap");
        text.family(
                "jvm_gc_collection_seconds", MetricsText.Kind.SUMMARY, "Garbage collections, and time spent on them.");
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            String name = collector.getName();
            double seconds = MetricsText.seconds(TimeUnit.MILLISECONDS.toNanos(collector.getCollectionTime()));
            text.sample("jvm_gc_collection_seconds_count", collector.getCollectionCount(), "gc", name);
            text.sample("jvm_gc_collection_seconds_sum", seconds, "gc", name);
        }
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        text.single("jvm_threads_current", MetricsText.Kind.GAUGE, "Platform threads alive.", threads.getThreadCount());
        text.single(
                "jvm_threads_peak",
                MetricsText.Kind.GAUGE,
                "The most platform threads alive at once.",
                threads.getPeakThreadCount());
        text.single(
                "jvm_classes_currently_loaded",
                MetricsText.Kind.GAUGE,
                "Classes loaded now.",
                ManagementFactory.getClassLoadingMXBean().getLoadedClassCount());
        ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .ifPresent(cpu -> text.single(
                        "process_cpu_seconds_total",
                        MetricsText.Kind.COUNTER,
                        "Processor time used.",
                        MetricsText.seconds(cpu.toNanos())));
        text.single(
                "process_start_time_seconds",
                MetricsText.Kind.GAUGE,
                "When the process began, in seconds since 1970.",
                MetricsText.seconds(TimeUnit.MILLISECONDS.toNanos(
                        ManagementFactory.getRuntimeMXBean().getStartTime())));
    }
}
