package io.pilothouse.core.injection;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Table;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.port.Wake;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.service.Service;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sets injections and takes them back. They are in the memory of this process and end with it. Services that one is
 * about are looked at at once, both when it begins and when it ends.
 */
public final class InjectionOperations {
    public static final int MAX_INJECTIONS = 100;
    public static final long MAX_SEED = Integer.MAX_VALUE;
    private static final int PAGE = 500;

    private final Store store;
    private final Clock clock;
    private final Injections injections;
    private final Set<String> operations;
    private final LongSupplier seeds;
    private final Wake wake;

    /** {@code operations} are the ids that an injection may name, {@code seeds} draws one from 0 to {@link #MAX_SEED}. */
    public InjectionOperations(
            Store store, Clock clock, Injections injections, Set<String> operations, LongSupplier seeds, Wake wake) {
        this.store = store;
        this.clock = clock;
        this.injections = injections;
        this.operations = Set.copyOf(operations);
        this.seeds = seeds;
        this.wake = wake;
    }

    /** Several at once, with the seed that they follow from; null for one that is drawn. */
    public record Plan(@Nullable Double seed, List<InjectionDraft> injections) {
        public Plan {
            injections = List.copyOf(injections);
        }
    }

    public Injections.Standing list(Permit permit) {
        return injections.standing();
    }

    public Injection add(Permit permit, InjectionDraft draft, Faults faults) {
        Injection injection = draft.checked("", injections.freeName(), operations, faults);
        if (injections.standing().injections().size() >= MAX_INJECTIONS) {
            faults.add("", "is one too many: " + MAX_INJECTIONS + " faults are set");
        }
        faults.refuseIfAny();
        if (!injections.add(injection)) {
            throw Refused.badRequest("name", "is that of a fault that is set");
        }
        lookAt(List.of(injection));
        return injection;
    }

    /** Puts these in the place of all that are set, and begins with their seed. */
    public Injections.Standing replace(Permit permit, Plan plan, Faults faults) {
        return begin(plan, faults);
    }

    /** The same as the program starts, when nobody asks. */
    public Injections.Standing begin(Plan plan, Faults faults) {
        Double seed = plan.seed();
        if (seed != null && !(seed >= 0 && seed <= MAX_SEED && seed == Math.rint(seed))) {
            faults.add("seed", "must be a whole number from 0 to " + MAX_SEED);
        }
        if (plan.injections().size() > MAX_INJECTIONS) {
            faults.add("faults", "must have at most " + MAX_INJECTIONS + " items");
        }
        List<Injection> checked = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (int i = 0; i < plan.injections().size(); i++) {
            String at = "faults[" + i + "].";
            Injection injection = plan.injections().get(i).checked(at, "fault-" + (i + 1), operations, faults);
            if (!names.add(injection.name())) {
                faults.add(at + "name", "must differ from those before it");
            }
            checked.add(injection);
        }
        faults.refuseIfAny();
        List<Injection> before = set();
        injections.begin(seed == null ? seeds.getAsLong() : seed.longValue(), checked);
        lookAt(before);
        lookAt(checked);
        return injections.standing();
    }

    public void remove(Permit permit, String name) {
        lookAt(List.of(injections.remove(name).orElseThrow(() -> Refused.notFound("Fault"))));
    }

    /** Takes all back; what is set afterwards begins with a fresh seed. */
    public void removeAll(Permit permit) {
        List<Injection> before = set();
        injections.begin(seeds.getAsLong(), List.of());
        lookAt(before);
    }

    private List<Injection> set() {
        return injections.standing().injections().stream()
                .map(Injections.Count::injection)
                .toList();
    }

    /** Has the engine look soon at the services that these are about: settled ones are looked at rarely. */
    private void lookAt(List<Injection> changed) {
        for (Injection injection : changed) {
            if (injection.effect() instanceof ServiceTrouble) {
                wake(injection.scope());
            }
        }
        wake.nudge();
    }

    private void wake(Injection.Scope scope) {
        UUID last = null;
        boolean more = true;
        while (more) {
            UUID after = last;
            List<Service> page = store.write(tables -> {
                Table<Service> table = tables.of(Service.KIND);
                List<Service> rows = table.all(after, PAGE);
                rows.stream()
                        .filter(scope::covers)
                        .forEach(row ->
                                tables.tasks().wake(Tasks.Kind.SERVICE, row.id(), Tasks.Urgency.CHANGED, clock.now()));
                return rows;
            });
            more = page.size() == PAGE;
            last = page.isEmpty() ? null : page.getLast().id();
        }
    }
}
