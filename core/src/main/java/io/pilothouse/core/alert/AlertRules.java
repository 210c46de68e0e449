package io.pilothouse.core.alert;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.RuleBook;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Checks the draft of an alert against every rule that needs only the draft and the rule it replaces. */
public final class AlertRules {
    private static final int MAX_YEARS_AHEAD = 1;
    private static final int MAX_YEARS_BACK = 10;

    private final Faults faults;
    private final Instant now;

    public AlertRules(Faults faults, Instant now) {
        this.faults = faults;
        this.now = now;
    }

    /**
     * The complete rule of a draft: absent members are cleared, only the start of the schedule is kept from {@code
     * before}. The name may be empty, to be replaced by its tile's. Null if there is a fault.
     */
    public @Nullable AlertRule rule(AlertDraft draft, @Nullable AlertRule before) {
        RuleBook.ALERT_NAME.check("name", draft.name(), faults);
        RuleBook.ALERT_TEXT.check("message", draft.message(), faults);
        RuleBook.ALERT_TEXT.check("note", draft.note(), faults);
        AlertThreshold threshold = threshold(draft);
        AlertSchedule schedule = schedule(draft, before);
        checkSource(draft);
        UUID dashboardId = dashboardId(draft);
        if (blank(draft.tileId())) {
            missing("tileId");
        }
        List<AlertChannel> channels = channels(draft);
        Double windows = draft.numConsecutiveWindows();
        RuleBook.CONSECUTIVE_WINDOWS.check("numConsecutiveWindows", windows, faults);
        if (threshold == null || schedule == null || dashboardId == null || !faults.none()) {
            return null;
        }
        return new AlertRule(
                blank(draft.name()) ? "" : orEmpty(draft.name()),
                orEmpty(draft.message()),
                blank(draft.note()) ? null : draft.note(),
                threshold,
                schedule,
                windows == null ? null : windows.intValue(),
                dashboardId,
                orEmpty(draft.tileId()),
                channels);
    }

    /** The end of a silence, which must be in the future; null if there is a fault. */
    public @Nullable Instant mutedUntil(@Nullable String text) {
        if (text == null) {
            missing("mutedUntil");
            return null;
        }
        Instant until = moment("mutedUntil", text);
        if (until != null && !until.isAfter(now)) {
            faults.add("mutedUntil", "must be in the future");
        }
        return until;
    }

    private @Nullable AlertThreshold threshold(AlertDraft draft) {
        Double value = draft.threshold();
        if (value == null) {
            missing("threshold");
        }
        AlertThreshold.Type type = type(draft.thresholdType());
        if (type == null) {
            return null;
        }
        Double max = draft.thresholdMax();
        if (type.isRange() && max == null) {
            missing("thresholdMax");
        } else if (!type.isRange() && max != null) {
            faults.add("thresholdMax", "belongs to between and not_between only");
        } else if (max != null && value != null && max < value) {
            faults.add("thresholdMax", "must not be below threshold");
        }
        return value == null ? null : new AlertThreshold(type, value, max);
    }

    private AlertThreshold.@Nullable Type type(@Nullable String word) {
        if (word == null) {
            missing("thresholdType");
            return null;
        }
        AlertThreshold.Type type = AlertThreshold.Type.find(word).orElse(null);
        if (type == null) {
            AlertThreshold.Type.WORDS.check("thresholdType", word, faults);
        }
        return type;
    }

    private @Nullable AlertSchedule schedule(AlertDraft draft, @Nullable AlertRule before) {
        Instant startAt = startAt(draft, before);
        AlertInterval interval = interval(draft.interval());
        Double offset = draft.scheduleOffsetMinutes();
        RuleBook.SCHEDULE_OFFSET_MINUTES.check("scheduleOffsetMinutes", offset, faults);
        if (interval == null) {
            return null;
        }
        int minutes = offset == null ? 0 : offset.intValue();
        if (minutes > 0 && startAt != null) {
            faults.add("scheduleOffsetMinutes", "must be 0 with scheduleStartAt");
        } else if (minutes >= interval.minutes() && !faults.has("scheduleOffsetMinutes")) {
            faults.add("scheduleOffsetMinutes", "must be less than the interval");
        }
        return new AlertSchedule(interval, minutes, startAt);
    }

    private @Nullable AlertInterval interval(@Nullable String word) {
        if (word == null) {
            missing("interval");
            return null;
        }
        AlertInterval interval = AlertInterval.find(word).orElse(null);
        if (interval == null) {
            AlertInterval.WORDS.check("interval", word, faults);
        }
        return interval;
    }

    private @Nullable Instant startAt(AlertDraft draft, @Nullable AlertRule before) {
        if (!draft.scheduleStartAtGiven()) {
            return before == null ? null : before.schedule().startAt();
        }
        if (blank(draft.scheduleStartAt())) {
            return null;
        }
        Instant startAt = moment("scheduleStartAt", orEmpty(draft.scheduleStartAt()));
        OffsetDateTime today = now.atOffset(ZoneOffset.UTC);
        if (startAt != null && startAt.isAfter(today.plusYears(MAX_YEARS_AHEAD).toInstant())) {
            faults.add("scheduleStartAt", "must be at most a year ahead");
        } else if (startAt != null
                && startAt.isBefore(today.minusYears(MAX_YEARS_BACK).toInstant())) {
            faults.add("scheduleStartAt", "must be at most 10 years back");
        }
        return startAt;
    }

    private @Nullable Instant moment(String path, String text) {
        try {
            return OffsetDateTime.parse(text).toInstant().truncatedTo(ChronoUnit.SECONDS);
        } catch (DateTimeException notAMoment) {
            faults.add(path, "must be an RFC 3339 date-time with a zone");
            return null;
        }
    }

    private void checkSource(AlertDraft draft) {
        if (!blank(draft.source()) && !"tile".equals(draft.source())) {
            faults.add("source", "must be tile");
        }
        if (!blank(draft.groupBy())) {
            faults.add("groupBy", "is set on the tile");
        }
    }

    private @Nullable UUID dashboardId(AlertDraft draft) {
        String given = blank(draft.dashboard()) ? draft.dashboardId() : draft.dashboard();
        if (blank(given)) {
            missing("dashboard");
            return null;
        }
        if (!blank(draft.dashboardId()) && !Objects.equals(given, draft.dashboardId())) {
            faults.add("dashboardId", "must be the same as dashboard");
        }
        UUID id = id(orEmpty(given));
        if (id == null) {
            faults.add("", "Invalid dashboard ID");
        }
        return id;
    }

    private List<AlertChannel> channels(AlertDraft draft) {
        List<AlertDraft.Channel> given = draft.channels() == null ? List.of() : draft.channels();
        if (!RuleBook.ALERT_CHANNELS.check("channels", given.size(), faults)) {
            return List.of();
        }
        AlertDraft.Channel single = draft.channel();
        List<AlertChannel> channels = new ArrayList<>();
        for (int i = 0; i < given.size(); i++) {
            add(channels, "channels[" + i + "]", given.get(i));
        }
        AlertChannel alone = single == null ? null : channel("channel", single);
        if (alone != null && !channels.isEmpty() && !channels.getFirst().equals(alone)) {
            faults.add("channel", "must be the first of channels when both are given");
        } else if (alone != null && channels.isEmpty()) {
            channels.add(alone);
        }
        if (single == null && given.isEmpty()) {
            faults.add("", "At least one notification channel is required");
        } else if (new HashSet<>(channels).size() < channels.size()) {
            faults.add("channels", "must not name a channel twice");
        }
        return channels;
    }

    private void add(List<AlertChannel> channels, String path, AlertDraft.Channel given) {
        AlertChannel channel = channel(path, given);
        if (channel != null) {
            channels.add(channel);
        }
    }

    private @Nullable AlertChannel channel(String path, AlertDraft.Channel given) {
        return switch (orEmpty(given.type())) {
            case AlertChannel.ACTIVITY -> new AlertChannel.ToActivities();
            case "webhook" -> {
                UUID id = id(orEmpty(given.webhookId()));
                if (id == null) {
                    faults.add("", "Invalid webhook ID");
                }
                yield id == null ? null : new AlertChannel.ToWebhook(id);
            }
            default -> {
                faults.add(path + ".type", AlertChannel.TYPES.message());
                yield null;
            }
        };
    }

    /** Null for what cannot be the id of anything here: ids are UUIDs in their canonical form. */
    static @Nullable UUID id(String text) {
        try {
            UUID id = UUID.fromString(text);
            return id.toString().equalsIgnoreCase(text) ? id : null;
        } catch (IllegalArgumentException notAnId) {
            return null;
        }
    }

    private void missing(String path) {
        if (!faults.has(path)) {
            faults.add(path, "is required");
        }
    }

    private static boolean blank(@Nullable String text) {
        return text == null || text.isBlank();
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
