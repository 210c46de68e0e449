package io.pilothouse.server;

import static io.pilothouse.core.right.Permission.ACTIVITY_READ;
import static io.pilothouse.core.right.Permission.ALERT_READ;
import static io.pilothouse.core.right.Permission.ALERT_WRITE;
import static io.pilothouse.core.right.Permission.BACKUP_READ;
import static io.pilothouse.core.right.Permission.BACKUP_WRITE;
import static io.pilothouse.core.right.Permission.BILLING_READ;
import static io.pilothouse.core.right.Permission.IDENTITY_READ;
import static io.pilothouse.core.right.Permission.KEY_CREATE;
import static io.pilothouse.core.right.Permission.KEY_DELETE;
import static io.pilothouse.core.right.Permission.KEY_READ;
import static io.pilothouse.core.right.Permission.KEY_UPDATE;
import static io.pilothouse.core.right.Permission.MEMBER_READ;
import static io.pilothouse.core.right.Permission.MEMBER_WRITE;
import static io.pilothouse.core.right.Permission.ORGANIZATION_CREATE;
import static io.pilothouse.core.right.Permission.ORGANIZATION_READ;
import static io.pilothouse.core.right.Permission.ORGANIZATION_WRITE;
import static io.pilothouse.core.right.Permission.PIPE_DELETE;
import static io.pilothouse.core.right.Permission.PIPE_READ;
import static io.pilothouse.core.right.Permission.PIPE_WRITE;
import static io.pilothouse.core.right.Permission.PRIVATE_ENDPOINT_READ;
import static io.pilothouse.core.right.Permission.PRIVATE_ENDPOINT_WRITE;
import static io.pilothouse.core.right.Permission.QUERY_ENDPOINT_READ;
import static io.pilothouse.core.right.Permission.QUERY_ENDPOINT_WRITE;
import static io.pilothouse.core.right.Permission.SCALING_READ;
import static io.pilothouse.core.right.Permission.SCALING_WRITE;
import static io.pilothouse.core.right.Permission.SERVICE_CREATE;
import static io.pilothouse.core.right.Permission.SERVICE_DELETE;
import static io.pilothouse.core.right.Permission.SERVICE_LIST;
import static io.pilothouse.core.right.Permission.SERVICE_READ;
import static io.pilothouse.core.right.Permission.SERVICE_UPDATE;
import static io.pilothouse.core.right.Permission.SERVICE_WRITE;

import io.pilothouse.console.ApiPlace;
import io.pilothouse.console.Console;
import io.pilothouse.core.query.QueryRuns;
import io.pilothouse.core.right.Permission;
import io.pilothouse.http.api.Operation;
import io.pilothouse.http.document.DocumentRoutes;
import io.pilothouse.http.wire.AnyRoute;
import io.pilothouse.http.wire.PublicRoute;
import io.pilothouse.http.wire.Route;
import io.pilothouse.server.client.CommandRefused;
import io.pilothouse.server.emulator.Emulator;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Joins every operation to what answers it and to the right that this takes, or says that nothing answers it yet. */
final class ApiWiring {
    private static final Set<Operation> PUBLIC = Set.of(Operation.openapiGet, Operation.invitationAccept);
    private static final String PLANE = "X-Pilothouse-Plane";

    private final ApiParts api;

    ApiWiring(ApiParts api) {
        this.api = api;
    }

    List<AnyRoute> management() {
        return entrances(false, DocumentRoutes.ofManagement(api.rules));
    }

    List<AnyRoute> alerts() {
        return entrances(true, DocumentRoutes.ofAlerts(api.rules));
    }

    /** What answers the controls of the emulator. */
    List<AnyRoute> controls(Emulator emulator, Emulator.World world) throws CommandRefused {
        return emulator.routes(new Emulator.Ground(
                world, api.rules, api.organizations.organizations(), api.forConsole.services(), api.snapshots));
    }

    /** The pages of the console, whose readers find the API at this place. */
    List<PublicRoute> console(Console.Api management, ApiPlace place, QueryRuns queries, SecureRandom random) {
        return new Console(api.forConsole, management, place, queries, api.clock.machine(), random).routes();
    }

    /** The paths of the management interface that clients may know and nothing serves yet. */
    List<String> unserved() {
        return Stream.of(Operation.values())
                .filter(operation -> !operation.ofAlerts() && !PUBLIC.contains(operation))
                .filter(operation -> route(operation).isEmpty())
                .map(Operation::path)
                .toList();
    }

    private List<AnyRoute> entrances(boolean ofAlerts, DocumentRoutes document) {
        List<AnyRoute> entrances = new ArrayList<>();
        entrances.add(Operation.openapiGet.open(document::get));
        if (!ofAlerts) {
            entrances.add(Operation.invitationAccept.open(api.join::accept));
        }
        for (Operation operation : Operation.values()) {
            if (operation.ofAlerts() == ofAlerts) {
                route(operation).ifPresent(entrances::add);
            }
        }
        return List.copyOf(entrances);
    }

    /** Empty for an operation that is not served yet: its path is answered as an unknown one. */
    private Optional<Route> route(Operation operation) {
        return switch (operation) {
            case organizationGetList -> needs(ORGANIZATION_READ, operation, api.organizations::list);
            case organizationCreate -> needs(ORGANIZATION_CREATE, operation, api.organizations::create);
            case organizationGet -> needs(ORGANIZATION_READ, operation, api.organizations::get);
            case organizationUpdate -> needs(ORGANIZATION_WRITE, operation, api.organizations::update);
            case organizationPrivateEndpointConfigGetList ->
                needs(ORGANIZATION_READ, operation, api.organizations::privateEndpointConfig);
            case organizationQuotasGetList -> needs(ORGANIZATION_READ, operation, api.quotas::list);
            case organizationQuotaGet -> needs(ORGANIZATION_READ, operation, api.quotas::get);
            case organizationByocInfrastructureCreate -> needs(ORGANIZATION_WRITE, operation, api.byoc::create);
            case organizationByocInfrastructureUpdate -> needs(ORGANIZATION_WRITE, operation, api.byoc::update);
            case organizationByocInfrastructureDelete -> needs(ORGANIZATION_WRITE, operation, api.byoc::delete);
            case instanceGetList -> onPlane(SERVICE_LIST, operation, api.services::list);
            case instanceCreate -> onPlane(SERVICE_CREATE, operation, api.services::create);
            case instanceGet -> onPlane(SERVICE_READ, operation, api.services::get);
            case instanceTimelineGet -> onPlane(SERVICE_READ, operation, api.timeline::get);
            case instanceUpdate -> onPlane(SERVICE_UPDATE, operation, api.services::update);
            case instanceDelete -> onPlane(SERVICE_DELETE, operation, api.services::delete);
            case instanceStateUpdate -> onPlane(SERVICE_WRITE, operation, api.services::updateState);
            case instanceReplicaScalingUpdate -> onPlane(SCALING_WRITE, operation, api.services::scaleReplicas);
            case instanceScalingUpdate -> onPlane(SCALING_WRITE, operation, api.services::scaleTotals);
            case instancePasswordUpdate -> onPlane(SERVICE_WRITE, operation, api.services::changePassword);
            case usageCostGet -> needs(BILLING_READ, operation, api.usage::cost);
            case organizationPrometheusGet -> onPlane(SERVICE_LIST, operation, api.prometheus::ofOrganization);
            case organizationPrometheusDiscoveryGet -> onPlane(SERVICE_LIST, operation, api.prometheus::discovery);
            case instancePrometheusGet -> onPlane(SERVICE_READ, operation, api.prometheus::ofService);
            case instancePrivateEndpointConfigGet ->
                onPlane(PRIVATE_ENDPOINT_READ, operation, api.services::privateEndpointConfig);
            case instancePrivateEndpointCreate ->
                onPlane(PRIVATE_ENDPOINT_WRITE, operation, api.services::createPrivateEndpoint);
            case backupGetList -> needs(BACKUP_READ, operation, api.backups::list);
            case backupCreate -> needs(BACKUP_WRITE, operation, api.backups::create);
            case backupGet -> needs(BACKUP_READ, operation, api.backups::get);
            case backupBucketGet -> needs(BACKUP_READ, operation, api.bucket::get);
            case backupBucketCreate -> needs(BACKUP_WRITE, operation, api.bucket::create);
            case backupBucketUpdate -> needs(BACKUP_WRITE, operation, api.bucket::update);
            case backupBucketDelete -> needs(BACKUP_WRITE, operation, api.bucket::delete);
            case backupConfigurationGet -> needs(BACKUP_READ, operation, api.backups::configuration);
            case backupConfigurationUpdate -> needs(BACKUP_WRITE, operation, api.backups::updateConfiguration);
            case upgradeWindowGet -> onPlane(SERVICE_READ, operation, api.upgradeWindow::get);
            case upgradeWindowUpdate -> onPlane(SERVICE_WRITE, operation, api.upgradeWindow::put);
            case upgradeWindowDelete -> onPlane(SERVICE_WRITE, operation, api.upgradeWindow::delete);
            case scalingScheduleGet -> onPlane(SCALING_READ, operation, api.scalingSchedule::get);
            case scalingScheduleUpsert -> onPlane(SCALING_WRITE, operation, api.scalingSchedule::post);
            case scalingScheduleDelete -> onPlane(SCALING_WRITE, operation, api.scalingSchedule::delete);
            case instanceQueryEndpointGet -> onPlane(QUERY_ENDPOINT_READ, operation, api.queryEndpoint::get);
            case instanceQueryEndpointUpsert -> onPlane(QUERY_ENDPOINT_WRITE, operation, api.queryEndpoint::post);
            case instanceQueryEndpointDelete -> onPlane(QUERY_ENDPOINT_WRITE, operation, api.queryEndpoint::delete);
            case serviceClickhouseSettingsListGet -> onPlane(SERVICE_READ, operation, api.settings::list);
            case serviceClickhouseSettingsUpdate -> onPlane(SERVICE_WRITE, operation, api.settings::update);
            case serviceClickhouseSettingsSchemaGet -> onPlane(SERVICE_READ, operation, api.settings::schema);
            case serviceClickhouseSettingGet -> onPlane(SERVICE_READ, operation, api.settings::get);
            case serviceClickhouseSettingDelete -> onPlane(SERVICE_WRITE, operation, api.settings::delete);
            case clickPipeGetList -> needs(PIPE_READ, operation, api.pipes::list);
            case clickPipeCreate -> needs(PIPE_WRITE, operation, api.pipes::create);
            case clickPipeGet -> needs(PIPE_READ, operation, api.pipes::get);
            case clickPipeUpdate -> needs(PIPE_WRITE, operation, api.pipes::update);
            case clickPipeDelete -> needs(PIPE_DELETE, operation, api.pipes::delete);
            case clickPipeScalingUpdate -> needs(PIPE_WRITE, operation, api.pipes::scale);
            case clickPipeStateUpdate -> needs(PIPE_WRITE, operation, api.pipes::command);
            case clickPipeSettingsGet -> needs(PIPE_READ, operation, api.pipes::settings);
            case clickPipeSettingsUpdate -> needs(PIPE_WRITE, operation, api.pipes::putSettings);
            case clickPipeSchemaDiscovery -> needs(PIPE_WRITE, operation, api.pipes::discoverSchema);
            case clickPipeOffsetsGet -> needs(PIPE_READ, operation, api.offsets::get);
            case clickPipeOffsetsUpdate -> needs(PIPE_WRITE, operation, api.offsets::seek);
            case clickPipeErrorsReplayGet -> needs(PIPE_READ, operation, api.pipes::replays);
            case clickPipeErrorsReplay -> needs(PIPE_WRITE, operation, api.pipes::replayErrors);
            case clickPipeCdcScalingGet -> needs(PIPE_READ, operation, api.pipes::cdcScaling);
            case clickPipeCdcScalingUpdate -> needs(PIPE_WRITE, operation, api.pipes::scaleCdc);
            case clickPipeReversePrivateEndpointGetList -> needs(PIPE_READ, operation, api.endpoints::list);
            case clickPipeReversePrivateEndpointCreate -> needs(PIPE_WRITE, operation, api.endpoints::create);
            case clickPipeReversePrivateEndpointGet -> needs(PIPE_READ, operation, api.endpoints::get);
            case clickPipeReversePrivateEndpointUpdate -> needs(PIPE_WRITE, operation, api.endpoints::update);
            case clickPipeReversePrivateEndpointDelete -> needs(PIPE_DELETE, operation, api.endpoints::delete);
            case whoamiGet -> needs(IDENTITY_READ, operation, api.keys::whoami);
            case openapiKeyGetList -> needs(KEY_READ, operation, api.keys::list);
            case openapiKeyCreate -> needs(KEY_CREATE, operation, api.keys::create);
            case openapiKeyGet -> needs(KEY_READ, operation, api.keys::get);
            case openapiKeyUpdate -> needs(KEY_UPDATE, operation, api.keys::update);
            case openapiKeyDelete -> needs(KEY_DELETE, operation, api.keys::delete);
            case alertsTokenGetList -> needs(KEY_READ, operation, api.tokens::list);
            case alertsTokenCreate -> needs(KEY_CREATE, operation, api.tokens::create);
            case alertsTokenDelete -> needs(KEY_DELETE, operation, api.tokens::delete);
            case organizationRolesGetList -> needs(MEMBER_READ, operation, api.roles::list);
            case organizationRolePost -> needs(MEMBER_WRITE, operation, api.roles::create);
            case organizationRoleGet -> needs(MEMBER_READ, operation, api.roles::get);
            case organizationRolePatch -> needs(MEMBER_WRITE, operation, api.roles::update);
            case organizationRoleDelete -> needs(MEMBER_WRITE, operation, api.roles::delete);
            case memberGetList -> needs(MEMBER_READ, operation, api.members::list);
            case memberGet -> needs(MEMBER_READ, operation, api.members::get);
            case memberUpdate -> needs(MEMBER_WRITE, operation, api.members::update);
            case memberDelete -> needs(MEMBER_WRITE, operation, api.members::delete);
            case invitationGetList -> needs(MEMBER_READ, operation, api.invitations::list);
            case invitationCreate ->
                needs(
                        MEMBER_WRITE,
                        operation,
                        request -> api.invitations.create(request).unstored());
            case invitationGet -> needs(MEMBER_READ, operation, api.invitations::get);
            case invitationDelete -> needs(MEMBER_WRITE, operation, api.invitations::delete);
            case activityGetList -> needs(ACTIVITY_READ, operation, api.activities::list);
            case activityGet -> needs(ACTIVITY_READ, operation, api.activities::get);
            case alertGetList -> needs(ALERT_READ, operation, api.alerts::list);
            case alertCreate -> needs(ALERT_WRITE, operation, api.alerts::create);
            case alertGet -> needs(ALERT_READ, operation, api.alerts::get);
            case alertReplace -> needs(ALERT_WRITE, operation, api.alerts::replace);
            case alertDelete -> needs(ALERT_WRITE, operation, api.alerts::delete);
            case alertSilence -> needs(ALERT_WRITE, operation, api.alerts::silence);
            case alertUnsilence -> needs(ALERT_WRITE, operation, api.alerts::unsilence);
            case alertEvaluationGetList -> needs(ALERT_READ, operation, api.alerts::evaluations);
            case deliveryGetList -> needs(ALERT_READ, operation, api.alerts::deliveries);
            case webhookGetList -> needs(ALERT_READ, operation, api.webhooks::list);
            case webhookCreate -> needs(ALERT_WRITE, operation, api.webhooks::create);
            case webhookGet -> needs(ALERT_READ, operation, api.webhooks::get);
            case webhookReplace -> needs(ALERT_WRITE, operation, api.webhooks::replace);
            case webhookDelete -> needs(ALERT_WRITE, operation, api.webhooks::delete);
            case webhookTest -> needs(ALERT_WRITE, operation, api.webhooks::test);
            case dashboardGetList -> needs(ALERT_READ, operation, api.dashboards::list);
            case dashboardCreate -> needs(ALERT_WRITE, operation, api.dashboards::create);
            case dashboardValidate -> needs(ALERT_READ, operation, api.dashboards::validate);
            case dashboardGet -> needs(ALERT_READ, operation, api.dashboards::get);
            case dashboardReplace -> needs(ALERT_WRITE, operation, api.dashboards::replace);
            case dashboardDelete -> needs(ALERT_WRITE, operation, api.dashboards::delete);
            // Each listener has a document of its own.
            case openapiGet, invitationAccept -> Optional.empty();
            case clickPipeServiceContextGet,
                    clickStackListDashboards,
                    clickStackCreateDashboard,
                    clickStackGetDashboard,
                    clickStackUpdateDashboard,
                    clickStackDeleteDashboard,
                    clickStackValidateDashboard,
                    clickStackListAlerts,
                    clickStackCreateAlert,
                    clickStackListSources,
                    clickStackCreateSource,
                    clickStackGetSource,
                    clickStackUpdateSource,
                    clickStackDeleteSource,
                    clickStackGetAlert,
                    clickStackUpdateAlert,
                    clickStackDeleteAlert,
                    clickStackListWebhooks,
                    clickStackCreateWebhook,
                    clickStackUpdateWebhook,
                    clickStackDeleteWebhook,
                    clickStackListRoles,
                    clickStackCreateRole,
                    clickStackGetRole,
                    clickStackUpdateRole,
                    clickStackDeleteRole,
                    clickStackListSavedSearches,
                    clickStackCreateSavedSearch,
                    clickStackGetSavedSearch,
                    clickStackUpdateSavedSearch,
                    clickStackDeleteSavedSearch,
                    postgresServiceCreate,
                    postgresServiceGetList,
                    postgresOrgPrometheusGet,
                    postgresServiceGet,
                    postgresServiceDelete,
                    postgresServicePatch,
                    postgresServiceCertsGet,
                    postgresInstanceRestore,
                    postgresServiceSetPassword,
                    postgresServicePatchState,
                    postgresInstanceCreateReadReplica,
                    postgresInstanceConfigGet,
                    postgresInstanceConfigPost,
                    postgresInstanceConfigPatch,
                    postgresInstancePrometheusGet,
                    postgresInstanceMetricsGet,
                    slowQueryPatternsGetList,
                    slowQueryPatternGet,
                    udfAttach,
                    udfAttachmentGet,
                    udfDetach,
                    udfAttachmentList,
                    udfCreate,
                    udfList,
                    udfDelete,
                    udfGet,
                    udfUploadSessionCreate,
                    udfVersionCreate,
                    udfVersionList,
                    udfVersionDelete -> Optional.empty();
        };
    }

    private static Optional<Route> needs(Permission permission, Operation operation, Route.Handler handler) {
        return Optional.of(operation.needs(permission, handler));
    }

    /** The same for an operation of services, whose answers say in a header on which kind of plane they run. */
    private Optional<Route> onPlane(Permission permission, Operation operation, Route.Handler handler) {
        return needs(permission, operation, request -> handler.handle(request).with(PLANE, api.planeName));
    }
}
