package io.pilothouse.core.domain;

/** An organization that was just made, with its first admin key. */
public record NewOrganization(Organization organization, NewKey key) {}
