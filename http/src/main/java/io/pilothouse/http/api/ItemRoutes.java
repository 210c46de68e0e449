package io.pilothouse.http.api;

import io.pilothouse.core.base.Precondition;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.item.ItemOperations;
import io.pilothouse.http.json.TreeJson;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Listing;
import io.pilothouse.http.wire.OnceOnly;
import io.pilothouse.http.wire.Request;

/** The operations of one kind of item over HTTP; {@code idName} is the parameter of the path that names one. */
public record ItemRoutes(ItemOperations items, String idName, OnceOnly onceOnly) {
    public Answer list(Request request) {
        return Listing.answer(request, items.list(request.checkedPermit()), TreeJson::write);
    }

    public Answer create(Request request) {
        Tree.Members given = request.object().members();
        return onceOnly.answer(request, () -> items.create(request.permit(), given, request.faults()), TreeJson::write);
    }

    public Answer get(Request request) {
        return request.one(items.get(request.checkedPermit(), request.id(idName)), TreeJson::write);
    }

    public Answer update(Request request) {
        Tree.Members given = request.object().members();
        Precondition<Tree.Members> precondition = request.precondition(TreeJson::write);
        return request.changed(
                items.update(request.permit(), request.id(idName), given, precondition, request.faults()),
                TreeJson::write);
    }

    public Answer delete(Request request) {
        items.delete(request.checkedPermit(), request.id(idName), request.precondition(TreeJson::write));
        return request.done();
    }
}
