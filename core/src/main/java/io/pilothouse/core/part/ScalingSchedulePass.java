package io.pilothouse.core.part;

import io.pilothouse.core.activity.ActivityLog;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.engine.Pass;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.port.Tasks.Claim;
import io.pilothouse.core.port.Tasks.Release;
import io.pilothouse.core.port.Tasks.Urgency;
import io.pilothouse.core.scaling.Scaling;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceFollower;
import io.pilothouse.core.service.Wish;
import java.time.Instant;
import java.util.Optional;

/** Gives a service the scaling that its schedule asks for at this hour, and comes back when another entry begins to hold. */
public final class ScalingSchedulePass implements Pass {
    private final Store store;
    private final Clock clock;
    private final ServiceFollower followers;
    private final ScalingSchedule kind = new ScalingSchedule();

    public ScalingSchedulePass(Store store, Clock clock, ServiceFollower followers) {
        this.store = store;
        this.clock = clock;
        this.followers = followers;
    }

    @Override
    public void run(Claim claim) {
        store.change(tables -> {
            Instant now = clock.now();
            Optional<Service> service =
                    tables.of(Service.KIND).find(claim.subjectId()).filter(row -> row.wish() != Wish.DELETE);
            Optional<Tree.Members> schedule =
                    service.flatMap(row -> ServicePart.find(tables, row, kind)).map(ServicePart::fields);
            // First the fence: under an old token nothing below may happen.
            boolean mine = schedule.map(fields -> release(tables, claim, fields, now))
                    .orElseGet(() -> tables.tasks().finish(claim));
            if (mine && service.isPresent()) {
                Scaling scheduled = schedule.flatMap(fields ->
                                ScalingSchedule.now(fields, service.get().scaling(), now))
                        .map(asked -> allowed(tables, service.get(), asked))
                        .orElse(null);
                Service.Schedule taken = schedule.map(fields -> ScalingSchedule.taken(fields, now))
                        .orElse(null);
                apply(
                        tables,
                        service.get(),
                        service.get().withScheduled(scheduled).withSchedule(taken),
                        now);
            }
        });
    }

    private static boolean release(Tables tables, Claim claim, Tree.Members fields, Instant now) {
        Instant next = ScheduleHours.nextChange(fields.objects("entries"), now);
        return tables.tasks().release(claim, new Release(next, Urgency.ROUTINE, 0, true), now);
    }

    /** A schedule is taken whatever its organization may have, and kept to that when it is applied. */
    private static Scaling allowed(Tables tables, Service service, Scaling asked) {
        Optional<Organization> organization = tables.of(Organization.KIND).find(service.organizationId());
        return organization.map(Organization::paid).orElse(false)
                ? asked
                : asked.withReplicasOfAtMost(RuleBook.MAX_UNPAID_REPLICA_MEMORY_GB);
    }

    private void apply(Tables tables, Service service, Service next, Instant now) {
        if (next.equals(service)) {
            return;
        }
        followers.changed(tables, service, tables.of(Service.KIND).overwrite(next), now);
        for (String type : next.scalingNow().differences(service.scalingNow())) {
            ActivityLog.addBySystem(tables, service.organizationId(), type, service.id(), service.id(), now);
        }
        tables.tasks().wake(Tasks.Kind.SERVICE, service.id(), Urgency.CHANGED, now);
    }
}
