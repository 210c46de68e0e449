package io.pilothouse.store.rows;

import static io.pilothouse.store.rows.Codec.FLAG;
import static io.pilothouse.store.rows.Codec.ID;
import static io.pilothouse.store.rows.Codec.INSTANT;
import static io.pilothouse.store.rows.Codec.LARGE_NUMBER;
import static io.pilothouse.store.rows.Codec.NUMBER;
import static io.pilothouse.store.rows.Codec.TEXT;

import io.pilothouse.core.usage.UsageMeter;
import io.pilothouse.core.usage.UsageSpan;
import java.time.LocalDate;

/** What services used, as rows. */
final class UsageRows {
    private static final Shape<UsageMeter.DiskDay> DISK_DAY = f -> new UsageMeter.DiskDay(
            LocalDate.parse(f.get("day", day -> day.day().toString(), TEXT, "1970-01-01")),
            f.get("bytes", UsageMeter.DiskDay::bytes, LARGE_NUMBER, 0L));

    static final Rows<UsageMeter> METERS = Rows.of(
                    UsageMeter.KIND,
                    f -> new UsageMeter(
                            f.head,
                            f.get("warehouseId", UsageMeter::warehouseId, ID, f.head.id()),
                            f.get("primary", UsageMeter::primary, FLAG, false),
                            f.get("name", UsageMeter::name, TEXT, ""),
                            f.list("tags", UsageMeter::tags, ServiceRows.TAG),
                            f.list("disk", UsageMeter::disk, DISK_DAY),
                            f.find("goneAt", UsageMeter::goneAt, INSTANT)))
            .foundBy(meter -> meter.warehouseId().toString())
            .countedUnder(meter -> meter.goneAt() == null ? null : UsageMeter.GONE);

    static final Rows<UsageSpan> SPANS = Rows.of(
            UsageSpan.KIND,
            f -> new UsageSpan(
                    f.head, f.get("memoryGb", UsageSpan::memoryGb, NUMBER, 0), f.find("end", UsageSpan::end, INSTANT)));

    private UsageRows() {}
}
