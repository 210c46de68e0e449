package io.pilothouse.core.alert;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** An alert as it was requested, before any rule was checked; null means not given. */
public record AlertDraft(
        @Nullable String name,
        @Nullable String message,
        @Nullable String note,
        @Nullable Double threshold,
        @Nullable Double thresholdMax,
        @Nullable String thresholdType,
        @Nullable String interval,
        @Nullable Double scheduleOffsetMinutes,
        boolean scheduleStartAtGiven,
        @Nullable String scheduleStartAt,
        @Nullable String source,
        @Nullable String dashboard,
        @Nullable String dashboardId,
        @Nullable String tileId,
        @Nullable Channel channel,
        @Nullable List<Channel> channels,
        @Nullable Double numConsecutiveWindows,
        @Nullable String groupBy) {

    /** A channel as it was requested. */
    public record Channel(@Nullable String type, @Nullable String webhookId) {}
}
