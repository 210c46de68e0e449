package io.pilothouse.core.service;

import io.pilothouse.core.activity.ActivityLog;
import io.pilothouse.core.base.AccessRules;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.FieldChange;
import io.pilothouse.core.base.Precondition;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.RowIds;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.TagFilter;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.organization.OrganizationOperations;
import io.pilothouse.core.organization.PrivateEndpoint;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Page;
import io.pilothouse.core.port.Prepared;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Table;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.port.Wake;
import io.pilothouse.core.right.Permission;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.right.Rights;
import io.pilothouse.core.scaling.Scaling;
import io.pilothouse.core.scaling.ScalingDraft;
import io.pilothouse.core.scaling.ScalingRules;
import io.pilothouse.core.secret.PasswordHashes;
import io.pilothouse.core.secret.SecretText;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The verbs of services: each writes what is wanted, wakes the engine and returns; none touches the data plane. */
public final class ServiceOperations {
    private static final Set<ServiceState> DELETABLE = Set.of(
            ServiceState.PROVISIONING,
            ServiceState.STARTING,
            ServiceState.AWAKING,
            ServiceState.IDLE,
            ServiceState.STOPPED,
            ServiceState.DEGRADED,
            ServiceState.FAILED);

    private final Store store;
    private final Clock clock;
    private final RuleBook rules;
    private final ServiceDefaults defaults;
    private final SecretText secrets;
    private final Addresses addresses;
    private final WayIn wayIn;
    private final Supplier<DataPlane.Database> database;
    private final ServiceOrigins origins;
    private final ServiceFollower followers;
    private final Wake wake;
    private final ActivityLog log;

    /** {@code database} is what a new service will run, answered from memory. */
    public ServiceOperations(
            Store store,
            Clock clock,
            RuleBook rules,
            ServiceDefaults defaults,
            SecretText secrets,
            Addresses addresses,
            WayIn wayIn,
            Supplier<DataPlane.Database> database,
            ServiceOrigins origins,
            ServiceFollower followers,
            Wake wake) {
        this.store = store;
        this.clock = clock;
        this.rules = rules;
        this.defaults = defaults;
        this.secrets = secrets;
        this.addresses = addresses;
        this.wayIn = wayIn;
        this.database = database;
        this.origins = origins;
        this.followers = followers;
        this.wake = wake;
        this.log = new ActivityLog(clock);
    }

    public Prepared<NewService> create(Permit permit, ServiceDraft draft, Faults faults) {
        if (draft.privateEndpointIds() != null) {
            new AccessRules(faults).checkIdentifiers("privateEndpointIds", draft.privateEndpointIds());
        }
        String password = secrets.password();
        UUID id = RowIds.at(clock.now());
        // Designed outside the transaction, so that a bad request never holds up those who write.
        Design design = store.read(tables -> {
            Organization organization = OrganizationOperations.get(tables, permit.organizationId());
            Service primary = warehousePrimary(tables, permit, draft.dataWarehouseId());
            ServiceDesign.Origin origin = Optional.ofNullable(draft.backupId())
                    .flatMap(originId -> origins.find(tables, permit, originId))
                    .orElse(null);
            ServiceDesign.Setting setting = new ServiceDesign.Setting(
                    organization, primary, origin, id, SecretText.hash(password), database.get(), clock.now());
            return new Design(organization, new ServiceDesign(rules, defaults, setting, faults).of(draft));
        });
        faults.refuseIfAny();
        WayIn.Opening opening = wayIn.open(design.service().fixed().origin());
        Service wanted = opening.to(design.service());
        ServicePorts ports = opening.ports();
        return tables -> {
            if (draft.dataWarehouseId() != null) {
                // Its primary may have been deleted meanwhile, and a warehouse never gets another.
                ServiceDesign.closed(warehousePrimary(tables, permit, draft.dataWarehouseId()))
                        .ifPresent(why -> {
                            throw Refused.badRequest("dataWarehouseId", why);
                        });
            }
            if (draft.backupId() != null) {
                origins.hold(tables, permit, draft.backupId(), id);
            }
            followers.made(tables, wanted);
            if (ports != null) {
                tables.ports().reserve(id, ports.all());
            }
            Service made = tables.of(Service.KIND).insert(wanted);
            wake(tables, made, Tasks.Urgency.NEW);
            tables.tasks().place(Tasks.Kind.SERVICE, id, made.hostId());
            log.add(tables, permit, "service_create", made.id(), made.id(), FieldChange.made("name", made.name()));
            return new NewService(view(made, design.organization()), password);
        };
    }

    /** The outcome of a create request. */
    private record Design(Organization organization, Service service) {}

    /** A warehouse has the id of its primary service. */
    private static @Nullable Service warehousePrimary(Tables tables, Permit permit, @Nullable String warehouseId) {
        if (warehouseId == null) {
            return null;
        }
        Table<Service> services = tables.of(Service.KIND);
        return services.listByReference(warehouseId.toLowerCase(Locale.ROOT), 1).stream()
                .map(member -> member.warehouse().id())
                .flatMap(id -> services.find(permit.organizationId(), id).stream())
                // Joining a warehouse gives all of its data.
                .filter(primary -> permit.allows(Permission.SERVICE_WRITE, primary.id()))
                .findFirst()
                .orElse(null);
    }

    public ServiceView get(Permit permit, UUID serviceId) {
        return store.read(tables -> view(tables, get(tables, permit, serviceId)));
    }

    public Page<ServiceView> page(Permit permit, List<TagFilter> filters, Table.@Nullable Cursor after, int limit) {
        return store.read(tables -> {
            Organization organization = OrganizationOperations.get(tables, permit.organizationId());
            Page<Service> page = page(tables, permit, after, limit);
            List<ServiceView> views = page.items().stream()
                    .filter(service -> filters.stream()
                            .allMatch(filter -> filter.matches(service.details().tags())))
                    .map(service -> view(service, organization))
                    .toList();
            return new Page<>(views, page.next());
        });
    }

    /** The services that the caller may read. Who may read some and not all is led to these by their ids, in one page. */
    public static Page<Service> page(Tables tables, Permit permit, Table.@Nullable Cursor after, int limit) {
        Table<Service> services = tables.of(Service.KIND);
        Rights rights = permit.caller().rights();
        if (!rights.everywhere().contains(Permission.SERVICE_READ)) {
            List<Service> named = rights.onServices().keySet().stream()
                    .filter(id -> permit.allows(Permission.SERVICE_READ, id))
                    .flatMap(id -> services.find(permit.organizationId(), id).stream())
                    .sorted(Comparator.comparing(Service::createdAt)
                            .thenComparing(service -> service.id().toString()))
                    .toList();
            return new Page<>(named, null);
        }
        List<Service> page = services.page(permit.organizationId(), after, limit);
        List<Service> readable = page.stream()
                .filter(service -> permit.allows(Permission.SERVICE_READ, service.id()))
                .toList();
        return new Page<>(readable, page.size() < limit ? null : Table.Cursor.of(page.getLast()));
    }

    public ServiceView update(
            Permit permit,
            UUID serviceId,
            ServiceChange change,
            Precondition<ServiceView> precondition,
            Faults faults) {
        change.rights().forEach(permit::require);
        ServiceUpdate.check(change, rules, faults);
        faults.refuseIfAny();
        return store.write(tables -> {
            Service current = get(tables, permit, serviceId);
            Organization organization = OrganizationOperations.get(tables, permit.organizationId());
            precondition.require(() -> view(current, organization));
            requireLasting(current);
            Faults late = new Faults();
            ServiceUpdate update = ServiceUpdate.of(current, change, late);
            late.refuseIfAny();
            if (update.activityTypes().isEmpty()) {
                return view(current, organization);
            }
            Service next = replace(tables, update.next(), current);
            followers.updated(tables, permit, current, next);
            List<FieldChange> seen = precondition.changes(view(current, organization), view(next, organization));
            update.activityTypes().forEach(type -> log.add(tables, permit, type, serviceId, serviceId, seen));
            if (!next.access().equals(current.access())) {
                wake(tables, next, Tasks.Urgency.CHANGED);
            }
            return view(tables, next);
        });
    }

    public ServiceView command(
            Permit permit,
            UUID serviceId,
            @Nullable String word,
            Precondition<ServiceView> precondition,
            Faults faults) {
        Optional<ServiceCommand> command = ServiceCommand.find(word);
        if (command.isEmpty() && !faults.has("command")) {
            faults.add("command", ServiceCommand.WORDS.message());
        }
        faults.refuseIfAny();
        return store.write(tables -> {
            Service current = get(tables, permit, serviceId);
            precondition.require(() -> view(tables, current));
            Wish next = command.orElseThrow()
                    .from(current.wish())
                    .orElseThrow(() -> ServiceCommand.conflict(word, current));
            if (next == current.wish()) {
                return view(tables, current);
            }
            Service changed = replace(tables, current.withWish(next, clock.now()), current);
            wake(tables, changed, Tasks.Urgency.CHANGED);
            ServiceView after = view(tables, changed);
            List<FieldChange> seen = precondition.changes(view(tables, current), after);
            log.add(tables, permit, command.orElseThrow().activityType(), serviceId, serviceId, seen);
            return after;
        });
    }

    /** Changes how large a service may be and when it sleeps; what is not given stays. */
    public ServiceView scale(
            Permit permit, UUID serviceId, ScalingDraft draft, Precondition<ServiceView> precondition, Faults faults) {
        ScalingRules.checkRanges(draft, faults);
        faults.refuseIfAny();
        return store.write(tables -> {
            Service current = get(tables, permit, serviceId);
            Organization organization = OrganizationOperations.get(tables, permit.organizationId());
            precondition.require(() -> view(current, organization));
            requireLasting(current);
            Faults late = new Faults();
            ScalingRules.Setting setting = new ScalingRules.Setting(
                    organization,
                    current.warehouse().primary(),
                    current.placement().development(),
                    current.placement().byocId());
            Scaling scaling = new ScalingRules(rules, setting, late).change(draft, current.scaling());
            late.refuseIfAny();
            List<String> changes = scaling.differences(current.scaling());
            if (changes.isEmpty()) {
                return view(current, organization);
            }
            followers.sized(tables, current, current.withScaling(scaling));
            Service next = replace(tables, current.withScaling(scaling), current);
            List<FieldChange> seen = precondition.changes(view(current, organization), view(next, organization));
            changes.forEach(type -> log.add(tables, permit, type, serviceId, serviceId, seen));
            followers.changed(tables, current, next, clock.now());
            if (next.want().scheduled() != null) {
                // An entry of its schedule holds, and takes from this what it does not say itself.
                tables.tasks().wake(Tasks.Kind.SCALING_SCHEDULE, serviceId, Tasks.Urgency.CHANGED, clock.now());
            }
            wake(tables, next, Tasks.Urgency.CHANGED);
            return view(next, organization);
        });
    }

    /** Sets another password: the one whose hash was brought along, or a new one, which is shown this once. */
    public NewPassword changePassword(
            Permit permit,
            UUID serviceId,
            PasswordChange change,
            Precondition<ServiceView> precondition,
            Faults faults) {
        change.check(faults);
        faults.refuseIfAny();
        String password = change.bringsHash() ? null : secrets.password();
        PasswordHashes hashes = password == null ? change.hashes() : SecretText.hash(password);
        return store.write(tables -> {
            Service current = get(tables, permit, serviceId);
            precondition.require(() -> view(tables, current));
            requireLasting(current);
            // Recorded even if it is the same one again: who set it is worth knowing.
            log.add(tables, permit, "service_update_password", serviceId, serviceId);
            if (!hashes.equals(current.password())) {
                wake(tables, replace(tables, current.withPassword(hashes), current), Tasks.Urgency.CHANGED);
            }
            return new NewPassword(password);
        });
    }

    public void delete(Permit permit, UUID serviceId, Precondition<ServiceView> precondition) {
        store.write(tables -> {
            Service current = get(tables, permit, serviceId);
            precondition.require(() -> view(tables, current));
            if (current.wish() == Wish.DELETE) {
                return current;
            }
            if (!DELETABLE.contains(current.state())) {
                throw ServiceCommand.conflict("delete", current);
            }
            if (current.warehouse().primary()) {
                String warehouse = current.warehouse().id().toString();
                ServiceCommand.refuseWhileOthersNeed(
                        current,
                        tables.of(Service.KIND).listByReference(warehouse, RuleBook.MAX_SERVICES_OF_A_WAREHOUSE));
            }
            List<FieldChange> seen = precondition.gone(view(tables, current));
            Service next = end(tables, current);
            log.add(tables, permit, "service_delete", serviceId, serviceId, seen);
            return next;
        });
    }

    /** Has the engine end a service, whatever its state. */
    public Service end(Tables tables, Service current) {
        followers.deleted(tables, current, clock.now());
        Service next = replace(tables, current.withWish(Wish.DELETE, clock.now()), current);
        wake(tables, next, Tasks.Urgency.CHANGED);
        return next;
    }

    public static Service get(Tables tables, Permit permit, UUID serviceId) {
        Table<Service> services = tables.of(Service.KIND);
        return services.find(permit.organizationId(), serviceId).orElseThrow(() -> Refused.notFound("Service"));
    }

    /** Whether there is such a service, and nobody has asked for its end. */
    public static boolean isLasting(Tables tables, UUID serviceId) {
        return tables.of(Service.KIND)
                .find(serviceId)
                .filter(service -> service.wish() != Wish.DELETE)
                .isPresent();
    }

    /** A service that is being deleted takes no change; clients look for this phrase. */
    public static void requireLasting(Service service) {
        if (service.wish() == Wish.DELETE) {
            throw new Refused(
                    Refused.Reason.CONFLICT,
                    "The service is being deleted. Current state: '"
                            + service.state().word() + "'");
        }
    }

    /** A write into a service needs one that runs; clients look for this phrase. */
    public static void requireRunning(Service service) {
        requireLasting(service);
        if (!service.state().runsOrStarts()) {
            throw new Refused(
                    Refused.Reason.FAILED_DEPENDENCY,
                    "The service does not run. Current state: "
                            + service.state().word());
        }
    }

    public static Service replace(Tables tables, Service next, Service current) {
        return tables.of(Service.KIND).replace(next, current.version()).orElseThrow();
    }

    private void wake(Tables tables, Service row, Tasks.Urgency urgency) {
        tables.tasks().wake(Tasks.Kind.SERVICE, row.id(), urgency, clock.now());
        tables.afterCommit(() -> wayIn.follow(row));
        tables.afterCommit(wake::nudge);
    }

    private ServiceView view(Tables tables, Service service) {
        return view(service, OrganizationOperations.get(tables, service.organizationId()));
    }

    private ServiceView view(Service service, Organization organization) {
        List<String> available = organization.privateEndpoints().stream()
                .filter(endpoint -> endpoint.reaches(
                        service.placement().provider(), service.placement().region()))
                .map(PrivateEndpoint::id)
                .toList();
        return new ServiceView(service, addresses.of(service), available);
    }
}
