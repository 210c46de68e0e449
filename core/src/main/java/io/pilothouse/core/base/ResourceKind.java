package io.pilothouse.core.base;

import java.util.List;

/**
 * What the resources of one kind are called and which fields they have, said once: reading a body with every fault,
 * what is stored and the served document follow from it.
 */
public interface ResourceKind {
    /** The last word of its path, which is its name in the store too. */
    String name();

    /** Its name in a sentence. */
    String title();

    /** The beginning of the types of its activities. */
    String activity();

    List<FieldShape> fields(RuleBook rules);

    /** Adds the faults that no single field shows; {@code fields} are those given, over what the others have. */
    default void check(Tree.Members given, Tree.Members fields, RuleBook rules, Faults faults) {}

    /** The fields of a new one, with the defaults of those that are not given; refuses with every fault. */
    default Tree.Members made(Tree.Members given, RuleBook rules, Faults faults) {
        Tree.Members fields =
                new ShapeCheck(faults).create("", fields(rules), given).open();
        check(given, fields, rules, faults);
        faults.refuseIfAny();
        return fields;
    }

    /** The fields of one that has these, after a change; refuses with every fault. */
    default Tree.Members changed(Tree.Members given, Tree.Members current, RuleBook rules) {
        Faults faults = new Faults();
        Tree.Members fields =
                new ShapeCheck(faults).change("", fields(rules), given, current).open();
        check(given, fields, rules, faults);
        faults.refuseIfAny();
        return fields;
    }
}
