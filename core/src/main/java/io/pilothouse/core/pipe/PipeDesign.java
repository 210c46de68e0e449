package io.pilothouse.core.pipe;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.ShapeCheck;
import io.pilothouse.core.base.Tree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Decides what pipe a request asks for, and what a change makes of one; pure, and reports every fault. */
public final class PipeDesign {
    private final RuleBook rules;
    private final Faults faults;

    public PipeDesign(RuleBook rules, Faults faults) {
        this.rules = rules;
        this.faults = faults;
    }

    /** A pipe, and the secrets that have yet to be sealed into it. */
    public record Designed(Pipe pipe, Tree.Members secrets) {}

    /** What a request says about a source: what may be shown, and what may not. */
    public record Source(PipeKind kind, Tree.Members open, Tree.Members secret) {
        @Override
        public String toString() {
            return "Source[" + kind + "]";
        }
    }

    /** Reads and checks a source that is named for the first time; empty where it is of no kind. */
    public Optional<Source> source(Tree.Members given) {
        return kind(given).map(kind -> {
            ShapeCheck.Parts parts = new ShapeCheck(faults)
                    .create("source." + kind.member(), kind.shape(), implied(kind, member(given, kind)));
            new PipeSourceRules(kind, parts.open(), parts.secret(), faults).check(kind);
            return new Source(kind, parts.open(), parts.secret());
        });
    }

    public Optional<Designed> create(UUID id, UUID serviceId, UUID organizationId, PipeDraft draft, Instant now) {
        String name = draft.name() == null ? "" : draft.name();
        if (draft.name() != null) {
            checkName(name);
        } else if (!faults.has("name")) {
            faults.add("name", "is required");
        }
        Tree.Members destination = draft.destination() == null ? Tree.Members.NONE : draft.destination();
        Tree.Items mappings = draft.fieldMappings() == null ? new Tree.Items(List.of()) : draft.fieldMappings();
        Tree.Members settings = draft.settings() == null ? Tree.Members.NONE : draft.settings();
        PipeScaling scaling = PipeScaling.SMALLEST;
        if (draft.scaling() != null) {
            draft.scaling().check("scaling.", rules, faults);
            scaling = scaling.with(draft.scaling());
        }
        Optional<Source> found = source(draft.source() == null ? Tree.Members.NONE : draft.source());
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Source source = found.get();
        PipeKind kind = source.kind();
        boolean paused = Boolean.TRUE.equals(draft.startPaused());
        if (paused && kind.database()) {
            faults.add("startPaused", "does not belong to a database pipe");
        }
        PipeDestinationRules where = new PipeDestinationRules(faults);
        Tree.Members kept = where.create(kind, destination);
        return Optional.of(new Designed(
                new Pipe(
                        Head.of(id, serviceId, now),
                        organizationId,
                        now,
                        kind,
                        new Pipe.Configuration(
                                name,
                                PipeConnectionString.shown(withConsumerGroup(kind, source.open(), id), source.secret()),
                                null,
                                kept,
                                where.mappings(kind, mappings, kept),
                                PipeSettings.merge(kind, Tree.Members.NONE, settings, "settings.", faults),
                                scaling),
                        new Pipe.Want(paused ? Pipe.Wish.STOP : Pipe.Wish.RUN, 1, 0, Tree.Members.NONE, now),
                        PipeSeen.nothingYet(now)),
                source.secret()));
    }

    /** Applies a change to a pipe; {@code secrets} are those it has, and the answer holds those it will have. */
    public Designed change(Pipe pipe, Tree.Members secrets, PipeDraft change, Instant now) {
        PipeKind kind = pipe.kind();
        String name = change.name() == null ? pipe.name() : change.name();
        if (change.name() != null) {
            checkName(name);
        }
        Source changed = change.source() == null
                ? new Source(kind, pipe.source(), secrets)
                : changed(pipe, secrets, change.source());
        Tree.Members source = changed.open();
        PipeDestinationRules where = new PipeDestinationRules(faults);
        Tree.Members destination = change.destination() == null
                ? pipe.destination()
                : where.change(kind, change.destination(), pipe.destination());
        Tree.Items mappings = change.fieldMappings() == null && change.destination() == null
                ? pipe.fieldMappings()
                : where.mappings(
                        kind,
                        change.fieldMappings() == null ? pipe.fieldMappings() : change.fieldMappings(),
                        destination);
        Tree.Members settings = change.settings() == null
                ? pipe.settings()
                : PipeSettings.merge(kind, pipe.settings(), change.settings(), "settings.", faults);
        Pipe next = pipe.withConfiguration(
                new Pipe.Configuration(
                        name, source, pipe.sealedSecrets(), destination, mappings, settings, pipe.scaling()),
                now);
        // It was paused so that its tables could be changed, and continues once they are.
        boolean otherTables =
                !source.items("tableMappings").equals(pipe.source().items("tableMappings"));
        return new Designed(
                otherTables ? next.withWant(Pipe.Wish.RUN, pipe.want().resyncs(), now) : next, changed.secret());
    }

    private Source changed(Pipe pipe, Tree.Members secrets, Tree.Members change) {
        PipeKind kind = pipe.kind();
        refuseOtherKinds(change, kind);
        Tree.Members given = PipeConnectionString.changed(member(change, kind), pipe.source());
        if (kind == PipeKind.BIGQUERY && !given.values().isEmpty()) {
            faults.add("source." + kind.member(), "cannot be changed: make another pipe instead");
            return new Source(kind, pipe.source(), secrets);
        }
        ShapeCheck.Parts parts = new ShapeCheck(faults)
                .change("source." + kind.member(), kind.shape(), given, PipeConnectionString.hidden(pipe.source()));
        Tree.Members source = mapped(pipe, given, parts.open());
        Tree.Members kept = new PipeCredentials(kind, faults).change(parts.secret(), secrets, source, pipe.source());
        new PipeSourceRules(kind, source, kept, faults).check(kind);
        return new Source(kind, PipeConnectionString.shown(source, kept), kept);
    }

    /** Whatever is wrong with a change by itself, of which pipe it may be: types, lengths and ranges. */
    public void alone(PipeDraft change) {
        if (change.name() != null) {
            checkName(change.name());
        }
        if (change.source() != null) {
            for (PipeKind kind : PipeKind.values()) {
                new ShapeCheck(faults).alone("source." + kind.member(), kind.shape(), member(change.source(), kind));
            }
        }
        if (change.destination() != null) {
            new PipeDestinationRules(faults).alone(change.destination());
        }
        if (change.settings() != null) {
            PipeSettings.alone(change.settings(), "settings.", faults);
        }
    }

    private Optional<PipeKind> kind(Tree.Members source) {
        List<PipeKind> named = new ArrayList<>();
        source.values().forEach((member, value) -> {
            if (value.blank()) {
                return;
            }
            PipeKind.find(member).ifPresent(kind -> {
                named.add(kind);
                if (!(value instanceof Tree.Members)) {
                    faults.add("source." + member, "must be an object");
                }
            });
        });
        if (named.size() > 1) {
            faults.add("source", "must name exactly one kind of source");
        } else if (named.isEmpty() && !faults.has("source")) {
            faults.add("source", "must name one of " + PipeKind.members());
        }
        return named.size() == 1 ? Optional.of(named.getFirst()) : Optional.empty();
    }

    private void refuseOtherKinds(Tree.Members source, PipeKind kind) {
        source.find(kind.member())
                .filter(value -> !value.blank() && !(value instanceof Tree.Members))
                .ifPresent(value -> faults.add("source." + kind.member(), "must be an object"));
        source.values().forEach((member, value) -> {
            boolean other = PipeKind.find(member).filter(found -> found != kind).isPresent();
            if (other && !value.blank()) {
                faults.add("source." + member, "is not this pipe's kind of source, which cannot change");
            }
        });
    }

    /** A source that names a role and nothing else about how it authenticates means that role. */
    private static Tree.Members implied(PipeKind kind, Tree.Members given) {
        boolean silent =
                given.find("authentication").filter(value -> !value.blank()).isEmpty();
        boolean role = given.find("iamRole").filter(value -> !value.blank()).isPresent();
        if (!silent || !role) {
            return given;
        }
        Tree.Members said = given.with("authentication", new Tree.Text("IAM_ROLE"));
        boolean typed = given.find("type").filter(value -> !value.blank()).isPresent();
        return kind == PipeKind.KAFKA && !typed ? said.with("type", new Tree.Text("msk")) : said;
    }

    private static Tree.Members withConsumerGroup(PipeKind kind, Tree.Members source, UUID id) {
        return kind == PipeKind.KAFKA && !source.has("consumerGroup")
                ? source.with("consumerGroup", new Tree.Text("clickpipes-" + id))
                : source;
    }

    private static Tree.Members member(Tree.Members source, PipeKind kind) {
        return source.members(kind.member()).orElse(Tree.Members.NONE);
    }

    private Tree.Members mapped(Pipe pipe, Tree.Members given, Tree.Members source) {
        if (!pipe.database()) {
            return source;
        }
        PipeMappings mappings = new PipeMappings(pipe.kind(), faults);
        List<Tree> adds = mappings.given(given, "ToAdd");
        List<Tree> removes = mappings.given(given, "ToRemove");
        if (adds.isEmpty() && removes.isEmpty()) {
            return source;
        }
        if (pipe.state() != PipeState.PAUSED) {
            faults.add("source." + pipe.kind().member(), "table mappings: the ClickPipe must be paused to edit them");
            return source;
        }
        return mappings.change(source, adds, removes);
    }

    private void checkName(String name) {
        RuleBook.DISPLAY_NAME.check("name", name, faults);
    }
}
