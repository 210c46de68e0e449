package io.pilothouse.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.http.metrics.MetricsText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** People hear of a disk that fills before the last of it, which is the store's, is touched. */
class DiskWatchTest {
    private static final long RESERVE = 100L << 20;

    private final AtomicLong free = new AtomicLong();
    private final DiskWatch watch = new DiskWatch(RESERVE, free::get);

    @Test
    void warnsWhileAsMuchAgainIsLeft() {
        free.set(2 * RESERVE);
        assertThat(watch.shortage()).isEmpty();
        free.set(2 * RESERVE - 1);
        assertThat(watch.shortage())
                .contains("The disk of the data folder has 199 MB left; below 100 MB (disk-reserve) databases write no"
                        + " more.");
        free.set(RESERVE - 1);
        assertThat(watch.shortage())
                .contains("The disk of the data folder has 99 MB left, less than the 100 MB that are kept for the"
                        + " store (disk-reserve): databases write no more.");
    }

    @Test
    void showsWhatIsFreeAndWhatIsKept() {
        free.set(5);
        MetricsText text = new MetricsText();
        watch.write(text);
        assertThat(text.toString())
                .contains("pilothouse_disk_free_bytes 5\n", "pilothouse_disk_reserve_bytes 104857600\n");
    }

    @Test
    void diskThatCannotBeSeenIsSaidToBeSo() {
        DiskWatch blind = new DiskWatch(RESERVE, () -> {
            throw new UncheckedIOException(new IOException("gone"));
        });
        assertThat(blind.shortage()).contains("The disk of the data folder cannot be looked at.");
        MetricsText text = new MetricsText();
        blind.write(text);
        assertThat(text.toString()).contains("pilothouse_disk_reserve_bytes").doesNotContain("pilothouse_disk_free");
    }
}
