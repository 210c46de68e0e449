package io.pilothouse.core.pipe;

import io.pilothouse.core.activity.ActivityLog;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.FieldChange;
import io.pilothouse.core.base.Precondition;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.RowIds;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.base.TreeBytes;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Prepared;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.port.Wake;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.secret.Vault;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceOperations;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The verbs of pipes. A write needs a service that runs; a pipe that is being deleted is no longer there. */
public final class PipeOperations {

    private final Store store;
    private final Clock clock;
    private final RuleBook rules;
    private final Vault vault;
    private final PipeSchemaOperations schemas;
    private final Wake wake;
    private final ActivityLog log;

    public PipeOperations(
            Store store, Clock clock, RuleBook rules, Vault vault, PipeSchemaOperations schemas, Wake wake) {
        this.store = store;
        this.clock = clock;
        this.rules = rules;
        this.vault = vault;
        this.schemas = schemas;
        this.wake = wake;
        this.log = new ActivityLog(clock);
    }

    public Prepared<Pipe> create(Permit permit, UUID serviceId, PipeDraft draft, Faults faults) {
        UUID id = RowIds.at(clock.now());
        Optional<PipeDesign.Designed> designed =
                new PipeDesign(rules, faults).create(id, serviceId, permit.organizationId(), draft, clock.now());
        faults.refuseIfAny();
        schemas.check(permit, serviceId, designed.orElseThrow(), draft.validatesSamples());
        Pipe wanted = sealed(designed.orElseThrow());
        return tables -> {
            Service service = ServiceOperations.get(tables, permit, serviceId);
            ServiceOperations.requireRunning(service);
            requireReady(tables, wanted);
            if (tables.of(Pipe.KIND).count(serviceId) >= RuleBook.MAX_PIPES) {
                throw new Refused(Refused.Reason.CONFLICT, "A service has at most " + RuleBook.MAX_PIPES + " pipes");
            }
            Pipe made = tables.of(Pipe.KIND).insert(wanted);
            if (made.database()
                    && tables.of(PipeCdcScaling.KIND).find(serviceId).isEmpty()) {
                tables.of(PipeCdcScaling.KIND).insert(PipeCdcScaling.first(serviceId, clock.now()));
            }
            changed(tables, permit, made, "clickpipe_create", Tasks.Urgency.NEW, FieldChange.made("name", made.name()));
            tables.tasks().place(Tasks.Kind.PIPE, made.id(), service.hostId());
            return made;
        };
    }

    public List<Pipe> list(Permit permit, UUID serviceId) {
        return store.read(tables -> {
            ServiceOperations.get(tables, permit, serviceId);
            return tables.of(Pipe.KIND).page(serviceId, null, RuleBook.MAX_PIPES).stream()
                    .filter(pipe -> pipe.want().wish() != Pipe.Wish.DELETE)
                    .toList();
        });
    }

    public Pipe get(Permit permit, UUID serviceId, UUID pipeId) {
        return store.read(tables -> get(tables, permit, serviceId, pipeId));
    }

    public Pipe update(
            Permit permit,
            UUID serviceId,
            UUID pipeId,
            PipeDraft change,
            Precondition<Pipe> precondition,
            Faults faults) {
        faults.refuseIfAny();
        PipeDesign.Designed looked = null;
        if (change.validatesSamples() || change.destination() != null) {
            looked = store.read(
                    tables -> changed(getToChange(tables, permit, serviceId, pipeId, change, precondition), change));
            schemas.check(permit, serviceId, looked, change.validatesSamples());
        }
        PipeDesign.Designed checked = looked;
        return store.write(tables -> {
            Pipe current = getToChange(tables, permit, serviceId, pipeId, change, precondition);
            PipeDesign.Designed next = changed(current, change);
            if (checked != null && !checked.pipe().isConfiguredAs(next.pipe())) {
                throw new Refused(Refused.Reason.CONFLICT, "ClickPipe was changed meanwhile: try again");
            }
            requireReady(tables, next.pipe());
            boolean secretsChanged = !next.secrets().equals(opened(current));
            Pipe wanted = secretsChanged ? sealed(next) : next.pipe();
            if (!secretsChanged && wanted.isConfiguredAs(current)) {
                return current;
            }
            return replaced(tables, permit, wanted, current, "clickpipe_update", precondition);
        });
    }

    private Pipe getToChange(
            Tables tables,
            Permit permit,
            UUID serviceId,
            UUID pipeId,
            PipeDraft change,
            Precondition<Pipe> precondition) {
        return unlessAtFault(
                alone -> new PipeDesign(rules, alone).alone(change),
                () -> getToWrite(tables, permit, serviceId, pipeId, precondition));
    }

    private PipeDesign.Designed changed(Pipe current, PipeDraft change) {
        Faults found = new Faults();
        PipeDesign.Designed next = new PipeDesign(rules, found).change(current, opened(current), change, clock.now());
        found.refuseIfAny();
        return next;
    }

    public Pipe scale(
            Permit permit,
            UUID serviceId,
            UUID pipeId,
            PipeScaling.Change change,
            Precondition<Pipe> precondition,
            Faults faults) {
        change.check("", rules, faults);
        faults.refuseIfAny();
        return store.write(tables -> {
            Pipe current = getToWrite(tables, permit, serviceId, pipeId, precondition);
            PipeScaling scaling = current.scaling().with(change);
            if (scaling.equals(current.scaling())) {
                return current;
            }
            Pipe next = configured(current, current.settings(), scaling);
            return replaced(tables, permit, next, current, "clickpipe_scale", precondition);
        });
    }

    public Pipe command(
            Permit permit,
            UUID serviceId,
            UUID pipeId,
            @Nullable String word,
            @Nullable String targetTable,
            Precondition<Pipe> precondition,
            Faults faults) {
        Optional<PipeCommand> command = PipeCommand.find(word);
        if (command.isEmpty() && !faults.has("command")) {
            faults.add("command", PipeCommand.WORDS.message());
        }
        if (targetTable != null && command.filter(PipeCommand.RESYNC::equals).isEmpty()) {
            faults.add(PipeCommand.TARGET, "is only for `command: resync`");
        }
        faults.refuseIfAny();
        return store.write(tables -> {
            Pipe current = getToWrite(tables, permit, serviceId, pipeId, precondition);
            if (targetTable != null) {
                Pipe again = PipeCommand.resync(current, targetTable, clock.now());
                List<FieldChange> changes = FieldChange.made(PipeCommand.TARGET, targetTable);
                return replaced(tables, permit, again, current, "clickpipe_resync", changes);
            }
            Pipe next = command.orElseThrow().on(current, clock.now());
            return next.equals(current)
                    ? current
                    : replaced(tables, permit, next, current, "clickpipe_" + word, precondition);
        });
    }

    public PipeLedger.Replays replays(Permit permit, UUID serviceId, UUID pipeId) {
        return store.read(tables -> PipeLedger.replays(
                tables, withErrors(get(tables, permit, serviceId, pipeId)).id()));
    }

    /** Has a pipe read again what it could not read and has kept. */
    public PipeLedger.Replays replayErrors(Permit permit, UUID serviceId, UUID pipeId) {
        return store.write(tables -> {
            Pipe current = withErrors(getToWrite(tables, permit, serviceId, pipeId, Precondition.none()));
            if (current.want().wish() != Pipe.Wish.RUN) {
                throw Refused.badRequest("", "ClickPipe must be started first");
            }
            PipeLedger.Replays before = PipeLedger.replays(tables, pipeId);
            PipeLedger.askReplay(tables, pipeId, clock.now());
            PipeLedger.Replays asked = PipeLedger.replays(tables, pipeId);
            if (!asked.equals(before)) {
                Pipe next = current.withWant(Pipe.Wish.RUN, current.want().resyncs(), clock.now());
                List<FieldChange> changes = FieldChange.made("replay", Long.toString(asked.replay()));
                replaced(tables, permit, next, current, "clickpipe_replay", changes);
            }
            return asked;
        });
    }

    private static Pipe withErrors(Pipe pipe) {
        if (pipe.database()) {
            // The source still has the row, as it is now: one of the error table may have been deleted since.
            throw Refused.badRequest(
                    "", "A database ClickPipe reads its table again instead: the command resync with its targetTable");
        }
        return pipe;
    }

    public void delete(Permit permit, UUID serviceId, UUID pipeId, Precondition<Pipe> precondition) {
        store.write(tables -> {
            Pipe current = getToWrite(tables, permit, serviceId, pipeId, precondition);
            Pipe next = current.withWant(Pipe.Wish.DELETE, current.want().resyncs(), clock.now());
            return replaced(tables, permit, next, current, "clickpipe_delete", precondition.gone(current));
        });
    }

    /** The settings that were given; a database pipe has none. */
    public Tree.Members settings(Permit permit, UUID serviceId, UUID pipeId) {
        return withSettings(get(permit, serviceId, pipeId)).settings();
    }

    public Tree.Members putSettings(
            Permit permit,
            UUID serviceId,
            UUID pipeId,
            Tree.Members given,
            Precondition<Tree.Members> precondition,
            Faults faults) {
        if (!given.values().isEmpty() && PipeSettings.noneKnown(given) && faults.none()) {
            faults.add("", "must name at least one setting");
        }
        faults.refuseIfAny();
        return store.write(tables -> {
            Pipe current = unlessAtFault(alone -> PipeSettings.alone(given, "", alone), () -> {
                Pipe pipe = withSettings(getToWrite(tables, permit, serviceId, pipeId, Precondition.none()));
                precondition.require(pipe::settings);
                return pipe;
            });
            Faults found = new Faults();
            // Nothing given takes all of them back; clients that keep no settings say it that way.
            Tree.Members next = given.values().isEmpty()
                    ? given
                    : PipeSettings.merge(current.kind(), current.settings(), given, "", found);
            found.refuseIfAny();
            if (next.equals(current.settings())) {
                return next;
            }
            Pipe wanted = configured(current, next, current.scaling());
            List<FieldChange> changes = precondition.changes(current.settings(), next);
            return replaced(tables, permit, wanted, current, "clickpipe_update", changes)
                    .settings();
        });
    }

    public PipeCdcScaling cdcScaling(Permit permit, UUID serviceId) {
        return store.read(tables -> cdcScaling(tables, permit, serviceId));
    }

    public PipeCdcScaling scaleCdc(
            Permit permit,
            UUID serviceId,
            @Nullable Double millicores,
            @Nullable Double memoryGb,
            Precondition<PipeCdcScaling> precondition,
            Faults faults) {
        PipeCdcScaling.alone(millicores, memoryGb, faults);
        faults.refuseIfAny();
        return store.write(tables -> {
            PipeCdcScaling current = cdcScaling(tables, permit, serviceId);
            precondition.require(() -> current);
            ServiceOperations.requireRunning(ServiceOperations.get(tables, permit, serviceId));
            Faults found = new Faults();
            PipeCdcScaling next = current.with(millicores, memoryGb, found);
            found.refuseIfAny();
            if (next.equals(current)) {
                return current;
            }
            log.add(tables, permit, "clickpipe_scale", serviceId, serviceId, precondition.changes(current, next));
            return tables.of(PipeCdcScaling.KIND)
                    .replace(next, current.version())
                    .orElseThrow();
        });
    }

    private static PipeCdcScaling cdcScaling(Tables tables, Permit permit, UUID serviceId) {
        ServiceOperations.get(tables, permit, serviceId);
        return tables.of(PipeCdcScaling.KIND)
                .find(serviceId)
                .orElseThrow(() -> Refused.notFound("Scaling of database pipes (there is no database pipe yet)"));
    }

    /** One that is being deleted is no longer there. */
    public static Pipe get(Tables tables, Permit permit, UUID serviceId, UUID pipeId) {
        ServiceOperations.get(tables, permit, serviceId);
        return tables.of(Pipe.KIND)
                .find(serviceId, pipeId)
                .filter(pipe -> pipe.want().wish() != Pipe.Wish.DELETE)
                .orElseThrow(() -> Refused.notFound("ClickPipe"));
    }

    /** Where the pipe is refused, a fault of the request itself is reported instead. */
    private static Pipe unlessAtFault(Consumer<Faults> request, Supplier<Pipe> pipe) {
        try {
            return pipe.get();
        } catch (Refused refused) {
            Faults alone = new Faults();
            request.accept(alone);
            alone.refuseIfAny();
            throw refused;
        }
    }

    private static Pipe getToWrite(
            Tables tables, Permit permit, UUID serviceId, UUID pipeId, Precondition<Pipe> precondition) {
        Pipe pipe = get(tables, permit, serviceId, pipeId);
        ServiceOperations.requireRunning(ServiceOperations.get(tables, permit, serviceId));
        precondition.require(() -> pipe);
        return pipe;
    }

    private static Pipe withSettings(Pipe pipe) {
        if (pipe.database()) {
            throw Refused.notFound("Settings of a database ClickPipe");
        }
        return pipe;
    }

    private static void requireReady(Tables tables, Pipe pipe) {
        ReversePrivateEndpointOperations.requireReady(
                tables, pipe.serviceId(), pipe.kind(), pipe.reversePrivateEndpointIds());
    }

    private Pipe replaced(
            Tables tables, Permit permit, Pipe next, Pipe current, String activity, Precondition<Pipe> precondition) {
        return replaced(tables, permit, next, current, activity, precondition.changes(current, next));
    }

    private Pipe replaced(
            Tables tables, Permit permit, Pipe next, Pipe current, String activity, List<FieldChange> changes) {
        Pipe kept = tables.of(Pipe.KIND).replace(next, current.version()).orElseThrow();
        changed(tables, permit, kept, activity, Tasks.Urgency.CHANGED, changes);
        return kept;
    }

    private void changed(
            Tables tables,
            Permit permit,
            Pipe pipe,
            String activity,
            Tasks.Urgency urgency,
            List<FieldChange> changes) {
        tables.tasks().wake(Tasks.Kind.PIPE, pipe.id(), urgency, clock.now());
        tables.afterCommit(wake::nudge);
        log.add(tables, permit, activity, pipe.serviceId(), pipe.id(), changes);
    }

    private Pipe configured(Pipe pipe, Tree.Members settings, PipeScaling scaling) {
        return pipe.withConfiguration(pipe.configuration().with(settings, scaling), clock.now());
    }

    private Pipe sealed(PipeDesign.Designed designed) {
        Pipe pipe = designed.pipe();
        return designed.secrets().values().isEmpty()
                ? pipe
                : pipe.withSealedSecrets(vault.seal(TreeBytes.write(designed.secrets()), context(pipe)));
    }

    private Tree.Members opened(Pipe pipe) {
        String sealed = pipe.sealedSecrets();
        return sealed == null ? Tree.Members.NONE : TreeBytes.read(vault.open(sealed, context(pipe)));
    }

    /** Binds what is sealed to its pipe, so that it opens nowhere else. */
    public static String context(Pipe pipe) {
        return context(pipe.id());
    }

    public static String context(UUID pipeId) {
        return "pipe:" + pipeId;
    }
}
