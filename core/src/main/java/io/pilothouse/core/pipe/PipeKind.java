package io.pilothouse.core.pipe;

import static io.pilothouse.core.base.FieldShape.text;

import io.pilothouse.core.base.FieldShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The kinds of source, and the shape of each as data. */
public enum PipeKind {
    KAFKA("kafka", "Kafka", false),
    OBJECT_STORAGE("objectStorage", "object storage", false),
    KINESIS("kinesis", "Kinesis", false),
    PUBSUB("pubsub", "Pub/Sub", false),
    POSTGRES("postgres", "PostgreSQL", true),
    MYSQL("mysql", "MySQL", true),
    MONGODB("mongodb", "MongoDB", true),
    BIGQUERY("bigquery", "BigQuery", true);

    private static final String TARGET_TABLE = "targetTable";

    private final String member;
    private final String title;
    private final boolean database;

    PipeKind(String member, String title, boolean database) {
        this.member = member;
        this.title = title;
        this.database = database;
    }

    /** The member of {@code source} that holds this kind. */
    public String member() {
        return member;
    }

    /** What people call it. */
    public String title() {
        return title;
    }

    public List<FieldShape> shape() {
        return switch (this) {
            case KAFKA -> PipeStreamShapes.KAFKA;
            case OBJECT_STORAGE -> PipeStreamShapes.OBJECT_STORAGE;
            case KINESIS -> PipeStreamShapes.KINESIS;
            case PUBSUB -> PipeStreamShapes.PUBSUB;
            case POSTGRES -> PipeDatabaseShapes.POSTGRES;
            case MYSQL -> PipeDatabaseShapes.MYSQL;
            case MONGODB -> PipeDatabaseShapes.MONGODB;
            case BIGQUERY -> PipeDatabaseShapes.BIGQUERY;
        };
    }

    /** Whether it is a database, whose pipes share one size and begin with a snapshot. */
    public boolean database() {
        return database;
    }

    /** The fields of a table mapping; none where the source has no tables. */
    public List<FieldShape> tableMapping() {
        return shape().stream()
                .filter(field -> field.name().equals("tableMappings"))
                .flatMap(field -> field.members().stream())
                .toList();
    }

    /** The fields that name a table of the source. */
    List<FieldShape> sourceTable() {
        return tableMapping().stream()
                .filter(FieldShape::required)
                .filter(field -> !field.name().equals(TARGET_TABLE))
                .toList();
    }

    /** What names a table mapping that is removed. */
    public List<FieldShape> removedTable() {
        List<FieldShape> fields = new ArrayList<>(sourceTable());
        fields.add(text(TARGET_TABLE));
        return List.copyOf(fields);
    }

    /** The members of all kinds, for a sentence. */
    static String members() {
        return Arrays.stream(values()).map(PipeKind::member).collect(Collectors.joining(", "));
    }

    public static Optional<PipeKind> find(String member) {
        for (PipeKind kind : values()) {
            if (kind.member.equals(member)) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }
}
