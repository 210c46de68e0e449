package io.pilothouse.http.api;

import io.pilothouse.core.base.EndpointSwitch;
import io.pilothouse.core.base.IpAccessEntry;
import io.pilothouse.core.base.Precondition;
import io.pilothouse.core.base.Tag;
import io.pilothouse.core.base.TagFilter;
import io.pilothouse.core.privateendpoint.PrivateEndpointOperations;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.scaling.ScalingDraft;
import io.pilothouse.core.service.PasswordChange;
import io.pilothouse.core.service.ServiceChange;
import io.pilothouse.core.service.ServiceDraft;
import io.pilothouse.core.service.ServiceOperations;
import io.pilothouse.core.service.ServiceView;
import io.pilothouse.http.json.RequestBody;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Listing;
import io.pilothouse.http.wire.OnceOnly;
import io.pilothouse.http.wire.PagesAhead;
import io.pilothouse.http.wire.Request;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** The operations of services over HTTP. */
public final class ServiceRoutes {
    private static final String IGNORED_ENDPOINTS =
            "299 pilothouse \"privateEndpointIds associates nothing at creation: update the service afterwards\"";

    private final ServiceOperations services;
    private final PrivateEndpointOperations privateEndpoints;
    private final OnceOnly onceOnly;
    private final Executor readers;
    private final ShownServices shown = new ShownServices();

    public ServiceRoutes(
            ServiceOperations services,
            PrivateEndpointOperations privateEndpoints,
            OnceOnly onceOnly,
            Executor readers) {
        this.services = services;
        this.privateEndpoints = privateEndpoints;
        this.onceOnly = onceOnly;
        this.readers = readers;
    }

    public Answer list(Request request) {
        List<TagFilter> filters = TagFilter.read(request.query().all("filter"), request.faults());
        Permit permit = request.checkedPermit();
        return Listing.answer(
                request,
                new PagesAhead<>(readers, after -> services.page(permit, filters, after, Listing.PAGE)),
                ServiceJson::write);
    }

    public Answer create(Request request) {
        ServiceDraft draft = readDraft(request.object());
        Answer answer = onceOnly.answerAgainIfLost(
                        request,
                        () -> services.create(request.permit(), draft, request.faults()),
                        ServiceJson::writeNew,
                        made -> made.view().service().id(),
                        ServiceOperations::isLasting)
                .unstored();
        boolean ignored = draft.privateEndpointIds() != null
                && !draft.privateEndpointIds().isEmpty();
        return ignored ? answer.with("Warning", IGNORED_ENDPOINTS) : answer;
    }

    public Answer get(Request request) {
        return request.one(shown.of(services.get(request.checkedPermit(), request.id("serviceId"))));
    }

    public Answer update(Request request) {
        RequestBody body = request.object();
        ServiceChange change = new ServiceChange(
                body.text("name"),
                body.objectsChange("ipAccessList", ServiceRoutes::readAccessEntry),
                body.textsChange("privateEndpointIds"),
                body.text("releaseChannel"),
                body.objects("endpoints", ServiceRoutes::readSwitch),
                body.text("transparentDataEncryptionKeyId"),
                body.objectsChange("tags", ServiceRoutes::readTag),
                body.members());
        return changed(
                request,
                precondition -> services.update(
                        request.permit(), request.id("serviceId"), change, precondition, request.faults()));
    }

    public Answer updateState(Request request) {
        String command = request.object().text("command");
        return changed(
                request,
                precondition -> services.command(
                        request.permit(), request.id("serviceId"), command, precondition, request.faults()));
    }

    public Answer scaleReplicas(Request request) {
        return scale(request, readReplicaScaling(request.object()));
    }

    /** The older way to say it. */
    public Answer scaleTotals(Request request) {
        return scale(request, readTotalScaling(request.object()));
    }

    private Answer scale(Request request, ScalingDraft draft) {
        return changed(
                request,
                precondition -> services.scale(
                        request.permit(), request.id("serviceId"), draft, precondition, request.faults()));
    }

    private static Answer changed(Request request, Function<Precondition<ServiceView>, ServiceView> change) {
        return request.changed(change.apply(request.precondition(ServiceJson::write)), ServiceJson::write);
    }

    public Answer changePassword(Request request) {
        RequestBody body = request.object();
        PasswordChange change = new PasswordChange(body.text("newPasswordHash"), body.text("newDoubleSha1Hash"));
        Precondition<ServiceView> precondition = request.precondition(ServiceJson::write);
        return request.untagged(
                        services.changePassword(
                                request.permit(), request.id("serviceId"), change, precondition, request.faults()),
                        ServiceJson::writeNewPassword)
                .unstored();
    }

    public Answer delete(Request request) {
        services.delete(request.checkedPermit(), request.id("serviceId"), request.precondition(ServiceJson::write));
        return request.done();
    }

    public Answer privateEndpointConfig(Request request) {
        return request.one(
                privateEndpoints.config(request.checkedPermit(), request.id("serviceId")),
                ServiceJson::writePrivateEndpointConfig);
    }

    public Answer createPrivateEndpoint(Request request) {
        RequestBody body = request.object();
        String id = body.text("id");
        String description = body.text("description");
        return onceOnly.answer(
                request,
                () -> privateEndpoints.create(
                        request.permit(), request.id("serviceId"), id, description, request.faults()),
                ServiceJson::writePrivateEndpoint);
    }

    public static ServiceDraft readDraft(RequestBody body) {
        return new ServiceDraft(
                body.text("name"),
                body.text("provider"),
                body.text("region"),
                body.text("tier"),
                body.objects("ipAccessList", ServiceRoutes::readAccessEntry),
                readScaling(body),
                body.flag("isReadonly"),
                body.text("dataWarehouseId"),
                body.id("backupId"),
                body.text("encryptionKey"),
                body.text("encryptionAssumedRoleIdentifier"),
                body.texts("privateEndpointIds"),
                body.flag("privatePreviewTermsChecked"),
                body.text("releaseChannel"),
                body.text("byocId"),
                body.flag("hasTransparentDataEncryption"),
                body.objects("endpoints", ServiceRoutes::readSwitch),
                body.text("profile"),
                body.text("complianceType"),
                body.objects("tags", ServiceRoutes::readTag),
                body.members());
    }

    private static ScalingDraft readScaling(RequestBody body) {
        return new ScalingDraft(
                body.number("minTotalMemoryGb"),
                body.number("maxTotalMemoryGb"),
                body.number("minReplicaMemoryGb"),
                body.number("maxReplicaMemoryGb"),
                body.number("numReplicas"),
                body.text("autoscalingMode"),
                body.number("minReplicas"),
                body.number("maxReplicas"),
                body.flag("idleScaling"),
                body.number("idleTimeoutMinutes"));
    }

    private static ScalingDraft readReplicaScaling(RequestBody body) {
        return new ScalingDraft(
                null,
                null,
                body.number("minReplicaMemoryGb"),
                body.number("maxReplicaMemoryGb"),
                body.number("numReplicas"),
                body.text("autoscalingMode"),
                body.number("minReplicas"),
                body.number("maxReplicas"),
                body.flag("idleScaling"),
                body.number("idleTimeoutMinutes"));
    }

    private static ScalingDraft readTotalScaling(RequestBody body) {
        return new ScalingDraft(
                body.number("minTotalMemoryGb"),
                body.number("maxTotalMemoryGb"),
                null,
                null,
                body.number("numReplicas"),
                null,
                null,
                null,
                body.flag("idleScaling"),
                body.number("idleTimeoutMinutes"));
    }

    static IpAccessEntry readAccessEntry(RequestBody entry) {
        return new IpAccessEntry(entry.requiredText("source"), entry.text("description"));
    }

    private static EndpointSwitch readSwitch(RequestBody entry) {
        return new EndpointSwitch(entry.requiredText("protocol"), entry.requiredFlag("enabled"));
    }

    private static Tag readTag(RequestBody entry) {
        return new Tag(entry.requiredText("key"), entry.text("value"));
    }
}
