package io.pilothouse.core.organization;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request for a new organization as it was read: null means not given. */
public record OrganizationDraft(
        @Nullable String name,
        @Nullable String tier,
        @Nullable Boolean paid,
        @Nullable List<Organization.Byoc> byocConfig) {}
