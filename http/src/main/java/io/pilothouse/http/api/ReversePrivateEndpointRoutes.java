package io.pilothouse.http.api;

import io.pilothouse.core.base.Precondition;
import io.pilothouse.core.pipe.ReversePrivateEndpoint;
import io.pilothouse.core.pipe.ReversePrivateEndpointDraft;
import io.pilothouse.core.pipe.ReversePrivateEndpointOperations;
import io.pilothouse.http.json.RequestBody;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Listing;
import io.pilothouse.http.wire.OnceOnly;
import io.pilothouse.http.wire.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The operations of reverse private endpoints over HTTP. */
public record ReversePrivateEndpointRoutes(ReversePrivateEndpointOperations endpoints, OnceOnly onceOnly) {
    private static final String ID = "reversePrivateEndpointId";

    public Answer list(Request request) {
        return Listing.answer(
                request,
                endpoints.list(request.checkedPermit(), request.id("serviceId")),
                ReversePrivateEndpointJson::write);
    }

    public Answer create(Request request) {
        RequestBody body = request.object();
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
        return onceOnly.answer(
                request,
                () -> endpoints.create(request.permit(), request.id("serviceId"), draft, request.faults()),
                ReversePrivateEndpointJson::write);
    }

    public Answer get(Request request) {
        return request.one(
                endpoints.get(request.checkedPermit(), request.id("serviceId"), request.id(ID)),
                ReversePrivateEndpointJson::write);
    }

    public Answer update(Request request) {
        List<String> names = names(request.object());
        Precondition<ReversePrivateEndpoint> precondition = request.precondition(ReversePrivateEndpointJson::write);
        return request.changed(
                endpoints.update(
                        request.permit(),
                        request.id("serviceId"),
                        request.id(ID),
                        names,
                        precondition,
                        request.faults()),
                ReversePrivateEndpointJson::write);
    }

    public Answer delete(Request request) {
        endpoints.delete(
                request.checkedPermit(),
                request.id("serviceId"),
                request.id(ID),
                request.precondition(ReversePrivateEndpointJson::write));
        return request.done();
    }

    private static @Nullable List<String> names(RequestBody body) {
        return body.objects("customPrivateDnsMappings", mapping -> mapping.requiredText("privateDnsName"));
    }
}
