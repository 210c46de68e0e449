package io.pilothouse.core.organization;

import io.pilothouse.core.port.Tables;
import io.pilothouse.core.right.Permit;
import java.time.Instant;
import java.util.Set;

/** Lets the rooms of an organization's things take part in its changes, in the same transaction. */
public interface OrganizationFollower {
    /** The organization was created. */
    default void made(Tables tables, Organization organization, Instant now) {}

    /** The organization no longer has these private endpoints, so none of its things may keep them. */
    default void endpointsRemoved(Tables tables, Permit permit, Set<String> endpointIds) {}
}
