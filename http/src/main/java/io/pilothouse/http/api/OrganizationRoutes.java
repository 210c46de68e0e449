package io.pilothouse.http.api;

import io.pilothouse.core.base.Precondition;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.organization.OrganizationChange;
import io.pilothouse.core.organization.OrganizationDraft;
import io.pilothouse.core.organization.OrganizationOperations;
import io.pilothouse.core.organization.PrivateEndpoint;
import io.pilothouse.core.privateendpoint.PrivateEndpointOperations;
import io.pilothouse.http.json.RequestBody;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Listing;
import io.pilothouse.http.wire.OnceOnly;
import io.pilothouse.http.wire.Query;
import io.pilothouse.http.wire.Request;
import java.util.List;

/** The operations of organizations over HTTP. */
public record OrganizationRoutes(
        OrganizationOperations organizations, PrivateEndpointOperations privateEndpoints, OnceOnly onceOnly) {
    /** A key sees one organization, its own. */
    public Answer list(Request request) {
        return Listing.answer(request, List.of(organizations.get(request.checkedPermit())), OrganizationJson::write);
    }

    public Answer create(Request request) {
        RequestBody body = request.object();
        OrganizationDraft draft = new OrganizationDraft(
                body.text("name"),
                body.text("tier"),
                body.flag("paid"),
                body.objects("byocConfig", OrganizationRoutes::readByoc));
        return onceOnly.answer(
                        request,
                        () -> organizations.create(request.permit(), draft, request.faults()),
                        OrganizationJson::writeNew)
                .unstored();
    }

    public Answer get(Request request) {
        return request.one(organizations.get(request.checkedPermit()), OrganizationJson::write);
    }

    public Answer update(Request request) {
        RequestBody body = request.object();
        OrganizationChange change = new OrganizationChange(
                body.text("name"),
                body.objectsChange("privateEndpoints", OrganizationRoutes::readPrivateEndpoint),
                body.flag("enableCoreDumps"));
        Precondition<Organization> precondition = request.precondition(OrganizationJson::write);
        return request.changed(
                organizations.update(request.permit(), change, precondition, request.faults()),
                OrganizationJson::write);
    }

    public Answer privateEndpointConfig(Request request) {
        Query query = request.query();
        String provider = query.text("cloud_provider");
        String region = query.text("region_id");
        return request.one(
                privateEndpoints.endpointServiceId(request.permit(), provider, region, request.faults()),
                OrganizationJson::writePrivateEndpointConfig);
    }

    private static Organization.Byoc readByoc(RequestBody entry) {
        return Organization.Byoc.named(entry.requiredText("id"), entry.requiredText("accountName"));
    }

    /** Where an endpoint is, only the service that registers it can say. */
    private static PrivateEndpoint readPrivateEndpoint(RequestBody entry) {
        return new PrivateEndpoint(entry.requiredText("id"), entry.text("description"), null, null, false);
    }
}
