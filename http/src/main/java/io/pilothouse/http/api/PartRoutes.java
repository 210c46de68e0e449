package io.pilothouse.http.api;

import io.pilothouse.core.base.Precondition;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.part.PartOperations;
import io.pilothouse.http.json.TreeJson;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.OnceOnly;
import io.pilothouse.http.wire.Request;

/** The operations of one kind of part of a service over HTTP. */
public record PartRoutes(PartOperations part, OnceOnly onceOnly) {
    public Answer get(Request request) {
        return request.one(part.get(request.checkedPermit(), request.id("serviceId")), TreeJson::write);
    }

    public Answer put(Request request) {
        Tree.Members given = request.object().members();
        Precondition<Tree.Members> precondition = request.precondition(TreeJson::write);
        return request.changed(
                part.put(request.permit(), request.id("serviceId"), given, precondition, request.faults()),
                TreeJson::write);
    }

    /** The same for parts that are set with a POST. */
    public Answer post(Request request) {
        Tree.Members given = request.object().members();
        Precondition<Tree.Members> precondition = request.precondition(TreeJson::write);
        return onceOnly.answer(
                request,
                () -> part.prepare(request.permit(), request.id("serviceId"), given, precondition, request.faults()),
                TreeJson::write);
    }

    public Answer delete(Request request) {
        part.delete(request.checkedPermit(), request.id("serviceId"), request.precondition(TreeJson::write));
        return request.done();
    }
}
