package io.pilothouse.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.http.metrics.MetricsText;
import io.pilothouse.plane.local.share.DiskShare;
import io.pilothouse.plane.local.share.DiskShares;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class DiskShareMeterTest {
    @Test
    void servicesThatAreShortOfDiskAreCounted() {
        DiskShares shares = new DiskShares(new DiskShare(1L << 20), _ -> {});
        shares.measured(UUID.randomUUID(), OptionalLong.of(1L << 19), false);
        shares.measured(UUID.randomUUID(), OptionalLong.of(1L << 20), false);
        MetricsText text = new MetricsText();
        new DiskShareMeter(shares).write(text);
        assertThat(text.toString())
                .contains("pilothouse_service_disk_limit_bytes 1048576\n")
                .contains("pilothouse_services_short_of_disk{level=\"near\"} 0\n")
                .contains("pilothouse_services_short_of_disk{level=\"full\"} 1\n");
        MetricsText nothing = new MetricsText();
        new DiskShareMeter(DiskShares.unlimited()).write(nothing);
        assertThat(nothing.toString()).isEmpty();
    }
}
