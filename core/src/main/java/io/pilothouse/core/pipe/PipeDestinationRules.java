package io.pilothouse.core.pipe;

import static io.pilothouse.core.base.FieldShape.flag;
import static io.pilothouse.core.base.FieldShape.object;
import static io.pilothouse.core.base.FieldShape.objects;
import static io.pilothouse.core.base.FieldShape.text;
import static io.pilothouse.core.base.FieldShape.texts;
import static io.pilothouse.core.base.FieldShape.word;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.FieldShape;
import io.pilothouse.core.base.ShapeCheck;
import io.pilothouse.core.base.Tree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The rules of where a pipe writes: destination, columns, field mappings and table definition, checked together; pure. */
public final class PipeDestinationRules {
    private static final FieldShape COLUMNS =
            objects("columns", text("name").needed(), text("type").needed()).changeable();
    public static final List<FieldShape> SHAPE = List.of(
            text("database").orElse("default"),
            text("table"),
            flag("managedTable"),
            object(
                    "tableDefinition",
                    object(
                                    "engine",
                                    word("type", "MergeTree", "ReplacingMergeTree", "SummingMergeTree", "Null"),
                                    text("versionColumnId"),
                                    texts("columnIds"))
                            .orElse(Tree.Members.NONE),
                    texts("sortingKey"),
                    text("partitionBy"),
                    text("primaryKey")),
            COLUMNS,
            texts("roles"));
    /** The roles are a wish for the database user that a pipe makes, and no part of the pipe. */
    public static final List<FieldShape> SHOWN =
            SHAPE.stream().filter(field -> !field.name().equals("roles")).toList();

    public static final List<FieldShape> MAPPING =
            List.of(text("sourceField").needed(), text("destinationField").needed());

    private final Faults faults;

    public PipeDestinationRules(Faults faults) {
        this.faults = faults;
    }

    /** Reads and checks the destination of a new pipe. */
    public Tree.Members create(PipeKind kind, Tree.Members given) {
        Tree.Members read =
                new ShapeCheck(faults).create("destination", SHAPE, given).open();
        if (kind.database()) {
            return ofDatabase(given, read);
        }
        if (read.text("table").orElse("").isBlank()) {
            missing("table");
        }
        if (!given.has("managedTable")) {
            missing("managedTable");
        }
        columns(read);
        boolean managed = read.flag("managedTable");
        if (managed != read.has("tableDefinition")) {
            fault("tableDefinition", managed ? "is required for a managed table" : "belongs to a managed table only");
        }
        return read.members("tableDefinition")
                .map(definition -> read.with("tableDefinition", definition(definition, read)))
                .orElse(read);
    }

    /** Reads and checks new columns of a pipe that has a destination; nothing else of it can change. */
    public Tree.Members change(PipeKind kind, Tree.Members given, Tree.Members current) {
        Tree.Members next = new ShapeCheck(faults)
                .change("destination", SHAPE, given, current)
                .open();
        if (kind.database()) {
            refuseOfDatabase(given);
        } else {
            columns(next);
        }
        return next;
    }

    /** Checks the form of a change to a destination, whatever pipe it is for. */
    public void alone(Tree.Members given) {
        new ShapeCheck(faults).alone("destination", SHAPE, given);
    }

    /** Reads and checks the mappings against the destination's columns; a column without one is mapped by its name. */
    public Tree.Items mappings(PipeKind kind, Tree.Items given, Tree.Members destination) {
        List<Tree> read = new ArrayList<>();
        Set<String> mapped = new HashSet<>();
        Set<String> columns = columnNames(destination);
        for (int i = 0; i < given.values().size(); i++) {
            String at = "fieldMappings[" + i + "]";
            if (!(given.values().get(i) instanceof Tree.Members members)) {
                faults.add(at, "must be an object");
                continue;
            }
            Tree.Members mapping =
                    new ShapeCheck(faults).create(at, MAPPING, members).open();
            read.add(mapping);
            mapping.text("destinationField").ifPresent(field -> {
                if (!columns.contains(field) && !kind.database()) {
                    faults.add(at + ".destinationField", "is no column of the destination");
                }
                if (!mapped.add(field)) {
                    faults.add(at + ".destinationField", "is mapped twice");
                }
            });
        }
        if (kind.database() && !read.isEmpty()) {
            faults.add("fieldMappings", "does not belong to a database pipe: use tableMappings");
        }
        return new Tree.Items(read);
    }

    private Tree.Members ofDatabase(Tree.Members given, Tree.Members read) {
        refuseOfDatabase(given);
        return new Tree.Members(Map.of("database", read.find("database").orElseThrow()))
                .with("columns", new Tree.Items(List.of()))
                .with("roles", read.find("roles").orElseThrow());
    }

    private void refuseOfDatabase(Tree.Members given) {
        for (String name : List.of("table", "tableDefinition", "columns")) {
            if (given.find(name).filter(value -> !value.blank()).isPresent()) {
                fault(name, "does not belong to a database pipe, whose tables are named in tableMappings");
            }
        }
    }

    private void columns(Tree.Members destination) {
        List<Tree.Members> columns = destination.objects("columns");
        if (columns.isEmpty()) {
            missing("columns");
        }
        Set<String> names = new HashSet<>();
        for (int i = 0; i < columns.size(); i++) {
            if (!names.add(columns.get(i).text("name").orElse("" + i))) {
                fault("columns[" + i + "].name", "is named twice");
            }
        }
    }

    private Tree.Members definition(Tree.Members definition, Tree.Members destination) {
        Tree.Members engine = definition.members("engine").orElse(Tree.Members.NONE);
        boolean sums = !engine.items("columnIds").isEmpty();
        boolean replaces = engine.has("versionColumnId");
        String type =
                engine.text("type").orElse(sums ? "SummingMergeTree" : replaces ? "ReplacingMergeTree" : "MergeTree");
        if (replaces && !type.equals("ReplacingMergeTree")) {
            fault("tableDefinition.engine.versionColumnId", "belongs to ReplacingMergeTree only");
        }
        if (sums && !type.equals("SummingMergeTree")) {
            fault("tableDefinition.engine.columnIds", "belongs to SummingMergeTree only");
        }
        if (type.equals("ReplacingMergeTree") && definition.items("sortingKey").isEmpty()) {
            fault("tableDefinition.sortingKey", "is required by ReplacingMergeTree");
        }
        Set<String> columns = columnNames(destination);
        engine.text("versionColumnId")
                .filter(id -> !columns.contains(id))
                .ifPresent(id -> fault("tableDefinition.engine.versionColumnId", "is no column of the destination"));
        for (String id : engine.texts("columnIds")) {
            if (!columns.contains(id)) {
                fault("tableDefinition.engine.columnIds", id + " is no column of the destination");
            }
        }
        return definition.with("engine", engine.with("type", new Tree.Text(type)));
    }

    private static Set<String> columnNames(Tree.Members destination) {
        Set<String> names = new LinkedHashSet<>();
        destination.objects("columns").forEach(column -> column.text("name").ifPresent(names::add));
        return names;
    }

    private void missing(String name) {
        if (!faults.has("destination." + name)) {
            fault(name, "is required for this kind of source");
        }
    }

    private void fault(String name, String message) {
        faults.add("destination." + name, message);
    }
}
