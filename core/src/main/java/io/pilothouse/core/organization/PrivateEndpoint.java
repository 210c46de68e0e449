package io.pilothouse.core.organization;

import io.pilothouse.core.base.Tree;
import org.jspecify.annotations.Nullable;

/**
 * A private endpoint registered with an organization; provider and region are known once a service has had it. One that
 * is there {@code byUse} alone leaves with the last service that has it.
 */
public record PrivateEndpoint(
        String id,
        @Nullable String description,
        @Nullable String cloudProvider,
        @Nullable String region,
        boolean byUse) {
    /** The same as one that somebody registered: so it is shown. */
    public PrivateEndpoint shown() {
        return new PrivateEndpoint(id, description, cloudProvider, region, false);
    }

    /** As an organization shows it. */
    public Tree.Members tree() {
        return Tree.Members.NONE
                .with("id", new Tree.Text(id))
                .with("description", text(description))
                .with("cloudProvider", text(cloudProvider))
                .with("region", text(region));
    }

    private static @Nullable Tree text(@Nullable String value) {
        return value == null ? null : new Tree.Text(value);
    }

    /** Whether a service at this place can have it: one that was never used may be anywhere. */
    public boolean reaches(String provider, String place) {
        return (cloudProvider == null || cloudProvider.equals(provider)) && (region == null || region.equals(place));
    }
}
