package io.pilothouse.core.timeline;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.activity.ActivityOperations;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.timeline.ServiceTimeline.Line;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reading why a service is in its state. */
public final class TimelineOperations {
    private static final int MAX_ACTIVITIES = 50;
    private static final String SYSTEM = "system";

    private final Store store;
    private final Clock clock;
    private final Timeline timeline;

    public TimelineOperations(Store store, Clock clock, Timeline timeline) {
        this.store = store;
        this.clock = clock;
        this.timeline = timeline;
    }

    public ServiceTimeline get(Permit permit, UUID serviceId) {
        return store.read(tables -> {
            Service service = tables.of(Service.KIND)
                    .find(permit.organizationId(), serviceId)
                    .orElseThrow(() -> Refused.notFound("Service"));
            return of(tables, permit, service);
        });
    }

    private ServiceTimeline of(Tables tables, Permit permit, Service service) {
        List<Activity> activities = ActivityOperations.ofService(tables, permit, service.id(), MAX_ACTIVITIES);
        Tasks.Due due = tables.tasks().find(Tasks.Kind.SERVICE, service.id()).orElse(null);
        Timeline.Kept kept = timeline.of(service.id());
        Instant now = clock.now();
        WaitingRules.Facts facts = new WaitingRules.Facts(service, due, kept, asker(service, activities), now);
        return new ServiceTimeline(
                service.state(),
                WaitingRules.sentence(facts),
                due == null || due.taken() ? null : due.at(),
                kept.since(),
                lines(kept.happenings(), activities));
    }

    private static WaitingRules.@Nullable Asker asker(Service service, List<Activity> activities) {
        return activities.stream()
                .filter(each -> WaitingRules.asksFor(service, each.type()))
                .findFirst()
                .map(each -> new WaitingRules.Asker(who(each), each.createdAt()))
                .orElse(null);
    }

    private static String who(Activity activity) {
        if (activity.actorType().equals(SYSTEM)) {
            return "Pilothouse itself";
        }
        return activity.actorDetails() == null ? "a key" : "key '" + activity.actorDetails() + "'";
    }

    /** Newest first; at the same moment, what was done comes after what was asked for. */
    private static List<Line> lines(List<Happening> happenings, List<Activity> activities) {
        List<Line> lines = new ArrayList<>();
        happenings.forEach(each -> lines.add(new Line.Engine(each)));
        activities.stream()
                .filter(each -> !isRepeated(each, happenings))
                .forEach(each -> lines.add(new Line.Kept(each)));
        lines.sort(Comparator.comparing(Line::at).reversed());
        return lines;
    }

    private static boolean isRepeated(Activity activity, List<Happening> happenings) {
        return happenings.stream()
                .anyMatch(each ->
                        each.at().equals(activity.createdAt()) && WaitingRules.repeats(activity.type(), each.what()));
    }
}
