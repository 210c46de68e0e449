package io.pilothouse.store;

import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.RowIds;
import io.pilothouse.core.base.Stored;
import io.pilothouse.core.port.Belongings;
import io.pilothouse.core.port.Keeping;
import io.pilothouse.core.port.MetricPoints;
import io.pilothouse.core.port.Ports;
import io.pilothouse.core.port.SealedKey;
import io.pilothouse.core.port.Table;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.store.recent.Changes;
import io.pilothouse.store.recent.RecentView;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One transaction's tables. Once a statement in it failed it is doomed: every later call throws the same again, so that
 * work which swallows a failure is never half kept. Of no use on another thread or after its end.
 */
final class Transaction implements Tables {
    private static final System.Logger LOG = System.getLogger(Transaction.class.getName());
    static final String CHECK = "SELECT sealed FROM vault_checks WHERE id = ?";
    static final String KEEP_CHECK =
            "INSERT INTO vault_checks (id, sealed) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET sealed = excluded.sealed";
    private static final int OF_THE_VAULT = 1;
    static final int OF_SECRETS = 2;
    private static final int OF_THE_DISK = 3;
    static final int OF_THE_HOLDER = 4;

    private final Source source;
    private final Dialect dialect;
    private final boolean writable;
    private final Course course;
    private List<String> hosts = List.of(TaskTable.ANY);

    /** The state that a transaction shares with the read-only views of it. */
    private static final class Course {
        private final Thread thread = Thread.currentThread();
        private final List<Runnable> nudges = new ArrayList<>();
        private final @Nullable RecentView recent;
        private final @Nullable Changes changes;
        private final SplittableRandom random;
        private @Nullable Throwable doom;
        private boolean changed;
        private boolean woken;
        private boolean over;

        private Course(@Nullable RecentView recent, @Nullable Changes changes, long seed) {
            this.recent = recent;
            this.changes = changes;
            this.random = new SplittableRandom(seed);
        }
    }

    /** Where the connection comes from once there is a statement for it. */
    @FunctionalInterface
    interface Source {
        Sql sql() throws SQLException;
    }

    /** One that changes tasks, and gives nothing an id. */
    static Transaction ofTasks(Sql sql, Dialect dialect) {
        return new Transaction(() -> sql, dialect, true, new Course(null, null, 0));
    }

    /** One that reads, and need not ask for rows that were read recently. */
    static Transaction reading(Source source, Dialect dialect, @Nullable RecentView recent) {
        return new Transaction(source, dialect, false, new Course(recent, null, 0));
    }

    /**
     * One that writes, adds what it changes to these changes, and need not ask for other rows that were read recently.
     * {@code seed} is what new ids come from: the same for each run of the same work.
     */
    static Transaction writing(Sql sql, Dialect dialect, RecentView recent, Changes changes, long seed) {
        return new Transaction(() -> sql, dialect, true, new Course(recent, changes, seed));
    }

    private Transaction(Source source, Dialect dialect, boolean writable, Course course) {
        this.source = source;
        this.dialect = dialect;
        this.writable = writable;
        this.course = course;
    }

    Transaction readOnly() {
        return writable ? new Transaction(source, dialect, false, course).workingFor(hosts) : this;
    }

    /** Has its claims be of the tasks of these hosts. */
    Transaction workingFor(List<String> next) {
        hosts = next;
        return this;
    }

    /** Whose tasks it claims. */
    List<String> hosts() {
        return hosts;
    }

    Dialect dialect() {
        return dialect;
    }

    @Override
    public <T extends Stored> Table<T> of(Kind<T> kind) {
        return new DocumentTable<>(this, DocumentStatements.of(kind));
    }

    @Override
    public MetricPoints metricPoints() {
        return new MetricPointTable(this);
    }

    @Override
    public Optional<String> findVaultCheck() {
        return first(CHECK, row -> row.getString(1), OF_THE_VAULT);
    }

    @Override
    public void keepVaultCheck(String check) {
        change(KEEP_CHECK, OF_THE_VAULT, check);
    }

    /** Changes a page, and nothing that anybody reads. */
    int writeTrivially() {
        return change(KEEP_CHECK, OF_THE_DISK, "written");
    }

    @Override
    public Optional<String> findSecretCheck() {
        return first(CHECK, row -> row.getString(1), OF_SECRETS);
    }

    @Override
    public void keepSecretCheck(String check) {
        change(KEEP_CHECK, OF_SECRETS, check);
    }

    /** Numbers that stores have, so none may change. */
    static int rowOf(SealedKey key) {
        return switch (key) {
            case SECRET -> 11;
            case VAULT -> 12;
            case AUTHORITY -> 13;
        };
    }

    @Override
    public Optional<String> findSealed(SealedKey key) {
        return first(CHECK, row -> row.getString(1), rowOf(key));
    }

    @Override
    public void keepSealed(SealedKey key, String sealed) {
        change(KEEP_CHECK, rowOf(key), sealed);
    }

    @Override
    public Tasks tasks() {
        return new TaskTable(this);
    }

    @Override
    public Ports ports() {
        return new PortTable(this);
    }

    @Override
    public Belongings belongings() {
        return new BelongingsTables(this);
    }

    @Override
    public UUID newId(Instant now) {
        checkWritable();
        return RowIds.at(now, course.random);
    }

    @Override
    public Optional<Keeping> findKeeping(UUID keyId, String idempotencyKey, Instant notBefore) {
        return new KeepingTable(this).find(keyId, idempotencyKey, notBefore);
    }

    @Override
    public void keep(Keeping keeping) {
        new KeepingTable(this).keep(keeping);
    }

    @Override
    public void forgetKeeping(UUID keyId, String idempotencyKey) {
        new KeepingTable(this).forget(keyId, idempotencyKey);
    }

    @Override
    public int forgetKeepings(Instant before, int limit) {
        return new KeepingTable(this).forget(before, limit);
    }

    @Override
    public void afterCommit(Runnable nudge) {
        checkWritable();
        course.nudges.add(nudge);
    }

    <R> List<R> list(String text, Sql.Reading<R> reading, @Nullable Object... values) {
        check();
        try {
            List<R> read = source.sql().list(text, reading, values);
            if (course.recent != null && !course.recent.queried()) {
                throw new Clash(new IllegalStateException("A commit came between two looks"));
            }
            return read;
        } catch (SQLException e) {
            throw failed(e);
        } catch (Clash e) {
            doom(e);
            throw e;
        }
    }

    <R> Optional<R> first(String text, Sql.Reading<R> reading, @Nullable Object... values) {
        return list(text, reading, values).stream().findFirst();
    }

    long number(String text, @Nullable Object... values) {
        return list(text, row -> row.getLong(1), values).getFirst();
    }

    int change(String text, @Nullable Object... values) {
        checkWritable();
        course.changed = true;
        try {
            return source.sql().change(text, values);
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    /** Like {@link #change} for what need not be known to have changed anything. A fault may come out later. */
    void changeLater(String text, @Nullable Object... values) {
        checkWritable();
        course.changed = true;
        try {
            source.sql().changeLater(text, values);
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    /** Finds a row among those that were read recently where this transaction may, otherwise by its query. */
    <R> R recent(Function<RecentView, R> cached, Supplier<R> query) {
        check();
        return course.recent == null ? query.get() : cached.apply(course.recent);
    }

    /** To be called before a row changes. */
    void changing(DocumentStatements<?> kind, UUID id) {
        if (course.changes != null) {
            course.changes.add(kind, id);
        }
    }

    void checkWritable() {
        check();
        if (!writable) {
            throw new IllegalStateException("A read cannot write");
        }
    }

    /** Whatever its work makes of this failure, the transaction is not kept. */
    void doom(Throwable failure) {
        if (course.doom == null) {
            course.doom = failure;
        }
    }

    /** A task was woken. */
    void woke() {
        course.woken = true;
    }

    boolean hasWoken() {
        return course.woken;
    }

    /** True also when it is unknown, because a statement failed. */
    boolean leavesSomethingToUndo() {
        return course.changed || course.doom != null;
    }

    /** Runs its work, after which it is of no use; what doomed it comes out, whatever the work made of that. */
    <T> T run(Nesting nesting, Function<Tables, T> work) {
        try {
            T result = nesting.inside(this, work);
            if (course.doom != null) {
                throw unchecked(course.doom);
            }
            return result;
        } catch (RuntimeException | Error e) {
            // Work may have wrapped it, but a clash is what it was.
            if (course.doom instanceof Clash clash) {
                throw clash;
            }
            throw e;
        } finally {
            course.over = true;
        }
    }

    List<Runnable> nudges() {
        return course.nudges;
    }

    /** A nudge that fails costs its own effect and nothing else: the commit stands. */
    static void run(List<Runnable> nudges) {
        for (Runnable nudge : nudges) {
            try {
                nudge.run();
            } catch (RuntimeException | Error e) {
                LOG.log(System.Logger.Level.ERROR, "What was to follow a commit failed", e);
            }
        }
    }

    static RuntimeException unchecked(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return (RuntimeException) failure;
    }

    private void check() {
        if (course.over) {
            throw new IllegalStateException("The work that these tables were for is over");
        }
        if (!course.thread.equals(Thread.currentThread())) {
            throw new IllegalStateException("The tables are for the thread that the work runs on");
        }
        if (course.doom != null) {
            throw unchecked(course.doom);
        }
    }

    private RuntimeException failed(SQLException fault) {
        RuntimeException failure = dialect.translate(fault);
        doom(failure);
        return failure;
    }
}
