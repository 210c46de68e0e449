package io.pilothouse.core.service;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.engine.Pace;
import io.pilothouse.core.port.Tasks.Claim;
import io.pilothouse.core.port.Tasks.Kind;
import io.pilothouse.core.scaling.Scaling;
import io.pilothouse.core.secret.PasswordHashes;
import io.pilothouse.core.service.DataPlane.Sight;
import io.pilothouse.core.service.ServicePlan.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A moment in the life of one service, as the plan is shown it. */
public record PlanScene(
        Wish wish,
        Condition before,
        boolean everRan,
        @Nullable String trouble,
        Condition sight,
        boolean fits,
        @Nullable String fault,
        Duration elapsed,
        int tries) {
    static final Instant WISHED = Instant.parse("2026-01-01T00:00:00Z");
    static final Patience PATIENCE =
            new Patience(Duration.ofMinutes(10), Duration.ofMinutes(5), Duration.ofMinutes(4), Duration.ofSeconds(90));
    static final ServicePlan PLAN = new ServicePlan(PATIENCE, Pace.USUAL);

    public static PlanScene of(Wish wish, Condition before, Condition sight) {
        return new PlanScene(wish, before, false, null, sight, false, null, Duration.ZERO, 0);
    }

    public PlanScene ran() {
        return new PlanScene(wish, before, true, trouble, sight, fits, fault, elapsed, tries);
    }

    PlanScene fitting() {
        return new PlanScene(wish, before, everRan, trouble, sight, true, fault, elapsed, tries);
    }

    PlanScene troubled(String sentence) {
        return new PlanScene(wish, before, everRan, sentence, sight, fits, fault, elapsed, tries);
    }

    PlanScene saying(String sentence) {
        return new PlanScene(wish, before, everRan, trouble, sight, fits, sentence, elapsed, tries);
    }

    PlanScene after(Duration time) {
        return new PlanScene(wish, before, everRan, trouble, sight, fits, fault, time, tries);
    }

    PlanScene afterTries(int count) {
        return new PlanScene(wish, before, everRan, trouble, sight, fits, fault, elapsed, count);
    }

    Instant now() {
        return WISHED.plus(elapsed);
    }

    public Service service() {
        UUID id = UUID.fromString("01234567-89ab-cdef-0123-456789abcdef");
        return new Service(
                new Head(id, id, WISHED, 1),
                new Service.Fixed(
                        new Placement("aws", "us-east-1", null, null, null, null),
                        new Warehouse(id, true, false),
                        null),
                new Service.Details(
                        "One", new Encryption(null, null, false, null), "default", List.of(), ServiceFields.DEFAULTS),
                new Scaling(8, 120, 3, null, true, 15),
                new Access(List.of(), List.of(), false),
                new PasswordHashes("00", "00"),
                BackupConfiguration.STANDARD,
                new Service.Want(wish, WISHED, false, null, null, List.of(), null),
                new Seen(before, everRan, null, trouble, WISHED));
    }

    Claim claim() {
        return new Claim(Kind.SERVICE, service().id(), 1, 0, tries, WISHED);
    }

    Sight sighted() {
        return new Sight(sight, fits, null, fault);
    }

    Step next() {
        return PLAN.next(service(), sighted(), claim(), now());
    }

    /** The same service in the warehouse of another one. */
    public static Service secondary(Service service) {
        Warehouse other = new Warehouse(UUID.fromString("11111111-89ab-cdef-0123-456789abcdef"), false, false);
        return new Service(
                service.head(),
                new Service.Fixed(service.placement(), other, null),
                service.details(),
                service.scaling(),
                service.access(),
                service.password(),
                service.backups(),
                service.want(),
                service.seen());
    }
}
