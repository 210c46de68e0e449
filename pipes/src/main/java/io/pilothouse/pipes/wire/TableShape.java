package io.pilothouse.pipes.wire;

import io.pilothouse.core.base.Tree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A table of a source as its target is to be: the name of the target, its columns with the types of the destination,
 * and the columns that it is sorted by. {@code round} names the time that it is read, which is {@link #FIRST} or
 * another for each time that everything or this table is read again; {@code side} is the name of the table that takes the
 * rows then, and the same as {@code target} the first time.
 */
public record TableShape(String target, String side, String round, List<Column> columns, List<String> key) {
    /** What the first time is called that a table is read. */
    public static final String FIRST = "0";

    /** One column of the target. */
    public record Column(String name, String type) {}

    public static Tree.Members tree(List<TableShape> tables) {
        return new Tree.Members(Map.of(
                "tables",
                new Tree.Items(tables.stream().<Tree>map(TableShape::tree).toList())));
    }

    public static List<TableShape> list(Tree.Members body) {
        return body.objects("tables").stream().map(TableShape::of).toList();
    }

    private Tree.Members tree() {
        Map<String, Tree> members = new LinkedHashMap<>();
        members.put("target", new Tree.Text(target));
        members.put("side", new Tree.Text(side));
        members.put("round", new Tree.Text(round));
        members.put("names", Tree.Items.texts(columns.stream().map(Column::name).toList()));
        members.put("types", Tree.Items.texts(columns.stream().map(Column::type).toList()));
        members.put("key", Tree.Items.texts(key));
        return new Tree.Members(members);
    }

    private static TableShape of(Tree.Members members) {
        List<String> names = members.texts("names");
        List<String> types = members.texts("types");
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            columns.add(new Column(names.get(i), types.get(i)));
        }
        return new TableShape(
                members.text("target").orElseThrow(),
                members.text("side").orElseThrow(),
                members.text("round").orElseThrow(),
                List.copyOf(columns),
                members.texts("key"));
    }
}
