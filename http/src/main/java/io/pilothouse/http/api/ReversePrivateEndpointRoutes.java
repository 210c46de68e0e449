package io.pilothouse.http.api;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.pipe.ReversePrivateEndpoint;
import io.pilothouse.core.pipe.ReversePrivateEndpointDraft;
import io.pilothouse.core.pipe.ReversePrivateEndpointOperations;
import io.pilothouse.core.right.Permission;
import io.pilothouse.http.json.RequestBody;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Listing;
import io.pilothouse.http.wire.OnceOnly;
import io.pilothouse.http.wire.Request;
import io.pilothouse.http.wire.Route;
import io.pilothouse.http.wire.Verb;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The operations of reverse private endpoints over HTTP. */
public final class ReversePrivateEndpointRoutes {
    private static final String ROUTES =
            "/v1/organizations/{organizationId}/services/{serviceId}/clickpipesReversePrivateEndpoints";
    private static final String ROUTE = ROUTES + "/{reversePrivateEndpointId}";
    private static final String SERVICE_ID = "serviceId";
    private static final String ROUTE_ID = "reversePrivateEndpointId";
    private static final String MAPPINGS = "customPrivateDnsMappings";

    private final ReversePrivateEndpointOperations endpoints;
    private final OnceOnly onceOnly;

    public ReversePrivateEndpointRoutes(ReversePrivateEndpointOperations endpoints, OnceOnly onceOnly) {
        this.endpoints = endpoints;
        this.onceOnly = onceOnly;
    }

    public List<Route> routes() {
        return List.of(
                new Route("clickPipeReversePrivateEndpointGetList", Verb.GET, ROUTES, Permission.PIPE_READ, this::list),
                new Route(
                        "clickPipeReversePrivateEndpointCreate",
                        Verb.POST,
                        ROUTES,
                        Permission.PIPE_WRITE,
                        this::create),
                new Route("clickPipeReversePrivateEndpointGet", Verb.GET, ROUTE, Permission.PIPE_READ, this::get),
                new Route(
                        "clickPipeReversePrivateEndpointUpdate",
                        Verb.PATCH,
                        ROUTE,
                        Permission.PIPE_WRITE,
                        this::update),
                new Route(
                        "clickPipeReversePrivateEndpointDelete",
                        Verb.DELETE,
                        ROUTE,
                        Permission.PIPE_DELETE,
                        this::delete));
    }

    private Answer list(Request request) {
        UUID serviceId = request.pathId(SERVICE_ID);
        return Listing.answer(
                request,
                after -> new Listing.Page<>(endpoints.list(request.permit(), serviceId), null),
                ReversePrivateEndpointJson::write);
    }

    private Answer create(Request request) {
        Faults faults = new Faults();
        UUID serviceId = request.pathId(SERVICE_ID, faults);
        RequestBody body = request.object(faults);
        ReversePrivateEndpointDraft draft = new ReversePrivateEndpointDraft(
                body.text("description"),
                body.text("type"),
                body.text("vpcEndpointServiceName"),
                body.text("vpcResourceConfigurationId"),
                body.text("vpcResourceShareArn"),
                body.text("mskClusterArn"),
                body.text("mskAuthentication"),
                body.text("gcpServiceAttachment"),
                names(body));
        return onceOnly.answer(request, () -> {
            ReversePrivateEndpoint made = endpoints.create(request.permit(), serviceId, draft, faults);
            return out -> ReversePrivateEndpointJson.write(out, made);
        });
    }

    private Answer get(Request request) {
        Faults faults = new Faults();
        UUID serviceId = request.pathId(SERVICE_ID, faults);
        UUID endpointId = request.pathId(ROUTE_ID, faults);
        faults.refuseIfAny();
        ReversePrivateEndpoint endpoint = endpoints.get(request.permit(), serviceId, endpointId);
        return request.one(endpoint, ReversePrivateEndpointJson::write);
    }

    private Answer update(Request request) {
        Faults faults = new Faults();
        UUID serviceId = request.pathId(SERVICE_ID, faults);
        UUID endpointId = request.pathId(ROUTE_ID, faults);
        @Nullable List<String> names = names(request.object(faults));
        ReversePrivateEndpoint endpoint = endpoints.update(
                request.permit(),
                serviceId,
                endpointId,
                names,
                request.precondition(ReversePrivateEndpointJson::write),
                faults);
        return request.changed(endpoint, ReversePrivateEndpointJson::write);
    }

    private Answer delete(Request request) {
        Faults faults = new Faults();
        UUID serviceId = request.pathId(SERVICE_ID, faults);
        UUID endpointId = request.pathId(ROUTE_ID, faults);
        faults.refuseIfAny();
        endpoints.delete(
                request.permit(), serviceId, endpointId, request.precondition(ReversePrivateEndpointJson::write));
        return request.done();
    }

    private static @Nullable List<String> names(RequestBody body) {
        return body.objects(MAPPINGS, mapping -> mapping.requiredText("privateDnsName"));
    }
}
