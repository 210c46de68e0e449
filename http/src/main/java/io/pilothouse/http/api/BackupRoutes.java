package io.pilothouse.http.api;

import io.pilothouse.core.backup.BackupChange;
import io.pilothouse.core.backup.BackupOperations;
import io.pilothouse.core.base.Precondition;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.service.BackupConfiguration;
import io.pilothouse.http.json.RequestBody;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Listing;
import io.pilothouse.http.wire.OnceOnly;
import io.pilothouse.http.wire.Request;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The operations of backups over HTTP. */
public record BackupRoutes(BackupOperations backups, OnceOnly onceOnly) {
    public Answer list(Request request) {
        Permit permit = request.checkedPermit();
        UUID serviceId = request.id("serviceId");
        return Listing.answer(
                request, before -> backups.page(permit, serviceId, before, Listing.PAGE), BackupJson::write);
    }

    public Answer create(Request request) {
        request.objectIfAny();
        return onceOnly.answer(
                request,
                () -> backups.create(request.permit(), request.id("serviceId"), request.faults()),
                BackupJson::write);
    }

    public Answer get(Request request) {
        return request.one(
                backups.get(request.checkedPermit(), request.id("serviceId"), request.id("backupId")),
                BackupJson::write);
    }

    public Answer configuration(Request request) {
        return request.one(
                backups.configuration(request.checkedPermit(), request.id("serviceId")),
                BackupJson::writeConfiguration);
    }

    public Answer updateConfiguration(Request request) {
        RequestBody body = request.object();
        BackupChange change = new BackupChange(
                part(body, "backupPeriodInHours", body::number),
                part(body, "backupRetentionPeriodInHours", body::number),
                part(body, "backupStartTime", body::text));
        Precondition<BackupConfiguration> precondition = request.precondition(BackupJson::writeConfiguration);
        return request.changed(
                backups.updateConfiguration(
                        request.permit(), request.id("serviceId"), change, precondition, request.faults()),
                BackupJson::writeConfiguration);
    }

    private static <T> BackupChange.Part<T> part(RequestBody body, String name, Function<String, @Nullable T> read) {
        return new BackupChange.Part<>(body.given(name), read.apply(name));
    }
}
