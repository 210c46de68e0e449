package io.pilothouse.core.byoc;

import io.pilothouse.core.base.Refused;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.organization.Organization.Byoc;
import io.pilothouse.core.organization.OrganizationOperations;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceFollower;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The organization knows how many services are in each of its own regions, so that none is deleted under them. */
public final class ByocOfService implements ServiceFollower {
    @Override
    public void made(Tables tables, Service service) {
        // It may have been deleted since the service was designed.
        if (service.placement().byocId() != null && !count(tables, service, 1)) {
            throw Refused.badRequest("byocId", "is not set up in this organization");
        }
    }

    @Override
    public void removed(Tables tables, Service service, Instant now) {
        if (service.placement().byocId() != null) {
            count(tables, service, -1);
        }
    }

    /** Says whether there is such a region. Services that are older than the count were never counted. */
    private static boolean count(Tables tables, Service service, int more) {
        Organization organization = OrganizationOperations.get(tables, service.organizationId());
        List<Byoc> regions = new ArrayList<>(organization.byocConfig());
        for (int i = 0; i < regions.size(); i++) {
            Byoc region = regions.get(i);
            if (region.id().equals(service.placement().byocId())) {
                regions.set(i, region.withServices(Math.max(0, region.services() + more)));
                replace(tables, organization, regions);
                return true;
            }
        }
        return false;
    }

    static void replace(Tables tables, Organization organization, List<Byoc> regions) {
        if (!regions.equals(organization.byocConfig())) {
            tables.of(Organization.KIND).overwrite(organization.withByocConfig(regions));
        }
    }
}
