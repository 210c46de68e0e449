package io.pilothouse.core.pipe;

import io.pilothouse.core.activity.ActivityLog;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.FieldChange;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Precondition;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.RowIds;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Prepared;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.port.Wake;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.service.ServiceOperations;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The verbs of reverse private endpoints; one that a pipe uses cannot be deleted. */
public final class ReversePrivateEndpointOperations {

    private final Store store;
    private final Clock clock;
    private final Wake wake;
    private final ActivityLog log;

    public ReversePrivateEndpointOperations(Store store, Clock clock, Wake wake) {
        this.store = store;
        this.clock = clock;
        this.wake = wake;
        this.log = new ActivityLog(clock);
    }

    public Prepared<ReversePrivateEndpoint> create(
            Permit permit, UUID serviceId, ReversePrivateEndpointDraft draft, Faults faults) {
        Optional<ReversePrivateEndpoint.Type> type = new ReversePrivateEndpointRules(faults).check(draft);
        faults.refuseIfAny();
        ReversePrivateEndpoint wanted = wanted(permit, serviceId, draft, type.orElseThrow(), clock.now());
        return tables -> {
            ServiceOperations.requireRunning(ServiceOperations.get(tables, permit, serviceId));
            List<ReversePrivateEndpoint> others = all(tables, serviceId);
            if (others.size() >= RuleBook.MAX_REVERSE_ENDPOINTS) {
                throw new Refused(
                        Refused.Reason.CONFLICT,
                        "A service has at most " + RuleBook.MAX_REVERSE_ENDPOINTS + " reverse private endpoints");
            }
            refuseSecondOfCluster(others, wanted);
            refuseOverlap(others, wanted);
            ReversePrivateEndpoint made = tables.of(ReversePrivateEndpoint.KIND).insert(wanted);
            List<FieldChange> seen = FieldChange.made("description", made.description());
            changed(tables, permit, made, "clickpipe_reverse_private_endpoint_create", Tasks.Urgency.NEW, seen);
            return made;
        };
    }

    private static ReversePrivateEndpoint wanted(
            Permit permit,
            UUID serviceId,
            ReversePrivateEndpointDraft draft,
            ReversePrivateEndpoint.Type type,
            Instant now) {
        return new ReversePrivateEndpoint(
                Head.of(RowIds.at(now), serviceId, now),
                permit.organizationId(),
                draft.description() == null ? "" : draft.description(),
                type,
                ReversePrivateEndpointRules.given(draft.vpcEndpointServiceName()),
                ReversePrivateEndpointRules.given(draft.vpcResourceConfigurationId()),
                ReversePrivateEndpointRules.given(draft.vpcResourceShareArn()),
                ReversePrivateEndpointRules.given(draft.mskClusterArn()),
                ReversePrivateEndpointRules.given(draft.mskAuthentication()),
                ReversePrivateEndpointRules.given(draft.gcpServiceAttachment()),
                draft.customPrivateDnsNames() == null ? List.of() : draft.customPrivateDnsNames(),
                ReversePrivateEndpoint.Status.PROVISIONING,
                false,
                now);
    }

    /** All of a service, those that are being deleted too: clients see them until they are gone. */
    public List<ReversePrivateEndpoint> list(Permit permit, UUID serviceId) {
        return store.read(tables -> {
            ServiceOperations.get(tables, permit, serviceId);
            return all(tables, serviceId);
        });
    }

    public ReversePrivateEndpoint get(Permit permit, UUID serviceId, UUID endpointId) {
        return store.read(tables -> get(tables, permit, serviceId, endpointId));
    }

    /** Replaces the names of an endpoint, the only part of it that can change; null leaves them. */
    public ReversePrivateEndpoint update(
            Permit permit,
            UUID serviceId,
            UUID endpointId,
            @Nullable List<String> given,
            Precondition<ReversePrivateEndpoint> precondition,
            Faults faults) {
        faults.refuseIfAny();
        return store.write(tables -> {
            ReversePrivateEndpoint current = getToWrite(tables, permit, serviceId, endpointId, precondition);
            List<String> names = given == null ? current.customPrivateDnsNames() : given;
            Faults found = new Faults();
            new ReversePrivateEndpointRules(found).checkNames(current.type(), names);
            found.refuseIfAny();
            ReversePrivateEndpoint next = current.withDnsNames(names);
            refuseOverlap(all(tables, serviceId), next);
            if (next.equals(current)) {
                return current;
            }
            List<FieldChange> changes = precondition.changes(current, next);
            return replaced(tables, permit, next, current, "clickpipe_reverse_private_endpoint_update", changes);
        });
    }

    public void delete(
            Permit permit, UUID serviceId, UUID endpointId, Precondition<ReversePrivateEndpoint> precondition) {
        store.write(tables -> {
            ReversePrivateEndpoint current = getToWrite(tables, permit, serviceId, endpointId, precondition);
            if (current.deleted()) {
                return current;
            }
            boolean used = tables.of(Pipe.KIND).page(serviceId, null, RuleBook.MAX_PIPES).stream()
                    .filter(pipe -> pipe.want().wish() != Pipe.Wish.DELETE)
                    .anyMatch(pipe -> pipe.reversePrivateEndpointIds().contains(endpointId.toString()));
            if (used) {
                throw new Refused(Refused.Reason.CONFLICT, "A ClickPipe uses this endpoint: delete or change it first");
            }
            return replaced(
                    tables,
                    permit,
                    current.asDeleted(clock.now()),
                    current,
                    "clickpipe_reverse_private_endpoint_delete",
                    precondition.gone(current));
        });
    }

    public static List<ReversePrivateEndpoint> all(Tables tables, UUID serviceId) {
        return tables.of(ReversePrivateEndpoint.KIND).page(serviceId, null, RuleBook.MAX_REVERSE_ENDPOINTS);
    }

    private static ReversePrivateEndpoint get(Tables tables, Permit permit, UUID serviceId, UUID endpointId) {
        ServiceOperations.get(tables, permit, serviceId);
        return tables.of(ReversePrivateEndpoint.KIND)
                .find(serviceId, endpointId)
                .orElseThrow(() -> Refused.notFound("Reverse private endpoint"));
    }

    private static ReversePrivateEndpoint getToWrite(
            Tables tables,
            Permit permit,
            UUID serviceId,
            UUID endpointId,
            Precondition<ReversePrivateEndpoint> precondition) {
        ReversePrivateEndpoint endpoint = get(tables, permit, serviceId, endpointId);
        ServiceOperations.requireRunning(ServiceOperations.get(tables, permit, serviceId));
        precondition.require(() -> endpoint);
        return endpoint;
    }

    /** One endpoint for each cluster and way of authenticating. */
    private static void refuseSecondOfCluster(List<ReversePrivateEndpoint> others, ReversePrivateEndpoint wanted) {
        String cluster = wanted.mskClusterArn();
        boolean there = cluster != null
                && others.stream()
                        .anyMatch(other -> !other.deleted()
                                && cluster.equals(other.mskClusterArn())
                                && other.mskAuthentication() != null
                                && other.mskAuthentication().equals(wanted.mskAuthentication()));
        if (there) {
            throw Refused.badRequest("mskClusterArn", "has an endpoint with this authentication already");
        }
    }

    private static void refuseOverlap(List<ReversePrivateEndpoint> others, ReversePrivateEndpoint wanted) {
        for (String name : wanted.customPrivateDnsNames()) {
            boolean taken = others.stream()
                    .filter(other -> !other.deleted() && !other.id().equals(wanted.id()))
                    .flatMap(other -> other.customPrivateDnsNames().stream())
                    .anyMatch(other -> ReversePrivateEndpointRules.overlap(other, name));
            if (taken) {
                throw Refused.badRequest("customPrivateDnsMappings", name + " overlaps a name of another endpoint");
            }
        }
    }

    private ReversePrivateEndpoint replaced(
            Tables tables,
            Permit permit,
            ReversePrivateEndpoint next,
            ReversePrivateEndpoint current,
            String activity,
            List<FieldChange> changes) {
        ReversePrivateEndpoint kept = tables.of(ReversePrivateEndpoint.KIND)
                .replace(next, current.version())
                .orElseThrow();
        changed(tables, permit, kept, activity, Tasks.Urgency.CHANGED, changes);
        return kept;
    }

    private void changed(
            Tables tables,
            Permit permit,
            ReversePrivateEndpoint endpoint,
            String activity,
            Tasks.Urgency urgency,
            List<FieldChange> changes) {
        tables.tasks().wake(Tasks.Kind.REVERSE_PRIVATE_ENDPOINT, endpoint.id(), urgency, clock.now());
        tables.afterCommit(wake::nudge);
        log.add(tables, permit, activity, endpoint.serviceId(), endpoint.id(), changes);
    }

    /** Refuses a pipe that would go through one of this service that is not there, or not ready. */
    static void requireReady(Tables tables, UUID serviceId, PipeKind kind, List<String> ids) {
        Faults found = new Faults();
        for (int i = 0; i < ids.size(); i++) {
            boolean ready = tables.of(ReversePrivateEndpoint.KIND)
                    .find(serviceId, UUID.fromString(ids.get(i)))
                    .filter(endpoint -> endpoint.shownStatus() == ReversePrivateEndpoint.Status.READY)
                    .isPresent();
            if (!ready) {
                found.add(
                        "source." + kind.member() + ".reversePrivateEndpointIds[" + i + "]",
                        "is no reverse private endpoint of this service that is Ready");
            }
        }
        found.refuseIfAny();
    }
}
