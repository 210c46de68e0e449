package io.pilothouse.pipes.wire;

import io.pilothouse.core.base.Tree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which fields the records of a source have, and what else was seen of it, such as how many were looked at. */
public record FoundFields(List<Field> fields, Map<String, String> meta) {
    private static final String FIELDS = "fields";
    private static final String META = "meta";

    public FoundFields {
        fields = List.copyOf(fields);
        meta = Map.copyOf(meta);
    }

    /** One field; a dotted name is a path. {@code optional} says that some records are without it. */
    public record Field(String name, String type, boolean optional) {}

    public Tree.Members tree() {
        Map<String, Tree> said = new LinkedHashMap<>();
        meta.forEach((name, text) -> said.put(name, new Tree.Text(text)));
        return new Tree.Members(Map.of(
                FIELDS,
                new Tree.Items(fields.stream().<Tree>map(FoundFields::tree).toList()),
                META,
                new Tree.Members(said)));
    }

    private static Tree.Members tree(Field field) {
        return new Tree.Members(Map.of(
                "name", new Tree.Text(field.name()),
                "type", new Tree.Text(field.type()),
                "optional", new Tree.Flag(field.optional())));
    }

    public static FoundFields of(Tree.Members body) {
        List<Field> fields = new ArrayList<>();
        for (Tree.Members field : body.objects(FIELDS)) {
            fields.add(new Field(
                    field.text("name").orElseThrow(), field.text("type").orElseThrow(), field.flag("optional")));
        }
        Tree.Members said = body.members(META).orElse(Tree.Members.NONE);
        Map<String, String> meta = new LinkedHashMap<>();
        said.values().keySet().forEach(name -> meta.put(name, said.text(name).orElse("")));
        return new FoundFields(fields, meta);
    }
}
