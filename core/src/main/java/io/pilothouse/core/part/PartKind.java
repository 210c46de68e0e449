package io.pilothouse.core.part;

import io.pilothouse.core.base.ResourceKind;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.service.Service;
import java.time.Instant;

/** One kind of part of a service, and its peculiarities. */
public interface PartKind extends ResourceKind {
    /** Refuses a service that cannot have this part. */
    default void requireFits(Service service) {}

    /** Refuses fields that name what the organization does not have; {@code before} are those it has now, if any. */
    default void requireKnown(Tables tables, Service service, Tree.Members fields, Tree.Members before) {}

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
