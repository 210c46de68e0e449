package io.pilothouse.http.api;

import io.pilothouse.core.base.Precondition;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeCdcScaling;
import io.pilothouse.core.pipe.PipeDraft;
import io.pilothouse.core.pipe.PipeOperations;
import io.pilothouse.core.pipe.PipeScaling;
import io.pilothouse.core.pipe.PipeSchemaOperations;
import io.pilothouse.http.json.RequestBody;
import io.pilothouse.http.json.TreeJson;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Listing;
import io.pilothouse.http.wire.OnceOnly;
import io.pilothouse.http.wire.Request;
import java.util.UUID;

/** The operations of pipes over HTTP. */
public record PipeRoutes(PipeOperations pipes, PipeSchemaOperations schemas, OnceOnly onceOnly) {
    public Answer list(Request request) {
        return Listing.answer(request, pipes.list(request.checkedPermit(), request.id("serviceId")), PipeJson::write);
    }

    public Answer create(Request request) {
        PipeDraft draft = readDraft(request.object());
        return onceOnly.answer(
                request,
                () -> pipes.create(request.permit(), request.id("serviceId"), draft, request.faults()),
                PipeJson::write);
    }

    public Answer get(Request request) {
        return request.one(
                pipes.get(request.checkedPermit(), request.id("serviceId"), request.id("clickPipeId")),
                PipeJson::write);
    }

    public Answer update(Request request) {
        PipeDraft change = readDraft(request.object());
        return changed(
                request,
                (service, pipe, precondition) ->
                        pipes.update(request.permit(), service, pipe, change, precondition, request.faults()));
    }

    public Answer delete(Request request) {
        pipes.delete(
                request.checkedPermit(),
                request.id("serviceId"),
                request.id("clickPipeId"),
                request.precondition(PipeJson::write));
        return request.done();
    }

    public Answer scale(Request request) {
        PipeScaling.Change change = readScaling(request.object());
        return changed(
                request,
                (service, pipe, precondition) ->
                        pipes.scale(request.permit(), service, pipe, change, precondition, request.faults()));
    }

    public Answer command(Request request) {
        RequestBody body = request.object();
        String word = body.text("command");
        String target = body.text("targetTable");
        return changed(
                request,
                (service, pipe, precondition) ->
                        pipes.command(request.permit(), service, pipe, word, target, precondition, request.faults()));
    }

    public Answer replays(Request request) {
        return request.untagged(
                pipes.replays(request.checkedPermit(), request.id("serviceId"), request.id("clickPipeId")),
                PipeJson::writeReplays);
    }

    public Answer replayErrors(Request request) {
        return request.untagged(
                pipes.replayErrors(request.checkedPermit(), request.id("serviceId"), request.id("clickPipeId")),
                PipeJson::writeReplays);
    }

    public Answer settings(Request request) {
        return request.one(
                pipes.settings(request.checkedPermit(), request.id("serviceId"), request.id("clickPipeId")),
                TreeJson::write);
    }

    public Answer putSettings(Request request) {
        Tree.Members given = request.object().members();
        Precondition<Tree.Members> precondition = request.precondition(TreeJson::write);
        return request.changed(
                pipes.putSettings(
                        request.permit(),
                        request.id("serviceId"),
                        request.id("clickPipeId"),
                        given,
                        precondition,
                        request.faults()),
                TreeJson::write);
    }

    public Answer discoverSchema(Request request) {
        RequestBody source = request.object().object("source");
        return request.untagged(
                schemas.discover(
                        request.permit(),
                        request.id("serviceId"),
                        source == null ? null : source.members(),
                        request.faults()),
                PipeJson::writeSchema);
    }

    public Answer cdcScaling(Request request) {
        return request.one(
                pipes.cdcScaling(request.checkedPermit(), request.id("serviceId")), PipeJson::writeCdcScaling);
    }

    public Answer scaleCdc(Request request) {
        RequestBody body = request.object();
        Double cpu = body.number("replicaCpuMillicores");
        Double memory = body.number("replicaMemoryGb");
        Precondition<PipeCdcScaling> precondition = request.precondition(PipeJson::writeCdcScaling);
        return request.changed(
                pipes.scaleCdc(request.permit(), request.id("serviceId"), cpu, memory, precondition, request.faults()),
                PipeJson::writeCdcScaling);
    }

    /** Changes one pipe of one service. */
    @FunctionalInterface
    private interface Change {
        Pipe of(UUID serviceId, UUID pipeId, Precondition<Pipe> precondition);
    }

    private static Answer changed(Request request, Change change) {
        return request.changed(
                change.of(request.id("serviceId"), request.id("clickPipeId"), request.precondition(PipeJson::write)),
                PipeJson::write);
    }

    private static PipeDraft readDraft(RequestBody body) {
        RequestBody source = body.object("source");
        RequestBody destination = body.object("destination");
        RequestBody settings = body.object("settings");
        RequestBody scaling = body.object("scaling");
        Boolean samples = source == null ? null : source.flag("validateSamples");
        return new PipeDraft(
                body.text("name"),
                source == null ? null : source.members(),
                destination == null ? null : destination.members(),
                body.items("fieldMappings"),
                settings == null ? null : settings.members(),
                scaling == null ? null : readScaling(scaling),
                body.flag("startPaused"),
                Boolean.TRUE.equals(samples));
    }

    private static PipeScaling.Change readScaling(RequestBody body) {
        return new PipeScaling.Change(
                body.number("replicas"),
                body.number("concurrency"),
                body.number("replicaCpuMillicores"),
                body.number("replicaMemoryGb"));
    }
}
