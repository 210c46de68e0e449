package io.pilothouse.core.service;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.FieldShape;
import io.pilothouse.core.base.ShapeCheck;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.organization.Organization;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The fields of a service that are set, kept and shown, and that no rule joins to others. A field is described here
 * and in the document, and nowhere else.
 */
public final class ServiceFields {
    /** A field that is not given at creation has the default of its shape. */
    private record Described(FieldShape shape, String activity) {}

    private static final String CORE_DUMPS = "enableCoreDumps";
    private static final List<Described> ALL =
            List.of(new Described(FieldShape.flag(CORE_DUMPS).changeable(), "service_update_core_dump"));
    private static final List<FieldShape> SHAPES =
            ALL.stream().map(Described::shape).toList();

    /** All of them, in the order in which clients see them. */
    public static final Tree.Members DEFAULTS = defaults();

    private ServiceFields() {}

    private static Tree.Members defaults() {
        Tree.Members defaults = Tree.Members.NONE;
        for (FieldShape shape : SHAPES) {
            defaults = defaults.with(shape.name(), shape.byDefault());
        }
        return defaults;
    }

    static Tree.Members create(Tree.Members given, Organization organization, Faults faults) {
        return change(given, DEFAULTS.with(CORE_DUMPS, new Tree.Flag(organization.enableCoreDumps())), faults);
    }

    static Tree.Members change(Tree.Members given, Tree.Members before, Faults faults) {
        return new ShapeCheck(faults).change("", SHAPES, given, before).open();
    }

    /** Whether one of them is given. */
    static boolean anyIn(Tree.Members given) {
        return SHAPES.stream()
                .flatMap(shape -> given.find(shape.name()).stream())
                .anyMatch(value -> !value.blank());
    }

    /** Checks what is given by itself. */
    static void check(Tree.Members given, Faults faults) {
        new ShapeCheck(faults).alone("", SHAPES, given);
    }

    /** The types of activities for what differs. */
    static List<String> differences(Tree.Members before, Tree.Members after) {
        List<String> types = new ArrayList<>();
        for (Described field : ALL) {
            String name = field.shape().name();
            if (!Objects.equals(before.values().get(name), after.values().get(name))) {
                types.add(field.activity());
            }
        }
        return types;
    }

    static boolean enableCoreDumps(Tree.Members fields) {
        return fields.flag(CORE_DUMPS);
    }
}
