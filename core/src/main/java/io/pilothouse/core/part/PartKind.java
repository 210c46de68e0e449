package io.pilothouse.core.part;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.FieldShape;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.service.Service;
import java.time.Instant;
import java.util.List;

/** One kind of part: its fields with their limits, and its peculiarities. */
public interface PartKind {
    /** The last word of its path, which is its name in the store too. */
    String name();

    /** Its name in a sentence. */
    String title();

    /** The beginning of the types of its activities. */
    String activity();

    List<FieldShape> fields(RuleBook rules);

    /** Adds the faults that no single field shows; {@code fields} are those given, with the defaults of the others. */
    default void check(Tree.Members given, Tree.Members fields, RuleBook rules, Faults faults) {}

    /** Refuses a service that cannot have this part. */
    default void requireFits(Service service) {}

    /** The service whose part this one shows. */
    default Service holder(Tables tables, Service service) {
        return service;
    }

    /** Whether these fields say the same as having no such part. */
    default boolean isNothing(Tree.Members fields) {
        return false;
    }

    /** The form that clients see. */
    default Tree.Members shown(Tree.Members fields, Service service, Instant now) {
        return fields;
    }

    /** The part was set or deleted, in this transaction. */
    default void changed(Tables tables, Service service, Instant now) {}
}
