package io.pilothouse.core.part;

import io.pilothouse.core.base.FieldShape;
import io.pilothouse.core.base.NumberRule;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.service.Service;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;

/** The six hours of a week in which a warehouse may be upgraded: set on its primary service, shown for all of it. */
public final class UpgradeWindow implements PartKind {
    private static final int HOURS = 6;
    private static final NumberRule START_HOUR = new NumberRule(0, 24 - HOURS, HOURS);

    @Override
    public String name() {
        return "upgradeWindow";
    }

    @Override
    public String title() {
        return "Upgrade window";
    }

    @Override
    public String activity() {
        return "service_upgrade_window";
    }

    @Override
    public List<FieldShape> fields(RuleBook rules) {
        return List.of(
                FieldShape.number("weekday", RuleBook.WEEKDAY).needed(),
                FieldShape.number("startHourUtc", START_HOUR).needed());
    }

    /** Whether a moment is within it. */
    public static boolean isOpen(Tree.Members fields, Instant now) {
        ZonedDateTime time = now.atZone(ZoneOffset.UTC);
        int start = figure(fields, "startHourUtc");
        // Clients count the days from Sunday, which is 0.
        return time.getDayOfWeek().getValue() % 7 == figure(fields, "weekday")
                && time.getHour() >= start
                && time.getHour() < start + HOURS;
    }

    private static int figure(Tree.Members fields, String name) {
        return fields.number(name).map(Double::intValue).orElse(0);
    }

    @Override
    public void requireFits(Service service) {
        if (!service.warehouse().primary()) {
            throw Refused.badRequest(
                    "path.serviceId", "is not the primary service of its warehouse, whose upgrade window it shares");
        }
    }

    @Override
    public Service holder(Tables tables, Service service) {
        // A warehouse has the id of the service that it began with, which is its primary one.
        return tables.of(Service.KIND).find(service.warehouse().id()).orElse(service);
    }

    @Override
    public Tree.Members shown(Tree.Members fields, Service service, Instant now) {
        return fields.with("duration", new Tree.Figure(HOURS));
    }
}
