package io.pilothouse.core.pipe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;

/** One source, and the path that must be at fault; empty where it is fine. */
record PipeSourceRow(String kind, String name, Map<String, Object> source, String fault) {
    static void fine(List<PipeSourceRow> rows, String kind, String name, Map<String, Object> source) {
        rows.add(new PipeSourceRow(kind, name, source, ""));
    }

    static void bad(List<PipeSourceRow> rows, String kind, String fault, Map<String, Object> source) {
        rows.add(new PipeSourceRow(kind, fault + " in " + source.keySet(), source, fault));
    }

    DynamicTest test() {
        return DynamicTest.dynamicTest(kind + ": " + name, () -> {
            List<String> paths = GivenPipe.make(kind, source).paths();
            if (fault.isEmpty()) {
                assertThat(paths).isEmpty();
            } else {
                assertThat(paths).contains("source." + kind + "." + fault);
            }
        });
    }
}
