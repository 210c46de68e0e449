package io.pilothouse.server;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Tables in what a client prints, brought to one width again after what is in them was made the same. */
final class CliTable {
    private CliTable() {}

    static List<String> aligned(List<String> lines) {
        List<String> out = new ArrayList<>();
        List<List<String>> table = new ArrayList<>();
        for (String line : lines) {
            if (line.startsWith("| ") || line.startsWith("|-")) {
                table.add(cells(line));
            } else {
                flush(table, out);
                out.add(line);
            }
        }
        flush(table, out);
        return out;
    }

    private static List<String> cells(String line) {
        return Arrays.stream(line.substring(1, line.lastIndexOf('|')).split("\\|", -1))
                .map(String::strip)
                .toList();
    }

    private static void flush(List<List<String>> table, List<String> out) {
        for (List<String> row : table) {
            StringBuilder line = new StringBuilder("|");
            for (int column = 0; column < row.size(); column++) {
                int width = width(table, column);
                String cell = row.get(column);
                line.append(rule(cell) ? "-".repeat(width + 2) : " " + cell + " ".repeat(width - cell.length() + 1));
                line.append('|');
            }
            out.add(line.toString());
        }
        table.clear();
    }

    private static int width(List<List<String>> table, int column) {
        return table.stream()
                .filter(row -> column < row.size() && !rule(row.get(column)))
                .mapToInt(row -> row.get(column).length())
                .max()
                .orElse(1);
    }

    private static boolean rule(String cell) {
        return cell.startsWith("--");
    }
}
