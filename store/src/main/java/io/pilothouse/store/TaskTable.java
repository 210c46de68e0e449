package io.pilothouse.store;

import io.pilothouse.core.port.Tasks;
import io.pilothouse.store.rows.EpochNanos;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The tasks in one transaction. A task is claimable from its {@code ready_at} on, be that when it is due or when its
 * lease ends, so one index on host, urgency and that moment gives the next tasks in a backlog of any size.
 */
final class TaskTable implements Tasks {
    static final String WAKE = """
        INSERT INTO tasks (kind, subject_id, urgency, ready_at, token, wakes, tries, unsettled_since)
        VALUES (?, ?, ?, ?, ?, 1, 0, ?)
        ON CONFLICT (kind, subject_id) DO UPDATE SET
            urgency = CASE WHEN excluded.urgency < tasks.urgency THEN excluded.urgency ELSE tasks.urgency END,
            ready_at = CASE WHEN tasks.lease_owner IS NULL AND excluded.ready_at < tasks.ready_at
                THEN excluded.ready_at ELSE tasks.ready_at END,
            wakes = tasks.wakes + 1,
            unsettled_since = COALESCE(tasks.unsettled_since, excluded.unsettled_since)\
        """;
    static final String DUE = """
        SELECT kind, subject_id, token, wakes, tries, unsettled_since FROM tasks
        WHERE host = ? AND urgency = ? AND ready_at <= ? ORDER BY ready_at LIMIT ?\
        """;
    static final String LEASE =
            "UPDATE tasks SET token = ?, lease_owner = ?, ready_at = ? WHERE kind = ? AND subject_id = ?";
    static final String HELD = " WHERE kind = ? AND subject_id = ? AND token = ? AND lease_owner IS NOT NULL";
    static final String EXTEND = "UPDATE tasks SET ready_at = ?" + HELD;
    static final String END_LEASES = """
        UPDATE tasks SET lease_owner = NULL, ready_at = ?
        WHERE host = ? AND urgency = ? AND ready_at > ? AND ready_at <= ? AND lease_owner IS NOT NULL\
        """;
    static final String BEGIN_AGAIN = """
        UPDATE tasks SET tries = 0, ready_at = CASE WHEN ready_at > ? THEN ? ELSE ready_at END
        WHERE unsettled_since IS NOT NULL AND tries > 0 AND lease_owner IS NULL AND kind <> ?\
        """;
    static final String BRING_FORWARD = """
        UPDATE tasks SET ready_at = CASE WHEN ready_at - ? < ? THEN ? ELSE ready_at - ? END
        WHERE host = ? AND urgency = ? AND ready_at > ? AND lease_owner IS NULL\
        """;
    static final String LATEST_UNSETTLED = """
        SELECT unsettled_since FROM tasks WHERE unsettled_since IS NOT NULL
        ORDER BY unsettled_since DESC LIMIT 1\
        """;
    static final String RELEASE = """
        UPDATE tasks SET
            ready_at = CASE WHEN wakes = ? THEN ? ELSE ? END,
            urgency = CASE WHEN wakes = ? OR urgency > ? THEN ? ELSE urgency END,
            tries = ?,
            unsettled_since = COALESCE(unsettled_since, ?),
            lease_owner = NULL\
        """ + HELD;
    static final String RELEASE_SETTLED = """
        UPDATE tasks SET
            ready_at = CASE WHEN wakes = ? THEN ? ELSE ? END,
            urgency = CASE WHEN wakes = ? OR urgency > ? THEN ? ELSE urgency END,
            tries = ?,
            unsettled_since = CASE WHEN wakes = ? THEN NULL ELSE ? END,
            lease_owner = NULL\
        """ + HELD;
    static final String FINISH = "DELETE FROM tasks" + HELD;
    static final String NEXT = "SELECT ready_at FROM tasks WHERE host = ? AND urgency = ? ORDER BY ready_at LIMIT 1";
    static final String FIND =
            "SELECT ready_at, lease_owner, unsettled_since FROM tasks WHERE kind = ? AND subject_id = ?";
    static final String COUNT_DUE = "SELECT COUNT(*) FROM tasks WHERE host = ? AND urgency = ? AND ready_at <= ?";
    static final String COUNT_UNSETTLED = "SELECT COUNT(*) FROM tasks WHERE unsettled_since IS NOT NULL";

    static final String PLACE = "UPDATE tasks SET host = ? WHERE kind = ? AND subject_id = ?";
    static final String DISPLACE = "UPDATE tasks SET host = '' WHERE host > ''";
    static final String HOST = "SELECT host FROM tasks WHERE kind = ? AND subject_id = ?";
    static final String PLACED =
            "SELECT subject_id FROM tasks WHERE host = ? AND kind = ? AND subject_id > ? ORDER BY subject_id LIMIT ?";
    static final String COUNT_PLACED = "SELECT COUNT(*) FROM tasks WHERE host = ? AND kind = ?";

    static final long TOKENS = 1L << 62;

    /** The host of a task that any process may do. */
    static final String ANY = "";

    private final Transaction transaction;

    TaskTable(Transaction transaction) {
        this.transaction = transaction;
    }

    @Override
    public void wake(Kind kind, UUID subjectId, Urgency urgency, Instant now) {
        // A new row's tokens start anywhere, so that a claim on a finished row of the same subject fits none of them.
        long firstToken = ThreadLocalRandom.current().nextLong(TOKENS);
        long at = EpochNanos.of(now);
        transaction.changeLater(WAKE, kind.name(), subjectId.toString(), code(urgency), at, firstToken, at);
        transaction.woke();
    }

    @Override
    public List<Claim> claim(String owner, Instant now, Instant leaseUntil, int limit) {
        List<Claim> claims = new ArrayList<>();
        String due = DUE + transaction.dialect().claimSuffix();
        for (Urgency urgency : Urgency.values()) {
            for (String host : transaction.hosts()) {
                if (claims.size() < limit) {
                    int left = limit - claims.size();
                    claims.addAll(transaction.list(
                            due, row -> read(row, now), host, code(urgency), EpochNanos.of(now), left));
                }
            }
        }
        for (Claim claim : claims) {
            transaction.changeLater(
                    LEASE,
                    claim.token(),
                    owner,
                    EpochNanos.of(leaseUntil),
                    claim.kind().name(),
                    claim.subjectId().toString());
        }
        return List.copyOf(claims);
    }

    @Override
    public boolean extend(Claim claim, Instant leaseUntil) {
        return held(EXTEND, claim, EpochNanos.of(leaseUntil));
    }

    @Override
    public void endLeases(Instant now, Instant until) {
        long at = EpochNanos.of(now);
        transaction.change(DISPLACE);
        for (Urgency urgency : Urgency.values()) {
            transaction.change(END_LEASES, at, ANY, code(urgency), at, EpochNanos.of(until));
        }
    }

    @Override
    public void beginAgain(Instant now) {
        long at = EpochNanos.of(now);
        transaction.change(BEGIN_AGAIN, at, at, Kind.DELIVERY.name());
    }

    @Override
    public void bringForward(Duration by, Instant now) {
        long at = EpochNanos.of(now);
        long less = by.toNanos();
        for (Urgency urgency : Urgency.values()) {
            for (String host : transaction.hosts()) {
                transaction.change(BRING_FORWARD, less, at, at, less, host, code(urgency), at);
            }
        }
    }

    @Override
    public Optional<Instant> latestUnsettled() {
        return transaction.list(LATEST_UNSETTLED, row -> EpochNanos.toInstant(row.getLong(1))).stream()
                .findFirst();
    }

    @Override
    public boolean release(Claim claim, Release release, Instant now) {
        long wakes = claim.wakes();
        long next = EpochNanos.of(release.next());
        long at = EpochNanos.of(now);
        int urgency = code(release.urgency());
        if (release.settled()) {
            // Woken meanwhile, it is settled for the old wish only: the new one's unsettled time starts here.
            return held(RELEASE_SETTLED, claim, wakes, next, at, wakes, urgency, urgency, release.tries(), wakes, at);
        }
        long unsettledSince = EpochNanos.of(claim.unsettledSince());
        return held(RELEASE, claim, wakes, next, at, wakes, urgency, urgency, release.tries(), unsettledSince);
    }

    @Override
    public boolean finish(Claim claim) {
        return held(FINISH, claim);
    }

    @Override
    public Optional<Instant> nextDue() {
        List<Long> earliest = new ArrayList<>();
        for (Urgency urgency : Urgency.values()) {
            for (String host : transaction.hosts()) {
                earliest.addAll(transaction.list(NEXT, row -> row.getLong(1), host, code(urgency)));
            }
        }
        return earliest.stream().min(Long::compare).map(EpochNanos::toInstant);
    }

    @Override
    public Optional<Due> find(Kind kind, UUID subjectId) {
        return transaction.first(FIND, TaskTable::readDue, kind.name(), subjectId.toString());
    }

    private static Due readDue(ResultSet row) throws SQLException {
        Instant at = EpochNanos.toInstant(row.getLong(1));
        boolean taken = row.getString(2) != null;
        row.getLong(3);
        return new Due(at, taken, row.wasNull());
    }

    @Override
    public Backlog backlog(Instant now) {
        long due = 0;
        for (Urgency urgency : Urgency.values()) {
            for (String host : transaction.hosts()) {
                due += transaction.number(COUNT_DUE, host, code(urgency), EpochNanos.of(now));
            }
        }
        return new Backlog(due, transaction.number(COUNT_UNSETTLED));
    }

    @Override
    public void place(Kind kind, UUID subjectId, @Nullable UUID hostId) {
        if (hostId != null) {
            transaction.changeLater(PLACE, hostId.toString(), kind.name(), subjectId.toString());
        }
    }

    @Override
    public Optional<UUID> findHost(Kind kind, UUID subjectId) {
        return transaction
                .first(HOST, row -> row.getString(1), kind.name(), subjectId.toString())
                .filter(host -> !host.equals(ANY))
                .map(UUID::fromString);
    }

    @Override
    public List<UUID> placed(Kind kind, UUID hostId, @Nullable UUID afterId, int limit) {
        String after = afterId == null ? "" : afterId.toString();
        return transaction.list(
                PLACED, row -> UUID.fromString(row.getString(1)), hostId.toString(), kind.name(), after, limit);
    }

    @Override
    public long countPlaced(Kind kind, UUID hostId) {
        return transaction.number(COUNT_PLACED, hostId.toString(), kind.name());
    }

    private boolean held(String text, Claim claim, Object... values) {
        List<Object> all = new ArrayList<>(List.of(values));
        all.add(claim.kind().name());
        all.add(claim.subjectId().toString());
        all.add(claim.token());
        return transaction.change(text, all.toArray()) > 0;
    }

    private static Claim read(ResultSet row, Instant now) throws SQLException {
        long unsettledSince = row.getLong(6);
        // A settled task that is looked at as a matter of routine starts its unsettled time now, if it is unsettled.
        Instant since = row.wasNull() ? now : EpochNanos.toInstant(unsettledSince);
        return new Claim(
                Kind.valueOf(row.getString(1)),
                UUID.fromString(row.getString(2)),
                row.getLong(3) + 1,
                row.getLong(4),
                row.getInt(5),
                since);
    }

    private static int code(Urgency urgency) {
        return switch (urgency) {
            case NEW -> 0;
            case CHANGED -> 1;
            case ROUTINE -> 2;
        };
    }
}
