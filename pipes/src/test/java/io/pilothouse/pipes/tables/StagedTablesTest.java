package io.pilothouse.pipes.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeKind;
import io.pilothouse.core.pipe.PipeRange;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Databases;
import io.pilothouse.core.service.Service;
import io.pilothouse.pipes.wire.Span;
import io.pilothouse.testkit.PipeSample;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Which tables that hold files go, and which stay. */
class StagedTablesTest {
    private static final Pipe PIPE =
            PipeSample.running(new UUID(0, 1), new UUID(0, 2), new UUID(0, 3), PipeKind.OBJECT_STORAGE, Instant.EPOCH);

    /** What is there, with the file that each is for. */
    private final Map<String, String> there = new LinkedHashMap<>();

    private final List<PipeRange> ledger = new ArrayList<>();
    private boolean refuses;

    private final StagedTables tables = new StagedTables(
            id -> id.equals(PIPE.id()),
            (_, parts) ->
                    ledger.stream().filter(row -> parts.contains(row.part())).toList(),
            new PipeTables(new Databases() {
                @Override
                public Optional<PipeLogin> pipeLogin(Service service) {
                    return Optional.empty();
                }

                @Override
                public Answer ask(UUID serviceId, String sql) {
                    if (!sql.startsWith("DROP")) {
                        return new Answer.Text(list(sql.contains("base64Encode(comment)")));
                    }
                    // What the database says of one that is over its limit.
                    if (refuses || !sql.endsWith(" SETTINGS max_table_size_to_drop = 0")) {
                        return new Answer.Refusal("It is too large to be dropped.");
                    }
                    there.keySet().removeIf(sql::contains);
                    return new Answer.Text("");
                }

                @Override
                public Hold hold(UUID serviceId) {
                    return () -> {};
                }
            }));

    private String list(boolean encoded) {
        StringBuilder lines = new StringBuilder();
        there.forEach((table, comment) -> lines.append(table)
                .append('\t')
                .append(
                        encoded
                                ? Base64.getEncoder().encodeToString(comment.getBytes(StandardCharsets.UTF_8))
                                : comment)
                .append('\n'));
        return lines.toString();
    }

    private String table(UUID pipe, int number, String part) {
        String table = pipe + "_" + number;
        there.put(table, part);
        return table;
    }

    private void seal(String part, String table) {
        ledger.add(new PipeRange(
                Head.of(new UUID(1, ledger.size()), PIPE.id(), Instant.EPOCH),
                Span.STAGED + part,
                0,
                1L,
                table + "/blocks@v1",
                1));
    }

    @Test
    void onlyWhatIsBeingMovedStaysOfAPipeThatStarts() throws PlaneFault, PipeTables.Unfit {
        String moving = table(PIPE.id(), 1, "b/moving.csv");
        table(PIPE.id(), 2, "b/moving.csv");
        table(PIPE.id(), 3, "b/never-sealed.csv");
        table(new UUID(0, 9), 4, "b/of-a-pipe-that-is-gone.csv");
        there.put("notes_of_somebody", "");
        seal("b/moving.csv", moving);
        tables.dropLeft(PIPE);
        assertThat(there).containsOnlyKeys(moving, "notes_of_somebody");
    }

    @Test
    void tableOfAFileWithALineEndInItsKeyStaysToo() throws PlaneFault, PipeTables.Unfit {
        String moving = table(PIPE.id(), 1, "b/two\nlines\t.csv");
        seal("b/two\nlines\t.csv", moving);
        tables.dropLeft(PIPE);
        assertThat(there).containsOnlyKeys(moving);
    }

    @Test
    void tableThatCannotBeDroppedKeepsNoPipeBack() throws PlaneFault, PipeTables.Unfit {
        String left = table(PIPE.id(), 1, "b/a.csv");
        refuses = true;
        tables.dropLeft(PIPE);
        tables.drop(PIPE, left);
        assertThat(there).containsOnlyKeys(left);
    }

    @Test
    void noWorkerDropsATableOfAnotherPipe() throws PlaneFault {
        String other = table(new UUID(0, 9), 1, "b/a.csv");
        tables.drop(PIPE, other);
        assertThat(there).containsOnlyKeys(other);
    }
}
