package io.pilothouse.core.pipe;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.MetricLabel;
import io.pilothouse.core.base.Stored;
import io.pilothouse.core.base.Tree;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An ingestion pipe: what is wanted of it (written by requests) and what was last seen (written by the engine).
 * {@code generation} grows with every change a worker must take up, {@code resyncs} with every resync asked for.
 */
public record Pipe(
        Head head,
        UUID organizationId,
        Instant updatedAt,
        PipeKind kind,
        Configuration configuration,
        Want want,
        PipeSeen seen)
        implements Stored {
    /** Owner: the service. */
    public static final Kind<Pipe> KIND = new Kind<>("pipes", Pipe.class);

    /** All that workers must take up when it changes; {@code sealedSecrets} opens with the vault only. */
    public record Configuration(
            String name,
            Tree.Members source,
            @Nullable String sealedSecrets,
            Tree.Members destination,
            Tree.Items fieldMappings,
            Tree.Members settings,
            PipeScaling scaling) {
        Configuration with(Tree.Members nextSettings, PipeScaling nextScaling) {
            return new Configuration(
                    name, source, sealedSecrets, destination, fieldMappings, nextSettings, nextScaling);
        }

        Configuration withSealedSecrets(String sealed) {
            return new Configuration(name, source, sealed, destination, fieldMappings, settings, scaling);
        }

        @Override
        public String toString() {
            return "Configuration[" + name + "]";
        }
    }

    /** The wanted state of a pipe. */
    public enum Wish {
        RUN,
        STOP,
        DELETE
    }

    /**
     * The wish, and how often the configuration was changed and a resync asked for; {@code tables} has how often since
     * then single tables were to be read again, by the names of their targets.
     */
    public record Want(Wish wish, int generation, int resyncs, Tree.Members tables, Instant since) {}

    public UUID serviceId() {
        return head.ownerId();
    }

    public PipeState state() {
        return PipeState.of(this);
    }

    public MetricLabel label() {
        return new MetricLabel(organizationId, state().word(), seen.trouble() != null);
    }

    public String name() {
        return configuration.name();
    }

    public Tree.Members source() {
        return configuration.source();
    }

    public @Nullable String sealedSecrets() {
        return configuration.sealedSecrets();
    }

    public Tree.Members destination() {
        return configuration.destination();
    }

    public Tree.Items fieldMappings() {
        return configuration.fieldMappings();
    }

    public Tree.Members settings() {
        return configuration.settings();
    }

    public PipeScaling scaling() {
        return configuration.scaling();
    }

    /** Whether both move the same data in the same way, with as many workers or not. */
    boolean isConfiguredAs(Pipe other) {
        return work().equals(other.work());
    }

    private List<Object> work() {
        return List.of(name(), source(), destination(), fieldMappings(), settings());
    }

    /** Whether it reads a database, whose life has a snapshot in it. */
    public boolean database() {
        return kind.database();
    }

    /** How a database pipe replicates; empty for the others. */
    public String replicationMode() {
        return source().members("settings")
                .flatMap(settings -> settings.text("replicationMode"))
                .orElse("");
    }

    /** Whether it ends by itself once everything was read. */
    public boolean endsByItself() {
        return switch (kind) {
            case OBJECT_STORAGE -> !source().flag("isContinuous");
            case POSTGRES, MYSQL, MONGODB, BIGQUERY -> replicationMode().equals("snapshot");
            case KAFKA, KINESIS, PUBSUB -> false;
        };
    }

    public Pipe withSeen(PipeSeen now) {
        return new Pipe(head, organizationId, updatedAt, kind, configuration, want, now);
    }

    public Pipe withWant(Wish wish, int resyncs, Instant now) {
        // Everything is read again, and so each of its tables.
        Tree.Members tables = resyncs > want.resyncs() ? Tree.Members.NONE : want.tables();
        Want next = new Want(wish, want.generation() + (wish == Wish.RUN ? 1 : 0), resyncs, tables, now);
        return new Pipe(head, organizationId, now, kind, configuration, next, seen);
    }

    /** As the engine takes it while nothing may be written into its database; never stored. */
    Pipe atRest() {
        Wish wish = want.wish() == Wish.RUN ? Wish.STOP : want.wish();
        Want rest = new Want(wish, want.generation(), want.resyncs(), want.tables(), want.since());
        return new Pipe(head, organizationId, updatedAt, kind, configuration, rest, seen);
    }

    /** One of its tables is to be read again, while it goes on with the others. */
    Pipe withTableAgain(String target, Instant now) {
        Tree.Members tables = want.tables().with(target, new Tree.Figure(timesAgain(target) + 1));
        Want next = new Want(Wish.RUN, want.generation() + 1, want.resyncs(), tables, now);
        return new Pipe(head, organizationId, now, kind, configuration, next, seen);
    }

    /** How often a table was to be read again since everything was. */
    public int timesAgain(String target) {
        return want.tables().number(target).map(Double::intValue).orElse(0);
    }

    /** Another configuration: workers have to take it up. */
    public Pipe withConfiguration(Configuration next, Instant now) {
        Want again = new Want(want.wish(), want.generation() + 1, want.resyncs(), want.tables(), want.since());
        return new Pipe(head, organizationId, now, kind, next, again, seen);
    }

    public Pipe withSealedSecrets(String sealed) {
        return new Pipe(head, organizationId, updatedAt, kind, configuration.withSealedSecrets(sealed), want, seen);
    }

    /** The ids of the reverse private endpoints that it reaches its source through, in lower case however they were sent. */
    public List<String> reversePrivateEndpointIds() {
        return reversePrivateEndpointIds(source());
    }

    static List<String> reversePrivateEndpointIds(Tree.Members source) {
        return source.texts("reversePrivateEndpointIds").stream()
                .map(id -> id.toLowerCase(Locale.ROOT))
                .toList();
    }

    @Override
    public String toString() {
        return "Pipe[" + id() + ", version " + version() + "]";
    }
}
