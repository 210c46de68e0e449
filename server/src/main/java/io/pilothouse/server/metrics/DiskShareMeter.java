package io.pilothouse.server.metrics;

import io.pilothouse.http.metrics.MetricsText;
import io.pilothouse.plane.local.share.DiskShare;
import io.pilothouse.plane.local.share.DiskShares;

/** Shows how many services are near what they may have of the disk, or there; nothing where there is no limit. */
public record DiskShareMeter(DiskShares shares) {
    private static final String LIMIT = "pilothouse_service_disk_limit_bytes";
    private static final String SERVICES = "pilothouse_services_short_of_disk";

    public void write(MetricsText text) {
        shares.limit().ifPresent(bytes -> {
            text.family(LIMIT, MetricsText.Kind.GAUGE, "What the data of a service may take of the disk.");
            text.sample(LIMIT, bytes);
            text.family(
                    SERVICES,
                    MetricsText.Kind.GAUGE,
                    "Services that have nine tenths of that (near), or all of it and take no more rows (full).");
            text.sample(SERVICES, shares.count(DiskShare.Level.NEAR), "level", "near");
            text.sample(SERVICES, shares.count(DiskShare.Level.FULL), "level", "full");
        });
    }
}
