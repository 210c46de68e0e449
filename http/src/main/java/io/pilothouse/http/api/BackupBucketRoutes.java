package io.pilothouse.http.api;

import io.pilothouse.core.backup.BackupBucketOperations;
import io.pilothouse.core.base.Precondition;
import io.pilothouse.core.base.Tree;
import io.pilothouse.http.json.TreeJson;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.OnceOnly;
import io.pilothouse.http.wire.Request;

/** The operations of the bucket that a service's backups go to over HTTP. */
public record BackupBucketRoutes(BackupBucketOperations bucket, OnceOnly onceOnly) {
    public Answer get(Request request) {
        return request.one(bucket.get(request.checkedPermit(), request.id("serviceId")), TreeJson::write);
    }

    public Answer create(Request request) {
        Tree.Members given = request.object().members();
        return onceOnly.answer(
                request,
                () -> bucket.create(request.permit(), request.id("serviceId"), given, request.faults()),
                TreeJson::write);
    }

    public Answer update(Request request) {
        Tree.Members given = request.object().members();
        Precondition<Tree.Members> precondition = request.precondition(TreeJson::write);
        return request.changed(
                bucket.update(request.permit(), request.id("serviceId"), given, precondition, request.faults()),
                TreeJson::write);
    }

    public Answer delete(Request request) {
        bucket.delete(request.checkedPermit(), request.id("serviceId"), request.precondition(TreeJson::write));
        return request.done();
    }
}
