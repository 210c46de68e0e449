package io.pilothouse.http.api;

import io.pilothouse.core.base.EndpointSwitch;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.IpAccessEntry;
import io.pilothouse.core.base.Tag;
import io.pilothouse.core.base.TagFilter;
import io.pilothouse.core.organization.PrivateEndpoint;
import io.pilothouse.core.right.Permission;
import io.pilothouse.core.service.NewPassword;
import io.pilothouse.core.service.NewService;
import io.pilothouse.core.service.PasswordChange;
import io.pilothouse.core.service.PrivateEndpointConfig;
import io.pilothouse.core.service.PrivateEndpointOperations;
import io.pilothouse.core.service.ScalingDraft;
import io.pilothouse.core.service.ServiceChange;
import io.pilothouse.core.service.ServiceDraft;
import io.pilothouse.core.service.ServiceOperations;
import io.pilothouse.core.service.ServicePage;
import io.pilothouse.core.service.ServiceView;
import io.pilothouse.http.json.RequestBody;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Envelope;
import io.pilothouse.http.wire.Listing;
import io.pilothouse.http.wire.OnceOnly;
import io.pilothouse.http.wire.PagesAhead;
import io.pilothouse.http.wire.Request;
import io.pilothouse.http.wire.Route;
import io.pilothouse.http.wire.Verb;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** The operations of services over HTTP. */
public final class ServiceRoutes {
    private static final String SERVICES = "/v1/organizations/{organizationId}/services";
    private static final String SERVICE = SERVICES + "/{serviceId}";
    private static final String SERVICE_ID = "serviceId";
    private static final String IGNORED_ENDPOINTS =
            "299 pilothouse \"privateEndpointIds associates nothing at creation: update the service afterwards\"";

    private final ServiceOperations services;
    private final PrivateEndpointOperations privateEndpoints;
    private final OnceOnly onceOnly;
    private final String planeName;
    private final Executor readers;
    private final ShownServices shown = new ShownServices();

    /** {@code planeName} says in a header of every answer which kind of plane the services run on. */
    public ServiceRoutes(
            ServiceOperations services,
            PrivateEndpointOperations privateEndpoints,
            OnceOnly onceOnly,
            String planeName,
            Executor readers) {
        this.services = services;
        this.privateEndpoints = privateEndpoints;
        this.onceOnly = onceOnly;
        this.planeName = planeName;
        this.readers = readers;
    }

    public List<Route> routes() {
        return List.of(
                new Route("instanceGetList", Verb.GET, SERVICES, Permission.SERVICE_READ, this::list),
                new Route("instanceCreate", Verb.POST, SERVICES, Permission.SERVICE_WRITE, this::create),
                new Route("instanceGet", Verb.GET, SERVICE, Permission.SERVICE_READ, this::get),
                new Route("instanceUpdate", Verb.PATCH, SERVICE, Permission.SERVICE_WRITE, this::update),
                new Route("instanceDelete", Verb.DELETE, SERVICE, Permission.SERVICE_DELETE, this::delete),
                new Route(
                        "instanceStateUpdate",
                        Verb.PATCH,
                        SERVICE + "/state",
                        Permission.SERVICE_WRITE,
                        this::updateState),
                new Route(
                        "instanceReplicaScalingUpdate",
                        Verb.PATCH,
                        SERVICE + "/replicaScaling",
                        Permission.SERVICE_WRITE,
                        request -> scale(request, ServiceRoutes::readReplicaScaling)),
                new Route(
                        "instanceScalingUpdate",
                        Verb.PATCH,
                        SERVICE + "/scaling",
                        Permission.SERVICE_WRITE,
                        request -> scale(request, ServiceRoutes::readTotalScaling)),
                new Route(
                        "instancePasswordUpdate",
                        Verb.PATCH,
                        SERVICE + "/password",
                        Permission.SERVICE_WRITE,
                        this::changePassword),
                new Route(
                        "instancePrivateEndpointConfigGet",
                        Verb.GET,
                        SERVICE + "/privateEndpointConfig",
                        Permission.SERVICE_READ,
                        this::privateEndpointConfig),
                new Route(
                        "instancePrivateEndpointCreate",
                        Verb.POST,
                        SERVICE + "/privateEndpoint",
                        Permission.SERVICE_WRITE,
                        this::createPrivateEndpoint));
    }

    private Answer list(Request request) {
        Faults faults = new Faults();
        List<TagFilter> filters = TagFilter.read(request.query(faults).all("filter"), faults);
        faults.refuseIfAny();
        return named(Listing.answer(
                request,
                new PagesAhead<>(readers, after -> {
                    ServicePage page = services.page(request.permit(), filters, after, Listing.PAGE);
                    return new Listing.Page<>(page.views(), page.next());
                }),
                ServiceJson::write));
    }

    private Answer create(Request request) {
        Faults faults = new Faults();
        ServiceDraft draft = readDraft(request.object(faults));
        Answer answer = onceOnly.answer(request, () -> {
            NewService made = services.create(request.permit(), draft, faults);
            return out -> ServiceJson.writeNew(out, made);
        });
        boolean ignored = draft.privateEndpointIds() != null
                && !draft.privateEndpointIds().isEmpty();
        return named(ignored ? answer.with("Warning", IGNORED_ENDPOINTS) : answer);
    }

    public static ServiceDraft readDraft(RequestBody body) {
        return new ServiceDraft(
                body.text("name"),
                body.text("provider"),
                body.text("region"),
                body.text("tier"),
                body.objects("ipAccessList", ServiceRoutes::readAccessEntry),
                body.number("minTotalMemoryGb"),
                body.number("maxTotalMemoryGb"),
                body.number("minReplicaMemoryGb"),
                body.number("maxReplicaMemoryGb"),
                body.number("numReplicas"),
                body.text("autoscalingMode"),
                body.number("minReplicas"),
                body.number("maxReplicas"),
                body.flag("idleScaling"),
                body.number("idleTimeoutMinutes"),
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
                body.flag("enableCoreDumps"));
    }

    private Answer get(Request request) {
        ServiceView view = services.get(request.permit(), request.pathId(SERVICE_ID));
        return named(request.one(shown.of(view)));
    }

    private Answer update(Request request) {
        Faults faults = new Faults();
        UUID serviceId = request.pathId(SERVICE_ID, faults);
        RequestBody body = request.object(faults);
        ServiceChange change = new ServiceChange(
                body.text("name"),
                body.objectsChange("ipAccessList", ServiceRoutes::readAccessEntry),
                body.textsChange("privateEndpointIds"),
                body.text("releaseChannel"),
                body.objects("endpoints", ServiceRoutes::readSwitch),
                body.text("transparentDataEncryptionKeyId"),
                body.objectsChange("tags", ServiceRoutes::readTag),
                body.flag("enableCoreDumps"));
        return changed(
                request,
                services.update(request.permit(), serviceId, change, request.precondition(ServiceJson::write), faults));
    }

    private Answer updateState(Request request) {
        Faults faults = new Faults();
        UUID serviceId = request.pathId(SERVICE_ID, faults);
        String command = request.object(faults).text("command");
        return changed(
                request,
                services.command(
                        request.permit(), serviceId, command, request.precondition(ServiceJson::write), faults));
    }

    private Answer scale(Request request, Function<RequestBody, ScalingDraft> read) {
        Faults faults = new Faults();
        UUID serviceId = request.pathId(SERVICE_ID, faults);
        ScalingDraft draft = read.apply(request.object(faults));
        return changed(
                request,
                services.scale(request.permit(), serviceId, draft, request.precondition(ServiceJson::write), faults));
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

    /** The older way to say it. */
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

    private Answer changePassword(Request request) {
        Faults faults = new Faults();
        UUID serviceId = request.pathId(SERVICE_ID, faults);
        RequestBody body = request.object(faults);
        PasswordChange change = new PasswordChange(body.text("newPasswordHash"), body.text("newDoubleSha1Hash"));
        NewPassword changed = services.changePassword(
                request.permit(), serviceId, change, request.precondition(ServiceJson::write), faults);
        return named(Answer.json(Envelope.of(request.requestId(), out -> ServiceJson.writeNewPassword(out, changed))));
    }

    private Answer privateEndpointConfig(Request request) {
        PrivateEndpointConfig config = privateEndpoints.config(request.permit(), request.pathId(SERVICE_ID));
        return named(request.one(config, ServiceJson::writePrivateEndpointConfig));
    }

    private Answer delete(Request request) {
        services.delete(request.permit(), request.pathId(SERVICE_ID), request.precondition(ServiceJson::write));
        return named(request.done());
    }

    private Answer createPrivateEndpoint(Request request) {
        Faults faults = new Faults();
        UUID serviceId = request.pathId(SERVICE_ID, faults);
        RequestBody body = request.object(faults);
        String id = body.text("id");
        String description = body.text("description");
        return named(onceOnly.answer(request, () -> {
            PrivateEndpoint registered = privateEndpoints.create(request.permit(), serviceId, id, description, faults);
            return out -> ServiceJson.writePrivateEndpoint(out, registered);
        }));
    }

    private Answer changed(Request request, ServiceView view) {
        return named(request.changed(view, ServiceJson::write));
    }

    private Answer named(Answer answer) {
        return answer.with("X-Pilothouse-Plane", planeName);
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
