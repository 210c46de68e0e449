package io.pilothouse.http.api;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeCdcScaling;
import io.pilothouse.core.pipe.PipeDraft;
import io.pilothouse.core.pipe.PipeOperations;
import io.pilothouse.core.pipe.PipeScaling;
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

/** The operations of pipes over HTTP. */
public final class PipeRoutes {
    private static final String SERVICE = "/v1/organizations/{organizationId}/services/{serviceId}";
    private static final String PIPES = SERVICE + "/clickpipes";
    private static final String PIPE = PIPES + "/{clickPipeId}";
    private static final String CDC_SCALING = SERVICE + "/clickpipesCdcScaling";
    private static final String SERVICE_ID = "serviceId";
    private static final String PIPE_ID = "clickPipeId";

    private final PipeOperations pipes;
    private final OnceOnly onceOnly;

    public PipeRoutes(PipeOperations pipes, OnceOnly onceOnly) {
        this.pipes = pipes;
        this.onceOnly = onceOnly;
    }

    public List<Route> routes() {
        return List.of(
                new Route("clickPipeGetList", Verb.GET, PIPES, Permission.PIPE_READ, this::list),
                new Route("clickPipeCreate", Verb.POST, PIPES, Permission.PIPE_WRITE, this::create),
                new Route("clickPipeGet", Verb.GET, PIPE, Permission.PIPE_READ, this::get),
                new Route("clickPipeUpdate", Verb.PATCH, PIPE, Permission.PIPE_WRITE, this::update),
                new Route("clickPipeDelete", Verb.DELETE, PIPE, Permission.PIPE_DELETE, this::delete),
                new Route("clickPipeScalingUpdate", Verb.PATCH, PIPE + "/scaling", Permission.PIPE_WRITE, this::scale),
                new Route("clickPipeStateUpdate", Verb.PATCH, PIPE + "/state", Permission.PIPE_WRITE, this::command),
                new Route("clickPipeSettingsGet", Verb.GET, PIPE + "/settings", Permission.PIPE_READ, this::settings),
                new Route(
                        "clickPipeSettingsUpdate",
                        Verb.PUT,
                        PIPE + "/settings",
                        Permission.PIPE_WRITE,
                        this::putSettings),
                new Route("clickPipeCdcScalingGet", Verb.GET, CDC_SCALING, Permission.PIPE_READ, this::cdcScaling),
                new Route("clickPipeCdcScalingUpdate", Verb.PATCH, CDC_SCALING, Permission.PIPE_WRITE, this::scaleCdc));
    }

    private Answer list(Request request) {
        UUID serviceId = request.pathId(SERVICE_ID);
        return Listing.answer(
                request, after -> new Listing.Page<>(pipes.list(request.permit(), serviceId), null), PipeJson::write);
    }

    private Answer create(Request request) {
        Faults faults = new Faults();
        UUID serviceId = request.pathId(SERVICE_ID, faults);
        PipeDraft draft = readDraft(request.object(faults));
        return onceOnly.answer(request, () -> {
            Pipe made = pipes.create(request.permit(), serviceId, draft, faults);
            return out -> PipeJson.write(out, made);
        });
    }

    private Answer get(Request request) {
        Faults faults = new Faults();
        UUID serviceId = request.pathId(SERVICE_ID, faults);
        UUID pipeId = request.pathId(PIPE_ID, faults);
        faults.refuseIfAny();
        Pipe pipe = pipes.get(request.permit(), serviceId, pipeId);
        return request.one(pipe, PipeJson::write);
    }

    private Answer update(Request request) {
        Faults faults = new Faults();
        UUID serviceId = request.pathId(SERVICE_ID, faults);
        UUID pipeId = request.pathId(PIPE_ID, faults);
        PipeDraft change = readDraft(request.object(faults));
        return changed(
                request,
                pipes.update(
                        request.permit(), serviceId, pipeId, change, request.precondition(PipeJson::write), faults));
    }

    private Answer delete(Request request) {
        Faults faults = new Faults();
        UUID serviceId = request.pathId(SERVICE_ID, faults);
        UUID pipeId = request.pathId(PIPE_ID, faults);
        faults.refuseIfAny();
        pipes.delete(request.permit(), serviceId, pipeId, request.precondition(PipeJson::write));
        return request.done();
    }

    private Answer scale(Request request) {
        Faults faults = new Faults();
        UUID serviceId = request.pathId(SERVICE_ID, faults);
        UUID pipeId = request.pathId(PIPE_ID, faults);
        PipeScaling.Change change = readScaling(request.object(faults));
        return changed(
                request,
                pipes.scale(
                        request.permit(), serviceId, pipeId, change, request.precondition(PipeJson::write), faults));
    }

    private Answer command(Request request) {
        Faults faults = new Faults();
        UUID serviceId = request.pathId(SERVICE_ID, faults);
        UUID pipeId = request.pathId(PIPE_ID, faults);
        String word = request.object(faults).text("command");
        return changed(
                request,
                pipes.command(
                        request.permit(), serviceId, pipeId, word, request.precondition(PipeJson::write), faults));
    }

    private Answer settings(Request request) {
        Faults faults = new Faults();
        UUID serviceId = request.pathId(SERVICE_ID, faults);
        UUID pipeId = request.pathId(PIPE_ID, faults);
        faults.refuseIfAny();
        Tree.Members settings = pipes.settings(request.permit(), serviceId, pipeId);
        return request.one(settings, PipeJson::writeSettings);
    }

    private Answer putSettings(Request request) {
        Faults faults = new Faults();
        UUID serviceId = request.pathId(SERVICE_ID, faults);
        UUID pipeId = request.pathId(PIPE_ID, faults);
        Tree.Members given = request.object(faults).members();
        Tree.Members settings = pipes.putSettings(
                request.permit(), serviceId, pipeId, given, request.precondition(PipeJson::writeSettings), faults);
        return request.changed(settings, PipeJson::writeSettings);
    }

    private Answer cdcScaling(Request request) {
        PipeCdcScaling scaling = pipes.cdcScaling(request.permit(), request.pathId(SERVICE_ID));
        return request.one(scaling, PipeJson::writeCdcScaling);
    }

    private Answer scaleCdc(Request request) {
        Faults faults = new Faults();
        UUID serviceId = request.pathId(SERVICE_ID, faults);
        RequestBody body = request.object(faults);
        PipeCdcScaling scaling = pipes.scaleCdc(
                request.permit(),
                serviceId,
                body.number("replicaCpuMillicores"),
                body.number("replicaMemoryGb"),
                request.precondition(PipeJson::writeCdcScaling),
                faults);
        return request.changed(scaling, PipeJson::writeCdcScaling);
    }

    private static Answer changed(Request request, Pipe pipe) {
        return request.changed(pipe, PipeJson::write);
    }

    private static PipeDraft readDraft(RequestBody body) {
        RequestBody source = body.object("source");
        RequestBody destination = body.object("destination");
        RequestBody settings = body.object("settings");
        RequestBody scaling = body.object("scaling");
        return new PipeDraft(
                body.text("name"),
                source == null ? null : source.members(),
                destination == null ? null : destination.members(),
                body.items("fieldMappings"),
                settings == null ? null : settings.members(),
                scaling == null ? null : readScaling(scaling));
    }

    private static PipeScaling.Change readScaling(RequestBody body) {
        return new PipeScaling.Change(
                body.number("replicas"),
                body.number("concurrency"),
                body.number("replicaCpuMillicores"),
                body.number("replicaMemoryGb"));
    }
}
