package io.pilothouse.core.part;

import io.pilothouse.core.activity.ActivityLog;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.FieldChange;
import io.pilothouse.core.base.Precondition;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Prepared;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Wake;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceOperations;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The verbs of one kind of part; their results are in the form that clients see. */
public final class PartOperations {
    private final Store store;
    private final Clock clock;
    private final RuleBook rules;
    private final PartKind kind;
    private final Wake wake;
    private final ActivityLog log;

    public PartOperations(Store store, Clock clock, RuleBook rules, PartKind kind, Wake wake) {
        this.store = store;
        this.clock = clock;
        this.rules = rules;
        this.kind = kind;
        this.wake = wake;
        this.log = new ActivityLog(clock);
    }

    public Tree.Members get(Permit permit, UUID serviceId) {
        return store.read(tables -> {
            Service service = kind.holder(tables, ServiceOperations.get(tables, permit, serviceId));
            ServicePart part = find(tables, service).orElseThrow(() -> Refused.notFound(kind.title()));
            return shown(part, service);
        });
    }

    public Tree.Members put(
            Permit permit, UUID serviceId, Tree.Members given, Precondition<Tree.Members> precondition, Faults faults) {
        return store.write(prepare(permit, serviceId, given, precondition, faults)::write);
    }

    /** Sets the part, whether or not there was one; fields that say nothing take it away. */
    public Prepared<Tree.Members> prepare(
            Permit permit, UUID serviceId, Tree.Members given, Precondition<Tree.Members> precondition, Faults faults) {
        Tree.Members fields = kind.made(given, rules, faults);
        return tables -> {
            Service service = ServiceOperations.get(tables, permit, serviceId);
            ServiceOperations.requireLasting(service);
            kind.requireFits(service);
            Optional<ServicePart> before = find(tables, service);
            precondition.require(() -> shown(before, service));
            kind.requireKnown(
                    tables, service, fields, before.map(ServicePart::fields).orElse(Tree.Members.NONE));
            if (!before.map(ServicePart::fields).equals(Optional.of(fields))) {
                write(tables, permit, service, before, fields, precondition);
            }
            return kind.shown(fields, service, clock.now());
        };
    }

    private void write(
            Tables tables,
            Permit permit,
            Service service,
            Optional<ServicePart> before,
            Tree.Members fields,
            Precondition<Tree.Members> precondition) {
        if (!kind.isNothing(fields)) {
            before.ifPresentOrElse(
                    part -> tables.of(ServicePart.KIND).overwrite(part.with(fields)),
                    () -> tables.of(ServicePart.KIND).insert(ServicePart.of(service, kind, fields, clock.now())));
            List<FieldChange> changes =
                    precondition.changes(shown(before, service), kind.shown(fields, service, clock.now()));
            changed(tables, permit, service, "_update", changes);
        } else if (before.isPresent()) {
            delete(tables, permit, service, before.get(), precondition);
        }
    }

    public void delete(Permit permit, UUID serviceId, Precondition<Tree.Members> precondition) {
        store.change(tables -> {
            Service service = ServiceOperations.get(tables, permit, serviceId);
            kind.requireFits(service);
            ServicePart part = find(tables, service).orElseThrow(() -> Refused.notFound(kind.title()));
            precondition.require(() -> shown(part, service));
            delete(tables, permit, service, part, precondition);
        });
    }

    private void delete(
            Tables tables, Permit permit, Service service, ServicePart part, Precondition<Tree.Members> precondition) {
        tables.of(ServicePart.KIND).delete(part.id(), part.version());
        changed(tables, permit, service, "_delete", precondition.gone(shown(part, service)));
    }

    private Tree.Members shown(Optional<ServicePart> part, Service service) {
        return part.map(there -> shown(there, service)).orElse(Tree.Members.NONE);
    }

    private Tree.Members shown(ServicePart part, Service service) {
        return kind.shown(part.fields(), service, clock.now());
    }

    private Optional<ServicePart> find(Tables tables, Service service) {
        return ServicePart.find(tables, service, kind);
    }

    private void changed(Tables tables, Permit permit, Service service, String verb, List<FieldChange> changes) {
        log.add(tables, permit, kind.activity() + verb, service.id(), service.id(), changes);
        kind.changed(tables, service, clock.now());
        tables.afterCommit(wake::nudge);
    }
}
