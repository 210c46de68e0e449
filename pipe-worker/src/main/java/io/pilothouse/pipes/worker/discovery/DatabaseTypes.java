package io.pilothouse.pipes.worker.discovery;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.pilothouse.pipes.wire.FoundFields.Field;
import io.pilothouse.pipes.wire.Sql;
import io.pilothouse.pipes.worker.outside.Destination;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.DestinationAway;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Which types the database of the service would give to records, in its own words. */
final class DatabaseTypes {
    private static final int MAX_LINE_BYTES = 1 << 20;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String NULLABLE = "Nullable(";

    /** As pipes have it read what they carry. */
    private static final Map<String, String> AS_PIPES = Map.of(
            "date_time_input_format", "best_effort",
            "input_format_json_read_objects_as_strings", "1",
            "input_format_json_infer_incomplete_types_as_strings", "1",
            // A time may have a fraction in a record that was not looked at.
            "input_format_try_infer_datetimes_only_datetime64", "1",
            "print_pretty_type_names", "0",
            "max_query_size", Integer.toString(16 << 20));

    private final Destination database;

    DatabaseTypes(Destination database) {
        this.database = database;
    }

    /** The types of the members of JSON objects, one on each line. Which may be null, the caller has counted. */
    Map<String, String> ofObjects(String lines) throws Trouble, InterruptedException {
        Map<String, String> settings = new LinkedHashMap<>(AS_PIPES);
        settings.put("schema_inference_make_columns_nullable", "0");
        settings.put("input_format_max_rows_to_read_for_schema_inference", "25000");
        Map<String, String> types = new LinkedHashMap<>();
        described("format(JSONEachRow, " + Sql.text(lines) + ")", settings)
                .forEach(field -> types.put(field.name(), field.type()));
        return types;
    }

    /** The columns of messages of CSV, by their places. */
    List<Field> ofLines(List<byte[]> messages) throws Trouble, InterruptedException {
        String lines = messages.stream()
                .map(message -> new String(message, StandardCharsets.UTF_8))
                .collect(Collectors.joining("\n"));
        return of("format(CSV, " + Sql.text(lines) + ")", Map.of());
    }

    /** The columns of a table function; one whose values may be null is optional. */
    List<Field> of(String table, Map<String, String> more) throws Trouble, InterruptedException {
        Map<String, String> settings = new LinkedHashMap<>(AS_PIPES);
        settings.put("schema_inference_make_columns_nullable", "auto");
        settings.putAll(more);
        return described(table, settings);
    }

    private List<Field> described(String table, Map<String, String> settings) throws Trouble, InterruptedException {
        List<Field> fields = new ArrayList<>();
        for (byte[] line : lines("DESCRIBE TABLE " + table + " FORMAT JSONEachRow", settings)) {
            JsonNode column = json(line);
            String type = column.path("type").asText();
            boolean optional = type.startsWith(NULLABLE);
            fields.add(new Field(
                    column.path("name").asText(),
                    optional ? type.substring(NULLABLE.length(), type.length() - 1) : type,
                    optional));
        }
        return fields;
    }

    private static JsonNode json(byte[] line) throws DestinationAway {
        try {
            return JSON.readTree(line);
        } catch (IOException _) {
            throw new DestinationAway("The database does not answer with JSON.");
        }
    }

    /** The lines that a query selects. */
    List<byte[]> lines(String sql) throws Trouble, InterruptedException {
        return lines(sql, AS_PIPES);
    }

    private List<byte[]> lines(String sql, Map<String, String> settings) throws Trouble, InterruptedException {
        List<byte[]> lines = new ArrayList<>();
        try (InputStream in = database.select(sql, settings);
                BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            int bytes = 0;
            for (String line = reader.readLine(); line != null && bytes < MAX_LINE_BYTES; line = reader.readLine()) {
                lines.add(line.getBytes(StandardCharsets.UTF_8));
                bytes += line.length();
            }
        } catch (IOException gone) {
            throw new DestinationAway("The database broke off: " + gone.getMessage());
        }
        return lines;
    }
}
