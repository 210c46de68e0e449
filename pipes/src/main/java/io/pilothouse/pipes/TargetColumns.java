package io.pilothouse.pipes;

import io.pilothouse.core.base.Tree;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeKind;
import io.pilothouse.core.pipe.PipeSchemaReader.Field;
import io.pilothouse.pipes.wire.Assignment.Target;
import io.pilothouse.pipes.wire.RecordField;
import io.pilothouse.pipes.wire.Sql;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How the fields of a source become columns: what the database reads them as, and the expression for each column. A
 * field that is named by a path is read as the text of its outermost object and taken out of that; pure.
 */
final class TargetColumns {
    /** Formats whose values have places and no names. */
    private static final Set<String> BY_PLACE = Set.of("CSV", "TabSeparated");
    /** Formats that say themselves which types they hold. */
    private static final Set<String> TYPED = Set.of("Parquet", "Avro");

    private static final String LINES = "JSONEachRow";
    /** Columns that the database adds to each row of a file. */
    private static final Set<String> OF_THE_FILE = Set.of("_file", "_path", "_size", "_time");

    /** A sample that has as many fields may have left out others. */
    private static final int ALL_FIELDS = 1000;

    private final Map<String, String> structure = new LinkedHashMap<>();
    private final List<String> expressions = new ArrayList<>();

    private TargetColumns() {}

    static Target of(Pipe pipe) {
        Tree.Members destination = pipe.destination();
        boolean records = pipe.kind() == PipeKind.KAFKA || pipe.kind() == PipeKind.KINESIS;
        String written = pipe.source().text("format").orElse(LINES);
        // Whatever a record was written in, its worker gives it to the database as a line of JSON.
        String format = records && !BY_PLACE.contains(written) ? LINES : written;
        Map<String, String> sources = sources(pipe);
        TargetColumns columns = new TargetColumns();
        List<String> names = new ArrayList<>();
        for (Tree.Members column : destination.objects("columns")) {
            String name = column.text("name").orElse("");
            String type = column.text("type").orElse("String");
            names.add(name);
            String source = sources.getOrDefault(name, name);
            Optional<RecordField> beside = RecordField.find(source, pipe.kind().member());
            if (beside.isPresent()) {
                columns.addRead(beside.get().given(), type);
            } else {
                columns.add(format, source, type);
            }
        }
        return new Target(
                destination.text("database").orElse("default"),
                destination.text("table").orElse(""),
                names,
                columns.expressions,
                columns.structure(format));
    }

    private static Map<String, String> sources(Pipe pipe) {
        Map<String, String> sources = new LinkedHashMap<>();
        pipe.fieldMappings().values().stream()
                .flatMap(item -> item instanceof Tree.Members mapping ? List.of(mapping).stream() : null)
                .forEach(mapping -> sources.put(
                        mapping.text("destinationField").orElse(""),
                        mapping.text("sourceField").orElse("")));
        return sources;
    }

    /** A sentence about the first column that no field of a sample would fill, as after a typing error. */
    static Optional<String> unfilled(Pipe pipe, List<Field> fields) {
        if (fields.size() >= ALL_FIELDS) {
            return Optional.empty();
        }
        return named(pipe).entrySet().stream()
                .filter(column -> fields.stream().noneMatch(field -> leadsTo(column.getValue(), field.name())))
                .findFirst()
                .map(TargetColumns::sentence);
    }

    /** A field may be asked for as a whole, or a part of one that the source does not show the inside of. */
    private static boolean leadsTo(String wanted, String field) {
        return wanted.equals(field) || field.startsWith(wanted + ".") || wanted.startsWith(field + ".");
    }

    private static String sentence(Map.Entry<String, String> column) {
        return "Nothing that was looked at has the field " + column.getValue() + ", which is to fill the column "
                + column.getKey() + ".";
    }

    /** The columns that a field of the content fills, where such fields have names, each with that field. */
    private static Map<String, String> named(Pipe pipe) {
        Map<String, String> named = new LinkedHashMap<>();
        String format = pipe.source().text("format").orElse(LINES);
        if (BY_PLACE.contains(format) || format.equals("JSONAsObject")) {
            return named;
        }
        Map<String, String> sources = sources(pipe);
        for (Tree.Members column : pipe.destination().objects("columns")) {
            String name = column.text("name").orElse("");
            String source = sources.getOrDefault(name, name);
            boolean beside = RecordField.find(source, pipe.kind().member()).isPresent();
            if (!beside && !(pipe.kind() == PipeKind.OBJECT_STORAGE && OF_THE_FILE.contains(source))) {
                named.put(name, source);
            }
        }
        return named;
    }

    private void add(String format, String source, String type) {
        if (OF_THE_FILE.contains(source)) {
            expressions.add("CAST(" + source + " AS " + type + ")");
        } else if (format.equals("JSONAsObject")) {
            structure.put(source, "JSON");
            expressions.add("CAST(" + Sql.name(source) + " AS " + type + ")");
        } else if (BY_PLACE.contains(format) || source.indexOf('.') < 0) {
            addRead(source, type);
        } else if (TYPED.contains(format)) {
            expressions.add("CAST(" + path(source) + " AS " + type + ")");
        } else {
            String[] steps = source.split("\\.", -1);
            structure.put(steps[0], "String");
            List<String> arguments = new ArrayList<>(List.of(Sql.name(steps[0])));
            for (int i = 1; i < steps.length; i++) {
                arguments.add(Sql.text(steps[i]));
            }
            arguments.add(Sql.text(type));
            expressions.add("JSONExtract(" + String.join(", ", arguments) + ")");
        }
    }

    /** A field that the database reads as it is; a second column of it is converted. */
    private void addRead(String source, String type) {
        String had = structure.putIfAbsent(source, type);
        expressions.add(
                had == null || had.equals(type) ? Sql.name(source) : "CAST(" + Sql.name(source) + " AS " + type + ")");
    }

    private static String path(String source) {
        List<String> steps = new ArrayList<>();
        for (String step : source.split("\\.", -1)) {
            steps.add(Sql.name(step));
        }
        return String.join(".", steps);
    }

    /** Where a path leads into a typed file, only the file knows the types on the way. */
    private String structure(String format) {
        boolean paths =
                TYPED.contains(format) && expressions.stream().anyMatch(expression -> expression.contains("`.`"));
        if (paths) {
            return "";
        }
        List<String> columns = new ArrayList<>();
        structure.forEach((name, type) -> columns.add(Sql.name(name) + " " + type));
        return String.join(", ", columns);
    }
}
