package io.pilothouse.http.api;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.organization.NewOrganization;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.organization.OrganizationChange;
import io.pilothouse.core.organization.OrganizationDraft;
import io.pilothouse.core.organization.OrganizationOperations;
import io.pilothouse.core.organization.PrivateEndpoint;
import io.pilothouse.core.right.Permission;
import io.pilothouse.http.json.RequestBody;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Listing;
import io.pilothouse.http.wire.OnceOnly;
import io.pilothouse.http.wire.Request;
import io.pilothouse.http.wire.Route;
import io.pilothouse.http.wire.Verb;
import java.util.List;

/** The operations of organizations over HTTP. */
public final class OrganizationRoutes {
    private static final String ORGANIZATIONS = "/v1/organizations";
    private static final String ORGANIZATION = ORGANIZATIONS + "/{organizationId}";

    private final OrganizationOperations organizations;
    private final OnceOnly onceOnly;

    public OrganizationRoutes(OrganizationOperations organizations, OnceOnly onceOnly) {
        this.organizations = organizations;
        this.onceOnly = onceOnly;
    }

    public List<Route> routes() {
        return List.of(
                new Route("organizationGetList", Verb.GET, ORGANIZATIONS, Permission.ORGANIZATION_READ, this::list),
                new Route("organizationCreate", Verb.POST, ORGANIZATIONS, Permission.ORGANIZATION_CREATE, this::create),
                new Route("organizationGet", Verb.GET, ORGANIZATION, Permission.ORGANIZATION_READ, this::get),
                new Route("organizationUpdate", Verb.PATCH, ORGANIZATION, Permission.ORGANIZATION_WRITE, this::update));
    }

    /** A key sees one organization, its own. */
    private Answer list(Request request) {
        Organization own = organizations.get(request.permit());
        return Listing.answer(request, after -> new Listing.Page<>(List.of(own), null), OrganizationJson::write);
    }

    private Answer create(Request request) {
        Faults faults = new Faults();
        RequestBody body = request.object(faults);
        OrganizationDraft draft = new OrganizationDraft(
                body.text("name"),
                body.text("tier"),
                body.flag("paid"),
                body.objects("byocConfig", OrganizationRoutes::readByoc));
        return onceOnly.answer(request, () -> {
            NewOrganization made = organizations.create(request.permit(), draft, faults);
            return out -> OrganizationJson.writeNew(out, made);
        });
    }

    private Answer get(Request request) {
        Organization organization = organizations.get(request.permit());
        return request.one(organization, OrganizationJson::write);
    }

    private Answer update(Request request) {
        Faults faults = new Faults();
        RequestBody body = request.object(faults);
        OrganizationChange change = new OrganizationChange(
                body.text("name"),
                body.objectsChange("privateEndpoints", OrganizationRoutes::readPrivateEndpoint),
                body.flag("enableCoreDumps"));
        Organization updated =
                organizations.update(request.permit(), change, request.precondition(OrganizationJson::write), faults);
        return request.changed(updated, OrganizationJson::write);
    }

    private static Organization.Byoc readByoc(RequestBody entry) {
        return new Organization.Byoc(entry.requiredText("id"), entry.requiredText("accountName"));
    }

    /** Where an endpoint is, only the service that registers it can say. */
    private static PrivateEndpoint readPrivateEndpoint(RequestBody entry) {
        return new PrivateEndpoint(entry.requiredText("id"), entry.text("description"), null, null);
    }
}
