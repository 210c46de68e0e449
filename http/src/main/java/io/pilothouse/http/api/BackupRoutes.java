package io.pilothouse.http.api;

import io.pilothouse.core.backup.BackupChange;
import io.pilothouse.core.backup.BackupOperations;
import io.pilothouse.core.backup.BackupPage;
import io.pilothouse.core.backup.BackupView;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.right.Permission;
import io.pilothouse.core.service.BackupConfiguration;
import io.pilothouse.http.json.RequestBody;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Listing;
import io.pilothouse.http.wire.OnceOnly;
import io.pilothouse.http.wire.Request;
import io.pilothouse.http.wire.Route;
import io.pilothouse.http.wire.Verb;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The operations of backups over HTTP. */
public final class BackupRoutes {
    private static final String SERVICE = "/v1/organizations/{organizationId}/services/{serviceId}";
    private static final String BACKUPS = SERVICE + "/backups";
    private static final String BACKUP = BACKUPS + "/{backupId}";
    private static final String CONFIGURATION = SERVICE + "/backupConfiguration";
    private static final String SERVICE_ID = "serviceId";

    private final BackupOperations backups;
    private final OnceOnly onceOnly;

    public BackupRoutes(BackupOperations backups, OnceOnly onceOnly) {
        this.backups = backups;
        this.onceOnly = onceOnly;
    }

    public List<Route> routes() {
        return List.of(
                new Route("backupGetList", Verb.GET, BACKUPS, Permission.SERVICE_READ, this::list),
                new Route("backupCreate", Verb.POST, BACKUPS, Permission.SERVICE_WRITE, this::create),
                new Route("backupGet", Verb.GET, BACKUP, Permission.SERVICE_READ, this::get),
                new Route(
                        "backupConfigurationGet",
                        Verb.GET,
                        CONFIGURATION,
                        Permission.SERVICE_READ,
                        this::configuration),
                new Route(
                        "backupConfigurationUpdate",
                        Verb.PATCH,
                        CONFIGURATION,
                        Permission.SERVICE_WRITE,
                        this::updateConfiguration));
    }

    private Answer list(Request request) {
        UUID serviceId = request.pathId(SERVICE_ID);
        return Listing.answer(
                request,
                before -> {
                    BackupPage page = backups.page(request.permit(), serviceId, before, Listing.PAGE);
                    return new Listing.Page<>(page.views(), page.next());
                },
                BackupJson::write);
    }

    private Answer create(Request request) {
        Faults faults = new Faults();
        UUID serviceId = request.pathId(SERVICE_ID, faults);
        request.objectIfAny(faults);
        return onceOnly.answer(request, () -> {
            BackupView made = backups.create(request.permit(), serviceId, faults);
            return out -> BackupJson.write(out, made);
        });
    }

    private Answer get(Request request) {
        Faults faults = new Faults();
        UUID serviceId = request.pathId(SERVICE_ID, faults);
        UUID backupId = request.pathId("backupId", faults);
        faults.refuseIfAny();
        BackupView view = backups.get(request.permit(), serviceId, backupId);
        return request.one(view, BackupJson::write);
    }

    private Answer configuration(Request request) {
        BackupConfiguration configuration = backups.configuration(request.permit(), request.pathId(SERVICE_ID));
        return request.one(configuration, BackupJson::writeConfiguration);
    }

    private Answer updateConfiguration(Request request) {
        Faults faults = new Faults();
        UUID serviceId = request.pathId(SERVICE_ID, faults);
        RequestBody body = request.object(faults);
        BackupChange change = new BackupChange(
                part(body, "backupPeriodInHours", body::number),
                part(body, "backupRetentionPeriodInHours", body::number),
                part(body, "backupStartTime", body::text));
        BackupConfiguration changed = backups.updateConfiguration(
                request.permit(), serviceId, change, request.precondition(BackupJson::writeConfiguration), faults);
        return request.changed(changed, BackupJson::writeConfiguration);
    }

    private static <T> BackupChange.Part<T> part(RequestBody body, String name, Function<String, @Nullable T> read) {
        return new BackupChange.Part<>(body.given(name), read.apply(name));
    }
}
