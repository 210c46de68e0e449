package io.pilothouse.core.pipe;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.ShapeCheck;
import io.pilothouse.core.base.Tree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Adds and removes table mappings of a database pipe; one change cannot name the same source table in both. */
record PipeMappings(PipeKind kind, Faults faults) {
    private String path() {
        return "source." + kind.member() + ".tableMappings";
    }

    /** The items to be added or removed; nothing where the value is not a list. */
    List<Tree> given(Tree.Members source, String suffix) {
        source.find("tableMappings" + suffix)
                .filter(value -> !value.blank() && !(value instanceof Tree.Items))
                .ifPresent(value -> faults.add(path() + suffix, "must be an array"));
        return source.items("tableMappings" + suffix);
    }

    Tree.Members change(Tree.Members source, List<Tree> adds, List<Tree> removes) {
        Set<List<String>> leaving = new HashSet<>();
        for (int i = 0; i < removes.size(); i++) {
            String at = path() + "ToRemove[" + i + "]";
            if (removes.get(i) instanceof Tree.Members removed) {
                new ShapeCheck(faults).create(at, kind.removedTable(), removed);
            } else {
                faults.add(at, "must be an object");
            }
            leaving.add(sourceTable(removes.get(i)));
        }
        List<Tree> next = new ArrayList<>();
        for (Tree mapping : source.items("tableMappings")) {
            if (!leaving.contains(sourceTable(mapping))) {
                next.add(mapping);
            }
        }
        for (int i = 0; i < adds.size(); i++) {
            String at = path() + "ToAdd[" + i + "]";
            if (!(adds.get(i) instanceof Tree.Members added)) {
                faults.add(at, "must be an object");
            } else if (leaving.contains(sourceTable(added))) {
                faults.add(at, "names a source table that is removed in the same change");
            } else {
                next.add(new ShapeCheck(faults)
                        .create(at, kind.tableMapping(), added)
                        .open());
            }
        }
        if (next.isEmpty()) {
            faults.add(path() + "ToRemove", "must leave at least one mapping");
        }
        return source.with("tableMappings", new Tree.Items(next));
    }

    /** The names of the table that a mapping reads. */
    private List<String> sourceTable(Tree mapping) {
        return mapping instanceof Tree.Members members
                ? kind.sourceTable().stream()
                        .map(field -> members.text(field.name()).orElse(""))
                        .toList()
                : List.of();
    }
}
