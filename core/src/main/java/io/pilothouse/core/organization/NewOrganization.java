package io.pilothouse.core.organization;

import io.pilothouse.core.key.NewKey;

/** An organization that was just made, with its first admin key. */
public record NewOrganization(Organization organization, NewKey key) {}
