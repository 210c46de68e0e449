package io.pilothouse.core.role;

import io.pilothouse.core.port.Tables;
import io.pilothouse.core.right.AssignedRoles;
import io.pilothouse.core.right.Permit;
import java.util.List;
import java.util.UUID;

/** Those of one sort who have roles: keys, or members. */
public interface RoleHolders {
    /** The word before their ids, as in {@code apiKey/…}. */
    String word();

    /** Their name in a sentence. */
    String title();

    /** All of an organization; there are at most a thousand. */
    List<Holder> all(Tables tables, UUID organizationId);

    /** Gives one of them these roles instead of those it has. */
    void give(Tables tables, Permit permit, UUID id, AssignedRoles roles);

    /** One who has roles; {@code lasting} if nothing but a change keeps it from using them, today and later. */
    record Holder(UUID id, AssignedRoles roles, boolean lasting) {}
}
