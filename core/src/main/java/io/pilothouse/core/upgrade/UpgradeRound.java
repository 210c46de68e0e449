package io.pilothouse.core.upgrade;

import io.pilothouse.core.activity.ActivityLog;
import io.pilothouse.core.part.ServicePart;
import io.pilothouse.core.part.UpgradeWindow;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.port.Wake;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.DataPlane.Offer;
import io.pilothouse.core.service.Seen;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.Service.Pin;
import io.pilothouse.core.service.ServiceFollower;
import io.pilothouse.core.service.Wish;
import io.pilothouse.core.upgrade.UpgradePlan.Scene;
import io.pilothouse.core.upgrade.UpgradePlan.Step;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks over all services and has those whose turn it is run on another version of ClickHouse; their own passes then
 * make it so. It belongs to a plane of one machine: it reads every row each time, and alone decides whose turn it is.
 */
public final class UpgradeRound {
    private static final Logger LOG = System.getLogger(UpgradeRound.class.getName());
    private static final int PAGE = 500;
    private static final UpgradeWindow WINDOW = new UpgradeWindow();

    private final Store store;
    private final Clock clock;
    private final Supplier<List<Offer>> offers;
    private final ServiceFollower followers;
    private final Wake wake;
    private final UpgradePlan plan;
    private final Predicate<Service> here;

    public UpgradeRound(Store store, Clock clock, Supplier<List<Offer>> offers, ServiceFollower followers, Wake wake) {
        this(store, clock, offers, followers, wake, _ -> true);
    }

    /** {@code here} are the services whose versions are those of this machine. */
    public UpgradeRound(
            Store store,
            Clock clock,
            Supplier<List<Offer>> offers,
            ServiceFollower followers,
            Wake wake,
            Predicate<Service> here) {
        this.here = here;
        this.store = store;
        this.clock = clock;
        this.offers = offers;
        this.followers = followers;
        this.wake = wake;
        this.plan = new UpgradePlan(UpgradeTerms.USUAL, clock.now());
    }

    public void run() {
        List<Offer> there = offers.get();
        if (there.isEmpty()) {
            return;
        }
        List<Service> rows = all();
        Map<String, Instant> failures = failures(rows);
        boolean othersMove = rows.stream().anyMatch(UpgradeRound::moves);
        for (Service row : rows) {
            Scene scene = new Scene(there, failures, null, othersMove, false);
            // Without the window and what needs it, more may move than in the end does.
            if (!(plan.next(row, scene, clock.now()) instanceof Step.Stay)) {
                othersMove |= step(row.id(), scene);
            }
        }
    }

    private List<Service> all() {
        List<Service> rows = new ArrayList<>();
        List<Service> page = after(null);
        while (!page.isEmpty()) {
            page.stream().filter(here).forEach(rows::add);
            page = after(page.getLast().id());
        }
        return rows;
    }

    private List<Service> after(@Nullable UUID id) {
        return store.read(tables -> tables.of(Service.KIND).all(id, PAGE));
    }

    private static boolean moves(Service row) {
        Pin pin = row.want().pin();
        return pin != null && pin.isTried() && row.wish() == Wish.RUN;
    }

    private static Map<String, Instant> failures(List<Service> rows) {
        Map<String, Instant> failures = new HashMap<>();
        for (Service row : rows) {
            Pin pin = row.want().pin();
            if (pin != null && pin.refused() != null) {
                failures.merge(pin.refused(), pin.since(), (one, other) -> one.isAfter(other) ? one : other);
            }
        }
        return failures;
    }

    /** Decides on the row as it is now; whether it is on its way then. */
    private boolean step(UUID id, Scene scene) {
        return store.write(tables -> tables.of(Service.KIND)
                .find(id)
                .map(row -> {
                    Instant now = clock.now();
                    Scene whole = new Scene(
                            scene.offers(),
                            scene.failures(),
                            ServicePart.find(tables, WINDOW.holder(tables, row), WINDOW)
                                    .map(ServicePart::fields)
                                    .orElse(null),
                            scene.othersMove(),
                            followers.keepsAwake(tables, row));
                    return apply(tables, row, plan.next(row, whole, now), now);
                })
                .orElse(false));
    }

    private boolean apply(Tables tables, Service row, Step step, Instant now) {
        return switch (step) {
            case Step.Stay() -> false;
            case Step.Note(Pin pin) -> {
                tables.of(Service.KIND).overwrite(row.withPin(pin));
                yield false;
            }
            case Step.Move(Pin pin) -> {
                change(tables, row, pin, "service_maintenance_start", now);
                tables.afterCommit(() -> LOG.log(
                        Level.INFO,
                        "The service {0} goes from ClickHouse {1} to {2}",
                        row.id(),
                        pin.before(),
                        pin.version()));
                yield row.wish() == Wish.RUN;
            }
            case Step.Back(Pin pin) -> {
                change(tables, begunAgain(row, now), pin, "service_upgrade_undone", now);
                tables.afterCommit(() -> LOG.log(
                        Level.WARNING,
                        "The service {0} did not come up on ClickHouse {1} and goes back to {2}",
                        row.id(),
                        pin.refused(),
                        pin.version()));
                yield false;
            }
            case Step.Remain(Pin pin) -> {
                change(tables, row, pin, "service_upgrade_stuck", now);
                tables.afterCommit(() -> LOG.log(
                        Level.WARNING,
                        "The service {0} does not come up on ClickHouse {1}, and no version that is installed opens"
                                + " its data: restore a backup into a new service",
                        row.id(),
                        pin.version()));
                yield false;
            }
        };
    }

    /** What was seen is of the other version; from now on it is looked at as often as one that has just begun to start. */
    private static Service begunAgain(Service row, Instant now) {
        Seen seen = row.seen();
        return row.withWish(Wish.RUN, now)
                .withSeen(new Seen(Condition.STARTING, seen.everRan(), seen.dbVersion(), seen.protocols(), null, now));
    }

    private void change(Tables tables, Service row, Pin pin, String activity, Instant now) {
        tables.of(Service.KIND).overwrite(row.withPin(pin));
        ActivityLog.addBySystem(tables, row.organizationId(), activity, row.id(), null, now);
        tables.tasks().wake(Tasks.Kind.SERVICE, row.id(), Tasks.Urgency.CHANGED, now);
        tables.afterCommit(wake::nudge);
    }
}
