package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.service.Service;
import io.pilothouse.store.SqliteStore;
import io.pilothouse.store.StoreMetrics;
import io.pilothouse.testkit.ServiceSample;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The list of services costs the same in a large fleet as in a small one. */
class ConsoleFleetTest {
    private static final int PAGE = 50;
    private static final int SMALL = 60;
    private static final int LARGE = 10_000;
    private static final int LOOKS = 40;

    @TempDir
    private Path folder;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private TestProgram program() throws StartRefused {
        return TestProgram.start(folder, "--log-level", "warning", "--rate-limit", "0");
    }

    private long look(ConsolePages pages) throws IOException, InterruptedException {
        long before = threads.getTotalThreadAllocatedBytes();
        HttpResponse<String> page = pages.get("/");
        long bytes = threads.getTotalThreadAllocatedBytes() - before;
        assertThat(page.body().split("id=\"service-", -1)).hasSize(PAGE + 1);
        return bytes;
    }

    /** The least that one look allocated of many: what is above it was done for something else. */
    private long leastBytes() throws StartRefused, IOException, InterruptedException {
        try (TestProgram program = program();
                ConsolePages pages = ConsolePages.signedIn(program)) {
            long least = look(pages);
            for (int number = 1; number < LOOKS; number++) {
                least = Math.min(least, look(pages));
            }
            return least;
        }
    }

    private void add(UUID organizationId, int from, int to) {
        Instant first = Instant.parse("2026-01-01T00:00:00Z");
        try (Store store = SqliteStore.open(folder, Thread.ofPlatform().daemon().factory(), StoreMetrics.NONE)) {
            store.change(tables -> {
                for (int number = from; number < to; number++) {
                    Instant made = first.plusSeconds(number);
                    tables.of(Service.KIND).insert(ServiceSample.wanted(tables.newId(made), organizationId, made));
                }
            });
        }
    }

    @Test
    void aPageOfTenThousandServicesCostsWhatOneOfSixtyDoes() throws StartRefused, IOException, InterruptedException {
        UUID organizationId;
        try (TestProgram first = program()) {
            organizationId = UUID.fromString(first.credential("organization_id"));
        }
        add(organizationId, 0, SMALL);
        long small = leastBytes();
        add(organizationId, SMALL, LARGE);
        assertThat(leastBytes()).isLessThan(small * 3 / 2);
    }
}
