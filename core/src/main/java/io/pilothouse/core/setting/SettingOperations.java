package io.pilothouse.core.setting;

import io.pilothouse.core.activity.ActivityLog;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.FieldChange;
import io.pilothouse.core.base.Precondition;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.port.Wake;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceFollower;
import io.pilothouse.core.service.ServiceOperations;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The verbs of the settings of a service. They are a wish in its row: a database that runs is given them by the engine,
 * another one with its next start, and none is woken.
 */
public final class SettingOperations {
    /** As many as a service may ask for. */
    public static final int MAX_SETTINGS = 200;

    private final Store store;
    private final Clock clock;
    private final Supplier<Optional<SettingTable>> tables;
    private final ServiceFollower followers;
    private final Wake wake;
    private final ActivityLog log;

    /** {@code tables} says from memory which settings there are; empty until a database has run. */
    public SettingOperations(
            Store store, Clock clock, Supplier<Optional<SettingTable>> tables, ServiceFollower followers, Wake wake) {
        this.store = store;
        this.clock = clock;
        this.tables = tables;
        this.followers = followers;
        this.wake = wake;
        this.log = new ActivityLog(clock);
    }

    /** What a change has set, and what to mind about it. */
    public record Changed(SortedMap<String, String> applied, List<Warning> warnings) {
        public Changed {
            warnings = List.copyOf(warnings);
        }
    }

    /** A sentence about one setting. */
    public record Warning(String name, String message) {}

    /** One setting and its value. */
    public record Shown(String name, String value) {}

    public List<SettingShape> schema(Permit permit, UUID serviceId) {
        return known(find(permit, serviceId)).offered().toList();
    }

    /** Those that are set, by the service or by the program. */
    public List<Shown> list(Permit permit, UUID serviceId) {
        return shown(find(permit, serviceId));
    }

    /** What it is now, set or not. */
    public Shown get(Permit permit, UUID serviceId, String name) {
        return shown(find(permit, serviceId), name, byDefault(name));
    }

    private static Shown shown(Service service, String name, Optional<String> byDefault) {
        return Optional.ofNullable(ServiceSettings.inForce(service).get(name))
                .or(() -> byDefault)
                .map(value -> new Shown(name, value))
                .orElseThrow(() -> Refused.notFound("Setting"));
    }

    private Optional<String> byDefault(String name) {
        return tables.get()
                .flatMap(table -> table.find(name))
                .filter(SettingShape::offered)
                .map(SettingShape::byDefault);
    }

    public Changed update(
            Permit permit, UUID serviceId, Tree.Members given, Precondition<List<Shown>> precondition, Faults faults) {
        faults.refuseIfAny();
        Service service = find(permit, serviceId);
        ServiceOperations.requireLasting(service);
        SettingTable table = known(service);
        SortedMap<String, Service.Setting> wanted = wanted(given, table, faults);
        faults.refuseIfAny();
        store.change(rows -> {
            Service current = ServiceOperations.get(rows, permit, serviceId);
            precondition.require(() -> shown(current));
            ServiceOperations.requireLasting(current);
            SortedMap<String, Service.Setting> next = byName(current);
            next.putAll(wanted);
            if (next.size() > MAX_SETTINGS) {
                throw Refused.badRequest("settings", "would be more than the " + MAX_SETTINGS + " that a service has");
            }
            write(rows, permit, current, next, changed -> precondition.changes(shown(current), shown(changed)));
        });
        SortedMap<String, String> applied = new TreeMap<>();
        wanted.forEach((name, setting) -> applied.put(name, setting.value()));
        return new Changed(
                applied,
                applied.keySet().stream()
                        .flatMap(name -> warnings(name, table).stream())
                        .toList());
    }

    private static List<Warning> warnings(String name, SettingTable table) {
        List<Optional<String>> said =
                List.of(table.find(name).map(SettingShape::warning), Optional.ofNullable(table.notice()));
        return said.stream()
                .flatMap(Optional::stream)
                .map(message -> new Warning(name, message))
                .toList();
    }

    /** Gives a setting back its default; does nothing to one that is not set. */
    public void delete(Permit permit, UUID serviceId, String name, Precondition<Shown> precondition) {
        Optional<String> byDefault = byDefault(name);
        store.change(rows -> {
            Service current = ServiceOperations.get(rows, permit, serviceId);
            Shown shown = shown(current, name, byDefault);
            precondition.require(() -> shown);
            SortedMap<String, Service.Setting> next = byName(current);
            ServiceOperations.requireLasting(current);
            next.remove(name);
            write(
                    rows,
                    permit,
                    current,
                    next,
                    changed -> byDefault
                            .map(_ -> precondition.changes(shown, shown(changed, name, byDefault)))
                            .orElse(List.of()));
        });
    }

    private void write(
            Tables rows,
            Permit permit,
            Service current,
            SortedMap<String, Service.Setting> next,
            Function<Service, List<FieldChange>> changes) {
        List<Service.Setting> settings = List.copyOf(next.values());
        if (settings.equals(current.want().settings())) {
            return;
        }
        Service changed = ServiceOperations.replace(rows, current.withSettings(settings), current);
        followers.changed(rows, current, changed, clock.now());
        log.add(rows, permit, "service_update_clickhouse_settings", current.id(), current.id(), changes.apply(changed));
        rows.tasks().wake(Tasks.Kind.SERVICE, current.id(), Tasks.Urgency.CHANGED, clock.now());
        rows.afterCommit(wake::nudge);
    }

    private static SortedMap<String, Service.Setting> wanted(Tree.Members given, SettingTable table, Faults faults) {
        SortedMap<String, Service.Setting> wanted = new TreeMap<>();
        if (given.values().isEmpty()) {
            faults.add("settings", "must name at least one setting");
        }
        for (Map.Entry<String, Tree> entry : given.values().entrySet()) {
            String name = entry.getKey();
            String path = "settings." + name;
            Optional<SettingShape> shape = table.find(name);
            Optional<String> value = SettingText.of(entry.getValue());
            if (shape.isEmpty()) {
                faults.add(path, "is no setting of this ClickHouse");
            } else if (value.isEmpty()) {
                faults.add(path, "must be a text, a number, true or false");
            } else {
                shape.get().values().breach(value.get()).ifPresent(why -> faults.add(path, why));
                wanted.put(
                        name, new Service.Setting(name, value.get(), shape.get().byDefault()));
            }
        }
        return wanted;
    }

    private SettingTable known(Service service) {
        return tables.get()
                .orElseThrow(() -> new Refused(
                        Refused.Reason.FAILED_DEPENDENCY,
                        "Which settings there are is known once a database has run here. Current state: "
                                + service.state().word()));
    }

    private Service find(Permit permit, UUID serviceId) {
        return store.read(rows -> ServiceOperations.get(rows, permit, serviceId));
    }

    private static List<Shown> shown(Service service) {
        return ServiceSettings.inForce(service).entrySet().stream()
                .map(entry -> new Shown(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static SortedMap<String, Service.Setting> byName(Service service) {
        SortedMap<String, Service.Setting> settings = new TreeMap<>();
        service.want().settings().forEach(setting -> settings.put(setting.name(), setting));
        return settings;
    }
}
