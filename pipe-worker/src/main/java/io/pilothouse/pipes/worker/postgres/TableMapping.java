package io.pilothouse.pipes.worker.postgres;

import io.pilothouse.core.base.Tree;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Words;
import java.util.List;
import java.util.Set;

/**
 * Which table of the source goes into which table, as the pipe's owner wrote it; {@code timesAgain} counts how often it
 * alone is to be read again.
 */
record TableMapping(
        String schema,
        String table,
        String target,
        Set<String> excluded,
        List<String> sortingKeys,
        String engine,
        int timesAgain) {
    static List<TableMapping> all(Assignment assignment) {
        return assignment.source().objects("tableMappings").stream()
                .map(TableMapping::of)
                .toList();
    }

    private static TableMapping of(Tree.Members mapping) {
        return new TableMapping(
                mapping.text("sourceSchemaName").orElse("public"),
                mapping.text("sourceTable").orElse(""),
                mapping.text("targetTable").orElse(""),
                Set.copyOf(mapping.texts("excludedColumns")),
                mapping.flag("useCustomSortingKey") ? mapping.texts("sortingKeys") : List.of(),
                mapping.text("tableEngine").orElse("ReplacingMergeTree"),
                mapping.number(Words.TIMES_AGAIN).map(Double::intValue).orElse(0));
    }

    /** What it is called in sentences and in the ledger. */
    String source() {
        return schema + "." + table;
    }
}
