package io.pilothouse.core.usage;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Stored;
import io.pilothouse.core.base.Tag;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a service for its costs, under the service's own id: it stays when the service goes, because what
 * was used still costs. {@code disk} has at most one size for each day, oldest first.
 */
public record UsageMeter(
        Head head,
        UUID warehouseId,
        boolean primary,
        String name,
        List<Tag> tags,
        List<DiskDay> disk,
        @Nullable Instant goneAt)
        implements Stored {
    /** Reference: the warehouse. Label: that it is gone. */
    public static final Kind<UsageMeter> KIND = new Kind<>("usage_meters", UsageMeter.class);

    /** Under this are counted those whose service is gone. */
    public static final String GONE = "gone";

    private static final int MAX_DISK_DAYS = 100;

    /** How large the data was on a day, when it was last looked at. */
    public record DiskDay(LocalDate day, long bytes) {}

    public UsageMeter {
        tags = List.copyOf(tags);
        disk = List.copyOf(disk);
    }

    public UUID organizationId() {
        return head.ownerId();
    }

    /** The size on a day: the last one that was seen until then; none before the first and once it is gone. */
    public long bytesOn(LocalDate day, LocalDate goneOn) {
        long bytes = 0;
        for (DiskDay each : disk) {
            if (!each.day().isAfter(day)) {
                bytes = each.bytes();
            }
        }
        return day.isAfter(goneOn) ? 0 : bytes;
    }

    /** The same with the size of today; the same object when today has one already. */
    public UsageMeter with(LocalDate today, long bytes) {
        if (!disk.isEmpty() && !disk.getLast().day().isBefore(today)) {
            return this;
        }
        List<DiskDay> next = new ArrayList<>(disk);
        next.add(new DiskDay(today, bytes));
        return new UsageMeter(
                head,
                warehouseId,
                primary,
                name,
                tags,
                next.subList(Math.max(0, next.size() - MAX_DISK_DAYS), next.size()),
                goneAt);
    }

    UsageMeter gone(String lastName, List<Tag> lastTags, Instant now) {
        return new UsageMeter(head, warehouseId, primary, lastName, lastTags, disk, now);
    }
}
