package io.pilothouse.core.key;

import io.pilothouse.core.port.Tables;
import io.pilothouse.core.role.Roles;
import java.util.List;

/** A key as clients see it: with the names of its roles. */
public record ApiKeyView(ApiKey key, List<Roles.Assigned> roles) {
    static ApiKeyView of(Tables tables, ApiKey key) {
        return new ApiKeyView(key, Roles.named(tables, key.organizationId(), key.roles()));
    }
}
