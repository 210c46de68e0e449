package io.pilothouse.core.organization;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Stored;
import java.util.List;

/** A tenant: everything else belongs to exactly one, and its tier and paid flag decide limits. */
public record Organization(
        Head head,
        String name,
        OrganizationTier tier,
        boolean paid,
        boolean enableCoreDumps,
        List<PrivateEndpoint> privateEndpoints,
        List<Byoc> byocConfig)
        implements Stored {
    public static final Kind<Organization> KIND = new Kind<>("organizations", Organization.class);

    /** A bring-your-own-cloud region setup that services of this organization may name. */
    public record Byoc(String id, String accountName) {}

    public Organization {
        privateEndpoints = List.copyOf(privateEndpoints);
        byocConfig = List.copyOf(byocConfig);
    }

    public Organization withDetails(String newName, boolean coreDumps, List<PrivateEndpoint> endpoints) {
        return new Organization(head, newName, tier, paid, coreDumps, endpoints, byocConfig);
    }

    /** Whether clients see the same private endpoints in both. */
    public boolean showsEndpointsOf(Organization other) {
        return privateEndpoints.stream()
                .map(PrivateEndpoint::shown)
                .toList()
                .equals(other.privateEndpoints.stream()
                        .map(PrivateEndpoint::shown)
                        .toList());
    }

    public Organization withPrivateEndpoints(List<PrivateEndpoint> endpoints) {
        return withDetails(name, enableCoreDumps, endpoints);
    }
}
