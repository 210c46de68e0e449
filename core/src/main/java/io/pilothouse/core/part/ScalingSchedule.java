package io.pilothouse.core.part;

import static io.pilothouse.core.base.FieldShape.flag;
import static io.pilothouse.core.base.FieldShape.number;
import static io.pilothouse.core.base.FieldShape.numbers;
import static io.pilothouse.core.base.FieldShape.objects;
import static io.pilothouse.core.base.FieldShape.text;
import static io.pilothouse.core.base.FieldShape.word;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.FieldShape;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.scaling.Scaling;
import io.pilothouse.core.service.Service;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The hours of a week in which a service is scaled in another way; the first entry that covers an hour holds. */
public final class ScalingSchedule implements PartKind {
    private static final String HORIZONTAL = "horizontal";

    private final ReplicaRoom room;

    /** Refuses a service that would have up to {@code wanted} replicas, and now has {@code before}, without room. */
    @FunctionalInterface
    public interface ReplicaRoom {
        void require(Tables tables, Service service, int before, int wanted);
    }

    /** The one that sets no schedule. */
    public ScalingSchedule() {
        this((_, _, _, _) -> {});
    }

    public ScalingSchedule(ReplicaRoom room) {
        this.room = room;
    }

    /** The largest number of replicas that a service has at any hour. */
    public static int highestReplicas(Tables tables, Service service) {
        return ServicePart.find(tables, service, new ScalingSchedule())
                .map(part -> highestReplicas(part.fields(), service.scaling()))
                .orElse(service.scaling().highestReplicas());
    }

    private static int highestReplicas(Tree.Members fields, Scaling base) {
        return fields.objects("entries").stream()
                .mapToInt(entry -> scaling(entry, base).highestReplicas())
                .reduce(base.highestReplicas(), Math::max);
    }

    @Override
    public void requireKnown(Tables tables, Service service, Tree.Members fields, Tree.Members before) {
        Scaling base = service.scaling();
        room.require(tables, service, highestReplicas(before, base), highestReplicas(fields, base));
    }

    @Override
    public String name() {
        return "scalingSchedule";
    }

    @Override
    public String title() {
        return "Scaling schedule";
    }

    @Override
    public String activity() {
        return "service_scaling_schedule";
    }

    @Override
    public List<FieldShape> fields(RuleBook rules) {
        return List.of(objects(
                "entries",
                text("name").needed(),
                numbers("weekdays", RuleBook.WEEKDAY).needed(),
                number("startHourUtc", RuleBook.SCHEDULE_START_HOUR).needed(),
                number("endHourUtc", RuleBook.SCHEDULE_END_HOUR).needed(),
                word("autoscalingMode", RuleBook.AUTOSCALING_MODES).orElse("vertical"),
                number("minReplicaMemoryGb", RuleBook.REPLICA_MEMORY_GB),
                number("maxReplicaMemoryGb", RuleBook.REPLICA_MEMORY_GB),
                number("numReplicas", RuleBook.REPLICAS),
                number("minReplicas", RuleBook.REPLICAS),
                number("maxReplicas", RuleBook.REPLICAS),
                flag("idleScaling"),
                number("idleTimeoutMinutes", RuleBook.IDLE_TIMEOUT_MINUTES)));
    }

    @Override
    public void check(Tree.Members given, Tree.Members fields, RuleBook rules, Faults faults) {
        List<Tree.Members> entries = fields.objects("entries");
        if (!given.has("entries") || given.values().get("entries") instanceof Tree.Nothing) {
            faults.add("entries", "is required");
        }
        RuleBook.SCHEDULE_ENTRIES.check("entries", entries.size(), faults);
        for (int i = 0; i < entries.size(); i++) {
            check("entries[" + i + "].", entries.get(i), faults);
        }
    }

    private static void check(String path, Tree.Members entry, Faults faults) {
        if (entry.number("startHourUtc").equals(entry.number("endHourUtc"))) {
            faults.add(path + "endHourUtc", "must differ from startHourUtc");
        }
        requireBoth(path, entry, "minReplicaMemoryGb", "maxReplicaMemoryGb", faults);
        requireBoth(path, entry, "minReplicas", "maxReplicas", faults);
        if (entry.has("numReplicas") && entry.has("minReplicas")) {
            faults.add(path + "numReplicas", "cannot be given together with minReplicas and maxReplicas");
        }
        boolean sameReplicas = entry.number("minReplicas").equals(entry.number("maxReplicas"));
        if (!isHorizontal(entry)) {
            if (!sameReplicas) {
                faults.add(path + "autoscalingMode", "must be horizontal when minReplicas and maxReplicas differ");
            }
            return;
        }
        if (!entry.has("minReplicas")) {
            faults.add(path + "minReplicas", "and maxReplicas are needed when replicas scale horizontally");
        }
        if (!entry.has("minReplicaMemoryGb")
                || !entry.number("minReplicaMemoryGb").equals(entry.number("maxReplicaMemoryGb"))) {
            faults.add(path + "minReplicaMemoryGb", "must equal maxReplicaMemoryGb when replicas scale horizontally");
        }
    }

    private static void requireBoth(String path, Tree.Members entry, String min, String max, Faults faults) {
        if (entry.has(min) != entry.has(max)) {
            faults.add(path + (entry.has(min) ? max : min), "is needed beside the other end");
        } else if (entry.number(min).orElse(0.0) > entry.number(max).orElse(0.0)) {
            faults.add(path + min, "must not be above " + max);
        }
    }

    private static boolean isHorizontal(Tree.Members entry) {
        return entry.text("autoscalingMode").filter(HORIZONTAL::equals).isPresent();
    }

    @Override
    public void requireFits(Service service) {
        if (service.placement().development()) {
            throw Refused.badRequest("path.serviceId", "is a development service, whose size is fixed");
        }
    }

    @Override
    public boolean isNothing(Tree.Members fields) {
        return fields.objects("entries").isEmpty();
    }

    @Override
    public void changed(Tables tables, Service service, Instant now) {
        Optional<ServicePart> part = ServicePart.find(tables, service, this);
        tables.of(Service.KIND)
                .overwrite(service.withSchedule(
                        part.map(set -> taken(set.fields(), now)).orElse(null)));
        wake(tables, service, now);
    }

    static Service.Schedule taken(Tree.Members fields, Instant now) {
        return new Service.Schedule(fields, ScheduleHours.active(fields.objects("entries"), now));
    }

    static void wake(Tables tables, Service service, Instant now) {
        tables.tasks().wake(Tasks.Kind.SCALING_SCHEDULE, service.id(), Tasks.Urgency.CHANGED, now);
    }

    @Override
    public Tree.Members shown(Tree.Members fields, Service service, Instant now) {
        return shown(taken(fields, now), service);
    }

    /** The schedule as its service shows it: as the engine last took it. Empty where there is none. */
    public static Optional<Tree.Members> shown(Service service) {
        return Optional.ofNullable(service.want().schedule()).map(schedule -> shown(schedule, service));
    }

    /** The entry that held when the engine last took the schedule. */
    public static Optional<String> activeEntryId(Service service) {
        return Optional.ofNullable(service.want().schedule())
                .filter(schedule -> schedule.active() >= 0)
                .map(schedule -> idOf(service, schedule.active()));
    }

    private static Tree.Members shown(Service.Schedule schedule, Service service) {
        List<Tree.Members> entries = schedule.fields().objects("entries");
        int active = schedule.active();
        List<Tree> shown = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            shown.add(shown(entries.get(i), idOf(service, i), i == active));
        }
        Tree.Members answer = Tree.Members.NONE
                .with("entries", new Tree.Items(shown))
                .with("baseConfig", entries.isEmpty() ? Tree.Members.NONE : base(service.scaling()));
        return active < 0 ? answer : answer.with("activeEntryId", new Tree.Text(idOf(service, active)));
    }

    /** An entry is known by its place: a schedule is only ever replaced as a whole. */
    private static String idOf(Service service, int place) {
        byte[] name = (service.id() + " scaling schedule " + place).getBytes(StandardCharsets.UTF_8);
        return UUID.nameUUIDFromBytes(name).toString();
    }

    private static Tree.Members shown(Tree.Members entry, String id, boolean active) {
        Optional<Tree> fixed = entry.find("numReplicas");
        return new Tree.Members(Map.of("id", new Tree.Text(id)))
                .over(entry.with("numReplicas", null))
                .with("minReplicas", fixed.or(() -> entry.find("minReplicas")).orElse(null))
                .with("maxReplicas", fixed.or(() -> entry.find("maxReplicas")).orElse(null))
                .with("isActiveNow", new Tree.Flag(active));
    }

    private static Tree.Members base(Scaling scaling) {
        return Tree.Members.NONE
                .with("autoscalingMode", new Tree.Text(scaling.autoscalingMode()))
                .with("minReplicaMemoryGb", new Tree.Figure(scaling.minReplicaMemoryGb()))
                .with("maxReplicaMemoryGb", new Tree.Figure(scaling.maxReplicaMemoryGb()))
                .with("minReplicas", new Tree.Figure(scaling.lowestReplicas()))
                .with("maxReplicas", new Tree.Figure(scaling.highestReplicas()))
                .with("idleScaling", new Tree.Flag(scaling.idleScaling()))
                .with("idleTimeoutMinutes", new Tree.Figure(scaling.idleTimeoutMinutes()));
    }

    /** How the service is to be scaled at this moment; empty while no entry holds. */
    static Optional<Scaling> now(Tree.Members fields, Scaling base, Instant now) {
        List<Tree.Members> entries = fields.objects("entries");
        int active = ScheduleHours.active(entries, now);
        return active < 0 ? Optional.empty() : Optional.of(scaling(entries.get(active), base));
    }

    private static Scaling scaling(Tree.Members entry, Scaling base) {
        int low = whole(entry, "minReplicas", whole(entry, "numReplicas", base.numReplicas()));
        int high = whole(entry, "maxReplicas", low);
        boolean idles = entry.flag("idleScaling");
        return new Scaling(
                whole(entry, "minReplicaMemoryGb", base.minReplicaMemoryGb()),
                whole(entry, "maxReplicaMemoryGb", base.maxReplicaMemoryGb()),
                low,
                isHorizontal(entry) ? new Scaling.Band(low, high) : null,
                idles,
                entry.number("idleTimeoutMinutes").map(Double::longValue).orElse(base.idleTimeoutMinutes()));
    }

    private static int whole(Tree.Members entry, String name, int otherwise) {
        return entry.number(name).map(Double::intValue).orElse(otherwise);
    }
}
