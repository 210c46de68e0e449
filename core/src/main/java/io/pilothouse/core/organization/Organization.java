package io.pilothouse.core.organization;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Stored;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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

    /**
     * A region of a cloud account of its own, which services of this organization may name; {@code services} are there.
     * One that was named when the organization was created has an id and an account and nothing else.
     */
    public record Byoc(
            String id,
            String accountName,
            @Nullable String regionId,
            @Nullable String cloudProvider,
            @Nullable String displayName,
            int services) {
        public static Byoc named(String id, String accountName) {
            return new Byoc(id, accountName, null, null, null, 0);
        }

        public Byoc withServices(int next) {
            return new Byoc(id, accountName, regionId, cloudProvider, displayName, next);
        }
    }

    public Organization {
        privateEndpoints = List.copyOf(privateEndpoints);
        byocConfig = List.copyOf(byocConfig);
    }

    public Organization withDetails(String newName, boolean coreDumps, List<PrivateEndpoint> endpoints) {
        return new Organization(head, newName, tier, paid, coreDumps, endpoints, byocConfig);
    }

    public Organization withByocConfig(List<Byoc> regions) {
        return new Organization(head, name, tier, paid, enableCoreDumps, privateEndpoints, regions);
    }

    public Optional<Byoc> byoc(@Nullable String byocId) {
        return byocConfig.stream().filter(byoc -> byoc.id().equals(byocId)).findFirst();
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
