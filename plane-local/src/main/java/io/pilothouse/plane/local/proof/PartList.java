package io.pilothouse.plane.local.proof;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Parts of tables, each by its database, table, checksum and number of rows. Those that a service had before a backup
 * was begun and still has after it has ended are in the backup, whatever was written meanwhile.
 */
public record PartList(Set<String> parts) {
    /**
     * A database says which parts its users' tables have now, one a line; no more than an answer may hold, and of too
     * many the same ones each time.
     */
    public static final String IN_USE =
            select("active") + " ORDER BY hash_of_all_files, database, table LIMIT 20000 FORMAT TSV";

    private static final int MAX_ASKED_FOR = 1_000;
    private static final Pattern CHECKSUM = Pattern.compile("[0-9a-zA-Z]{1,64}");
    private static final int FIELDS = 4;
    private static final int TABLES_NAMED = 3;

    public PartList {
        parts = Set.copyOf(parts);
    }

    private static String select(String condition) {
        return "SELECT database, table, hash_of_all_files, rows FROM system.parts WHERE " + condition
                + " AND database NOT IN ('system', 'INFORMATION_SCHEMA', 'information_schema')";
    }

    /**
     * What a database has to be asked to know which of these it has, or had until they were merged. However many it has
     * beside them, each answer is as short as its question.
     */
    public List<String> questions() {
        List<String> checksums = parts.stream()
                .map(part -> part.split("\t", -1)[2])
                .filter(checksum -> CHECKSUM.matcher(checksum).matches())
                .distinct()
                .sorted()
                .toList();
        List<String> questions = new ArrayList<>();
        for (int from = 0; from < checksums.size(); from += MAX_ASKED_FOR) {
            List<String> some = checksums.subList(from, Math.min(checksums.size(), from + MAX_ASKED_FOR));
            questions.add(
                    "SELECT DISTINCT * FROM (" + select("hash_of_all_files IN ('" + String.join("', '", some) + "')")
                            + ") LIMIT 20000 FORMAT TSV");
        }
        return questions;
    }

    public static PartList parse(String lines) {
        return new PartList(lines.lines()
                .filter(line -> line.split("\t", -1).length == FIELDS)
                .collect(Collectors.toCollection(LinkedHashSet::new)));
    }

    /** One line for each. */
    public String text() {
        return parts.stream().sorted().map(part -> part + "\n").collect(Collectors.joining());
    }

    /** Those that are in both. */
    public PartList and(PartList later) {
        return new PartList(parts.stream().filter(later.parts::contains).collect(Collectors.toSet()));
    }

    public long rows() {
        return rows(parts);
    }

    /** What of these did not come back, as a sentence; empty if all did. */
    public Optional<String> missingIn(PartList restored) {
        Map<String, List<String>> byTable = parts.stream()
                .filter(part -> !restored.parts.contains(part))
                .sorted()
                .collect(Collectors.groupingBy(PartList::table, LinkedHashMap::new, Collectors.toList()));
        if (byTable.isEmpty()) {
            return Optional.empty();
        }
        String named = byTable.entrySet().stream()
                .limit(TABLES_NAMED)
                .map(table -> table.getKey() + " (parts: " + table.getValue().size() + ", rows: "
                        + rows(table.getValue()) + ")")
                .collect(Collectors.joining(", "));
        int more = byTable.size() - TABLES_NAMED;
        return Optional.of("What came back is not what the service had: parts are missing or differ in " + named
                + (more > 0 ? " and " + more + " more tables." : "."));
    }

    private static String table(String part) {
        String[] fields = part.split("\t", -1);
        return fields[0] + "." + fields[1];
    }

    private static long rows(Collection<String> parts) {
        return parts.stream()
                .map(part -> part.substring(part.lastIndexOf('\t') + 1))
                .filter(number -> number.matches("[0-9]{1,18}"))
                .mapToLong(Long::parseLong)
                .sum();
    }
}
