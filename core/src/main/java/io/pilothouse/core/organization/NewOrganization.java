package io.pilothouse.core.organization;

import io.pilothouse.core.key.ApiKeyCreated;

/** An organization just created, with its first admin key. */
public record NewOrganization(Organization organization, ApiKeyCreated key) {}
