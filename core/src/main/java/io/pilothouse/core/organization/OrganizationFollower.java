package io.pilothouse.core.organization;

import io.pilothouse.core.port.Tables;
import io.pilothouse.core.right.Permit;
import java.time.Instant;
import java.util.Set;

/** What organizations own has its share in what happens to them, in the same transaction. */
public interface OrganizationFollower {
    /** The organization was made. */
    default void made(Tables tables, Organization organization, Instant now) {}

    /** The organization no longer has these private endpoints, so nothing of it may keep them. */
    default void endpointsRemoved(Tables tables, Permit permit, Set<String> endpointIds) {}
}
