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

import io.pilothouse.core.activity.ActivityOperations;
import io.pilothouse.core.alert.AlertOperations;
import io.pilothouse.core.alert.AlertSetup;
import io.pilothouse.core.alert.DashboardOperations;
import io.pilothouse.core.backup.BackupBucketOperations;
import io.pilothouse.core.backup.BackupOperations;
import io.pilothouse.core.backup.BackupsOfService;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.figure.FigureOperations;
import io.pilothouse.core.item.ItemKind;
import io.pilothouse.core.item.ItemOperations;
import io.pilothouse.core.key.AlertsTokenOperations;
import io.pilothouse.core.key.ApiKeyMaker;
import io.pilothouse.core.key.ApiKeyOperations;
import io.pilothouse.core.key.KeyHolders;
import io.pilothouse.core.member.FirstMember;
import io.pilothouse.core.member.InvitationKind;
import io.pilothouse.core.member.JoinOperations;
import io.pilothouse.core.member.MemberHolders;
import io.pilothouse.core.member.MemberKind;
import io.pilothouse.core.organization.OrganizationOperations;
import io.pilothouse.core.part.PartKind;
import io.pilothouse.core.part.PartOperations;
import io.pilothouse.core.part.ScalingSchedule;
import io.pilothouse.core.part.UpgradeWindow;
import io.pilothouse.core.pipe.PipeOperations;
import io.pilothouse.core.pipe.PipeSchemaOperations;
import io.pilothouse.core.pipe.ReversePrivateEndpointOperations;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Wake;
import io.pilothouse.core.privateendpoint.PrivateEndpointOperations;
import io.pilothouse.core.query.QueryEndpoint;
import io.pilothouse.core.right.Permission;
import io.pilothouse.core.role.Admins;
import io.pilothouse.core.role.RoleKind;
import io.pilothouse.core.role.Roles;
import io.pilothouse.core.secret.SecretHash;
import io.pilothouse.core.secret.SecretText;
import io.pilothouse.core.secret.Vault;
import io.pilothouse.core.service.DataPlane;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceDefaults;
import io.pilothouse.core.service.ServiceFollower;
import io.pilothouse.core.service.ServiceOperations;
import io.pilothouse.core.usage.UsageOperations;
import io.pilothouse.core.usage.UsagePrices;
import io.pilothouse.core.webhook.WebhookAddresses;
import io.pilothouse.http.api.ActivityRoutes;
import io.pilothouse.http.api.AlertRoutes;
import io.pilothouse.http.api.AlertsTokenRoutes;
import io.pilothouse.http.api.ApiKeyRoutes;
import io.pilothouse.http.api.BackupBucketRoutes;
import io.pilothouse.http.api.BackupRoutes;
import io.pilothouse.http.api.DashboardRoutes;
import io.pilothouse.http.api.ItemRoutes;
import io.pilothouse.http.api.JoinRoutes;
import io.pilothouse.http.api.Operation;
import io.pilothouse.http.api.OrganizationRoutes;
import io.pilothouse.http.api.PartRoutes;
import io.pilothouse.http.api.PipeRoutes;
import io.pilothouse.http.api.PrometheusRoutes;
import io.pilothouse.http.api.ReversePrivateEndpointRoutes;
import io.pilothouse.http.api.ServiceRoutes;
import io.pilothouse.http.api.UsageRoutes;
import io.pilothouse.http.api.WebhookRoutes;
import io.pilothouse.http.document.DocumentRoutes;
import io.pilothouse.http.wire.AnyRoute;
import io.pilothouse.http.wire.OnceOnly;
import io.pilothouse.http.wire.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

/** Joins every operation to what answers it and to the right that this takes, or says that nothing answers it yet. */
final class ApiWiring {
    private static final Set<Operation> PUBLIC = Set.of(Operation.openapiGet, Operation.invitationAccept);
    private static final String PLANE = "X-Pilothouse-Plane";

    private final OrganizationRoutes organizations;
    private final ServiceRoutes services;
    private final BackupRoutes backups;
    private final BackupBucketRoutes bucket;
    private final PipeRoutes pipes;
    private final ReversePrivateEndpointRoutes endpoints;
    private final ApiKeyRoutes keys;
    private final AlertsTokenRoutes tokens;
    private final ActivityRoutes activities;
    private final AlertRoutes alerts;
    private final WebhookRoutes webhooks;
    private final DashboardRoutes dashboards;
    private final PrometheusRoutes prometheus;
    private final UsageRoutes usage;
    private final PartRoutes upgradeWindow;
    private final PartRoutes scalingSchedule;
    private final PartRoutes queryEndpoint;
    private final ItemRoutes roles;
    private final ItemRoutes members;
    private final ItemRoutes invitations;
    private final JoinRoutes join;
    private final String planeName;
    private final RuleBook rules;

    /** The parts that the operations of the API work with. */
    record Ground(
            Store store,
            Clock clock,
            RuleBook rules,
            ServiceDefaults serviceDefaults,
            UsagePrices prices,
            SecretText secrets,
            SecretHash hash,
            Vault vault,
            WebhookAddresses outgoing,
            ApiKeyMaker keyMaker,
            Roles roles,
            FirstMember firstMember,
            PlaneParts plane,
            BackupsOfService backups,
            ServiceFollower followers,
            AlertWiring alerting,
            Wake wake,
            OnceOnly onceOnly,
            Executor threads) {}

    ApiWiring(Ground ground) {
        Store store = ground.store();
        Clock clock = ground.clock();
        rules = ground.rules();
        Wake wake = ground.wake();
        OnceOnly onceOnly = ground.onceOnly();
        DataPlane plane = ground.plane().plane();
        PrivateEndpointOperations privateEndpoints = new PrivateEndpointOperations(
                store, clock, rules, ground.plane().addresses(), wake);
        organizations = new OrganizationRoutes(
                new OrganizationOperations(
                        store,
                        clock,
                        ground.keyMaker(),
                        List.of(new AlertSetup(store, clock), privateEndpoints, ground.firstMember())),
                privateEndpoints,
                onceOnly);
        services = new ServiceRoutes(
                new ServiceOperations(
                        store,
                        clock,
                        rules,
                        ground.serviceDefaults(),
                        ground.secrets(),
                        ground.plane().addresses(),
                        ground.plane().wayIn(),
                        plane::database,
                        ground.backups(),
                        ground.followers(),
                        wake),
                privateEndpoints,
                onceOnly,
                ground.threads());
        backups = new BackupRoutes(
                new BackupOperations(store, clock, ground.plane().backups()::refusal, wake), onceOnly);
        bucket = new BackupBucketRoutes(
                new BackupBucketOperations(
                        store,
                        clock,
                        ground.vault(),
                        ground.outgoing()::allow,
                        ground.plane().backups()::refusal),
                onceOnly);
        pipes = new PipeRoutes(
                new PipeOperations(store, clock, rules, ground.vault(), wake),
                new PipeSchemaOperations(store, rules, ground.plane().schemas()),
                onceOnly);
        endpoints =
                new ReversePrivateEndpointRoutes(new ReversePrivateEndpointOperations(store, clock, wake), onceOnly);
        Admins admins = new Admins(ground.roles(), List.of(new KeyHolders(clock), new MemberHolders(clock)));
        MemberKind memberKind = new MemberKind(admins);
        InvitationKind invitationKind = new InvitationKind(ground.roles(), memberKind, ground.hash());
        members = items(ground, memberKind, "userId");
        invitations = items(ground, invitationKind, "invitationId");
        join = new JoinRoutes(new JoinOperations(store, clock, invitationKind, memberKind));
        keys = new ApiKeyRoutes(new ApiKeyOperations(store, clock, ground.keyMaker(), admins), onceOnly);
        roles = items(
                ground,
                new RoleKind(
                        admins,
                        (tables, organizationId, serviceId) -> tables.of(Service.KIND)
                                .find(organizationId, serviceId)
                                .isPresent()),
                "roleId");
        tokens = new AlertsTokenRoutes(
                new AlertsTokenOperations(store, clock, ground.secrets(), ground.hash()), onceOnly);
        activities = new ActivityRoutes(new ActivityOperations(store));
        alerts = new AlertRoutes(new AlertOperations(store, clock, wake), onceOnly);
        webhooks = new WebhookRoutes(ground.alerting().webhooks(), onceOnly);
        dashboards = new DashboardRoutes(new DashboardOperations(store, clock, wake), onceOnly);
        prometheus =
                new PrometheusRoutes(new FigureOperations(store), ground.plane().figures(), ground.threads());
        usage = new UsageRoutes(new UsageOperations(store, clock, ground.prices()));
        upgradeWindow = part(ground, new UpgradeWindow());
        scalingSchedule = part(ground, new ScalingSchedule());
        queryEndpoint = part(ground, new QueryEndpoint());
        planeName = plane.name();
    }

    private static PartRoutes part(Ground ground, PartKind kind) {
        return new PartRoutes(
                new PartOperations(ground.store(), ground.clock(), ground.rules(), kind, ground.wake()),
                ground.onceOnly());
    }

    private static ItemRoutes items(Ground ground, ItemKind kind, String idName) {
        return new ItemRoutes(
                new ItemOperations(ground.store(), ground.clock(), ground.rules(), kind), idName, ground.onceOnly());
    }

    List<AnyRoute> management() {
        return entrances(false, DocumentRoutes.ofManagement(rules));
    }

    List<AnyRoute> alerts() {
        return entrances(true, DocumentRoutes.ofAlerts(rules));
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
            entrances.add(Operation.invitationAccept.open(join::accept));
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
            case organizationGetList -> needs(ORGANIZATION_READ, operation, organizations::list);
            case organizationCreate -> needs(ORGANIZATION_CREATE, operation, organizations::create);
            case organizationGet -> needs(ORGANIZATION_READ, operation, organizations::get);
            case organizationUpdate -> needs(ORGANIZATION_WRITE, operation, organizations::update);
            case organizationPrivateEndpointConfigGetList ->
                needs(ORGANIZATION_READ, operation, organizations::privateEndpointConfig);
            case instanceGetList -> onPlane(SERVICE_LIST, operation, services::list);
            case instanceCreate -> onPlane(SERVICE_CREATE, operation, services::create);
            case instanceGet -> onPlane(SERVICE_READ, operation, services::get);
            case instanceUpdate -> onPlane(SERVICE_UPDATE, operation, services::update);
            case instanceDelete -> onPlane(SERVICE_DELETE, operation, services::delete);
            case instanceStateUpdate -> onPlane(SERVICE_WRITE, operation, services::updateState);
            case instanceReplicaScalingUpdate -> onPlane(SCALING_WRITE, operation, services::scaleReplicas);
            case instanceScalingUpdate -> onPlane(SCALING_WRITE, operation, services::scaleTotals);
            case instancePasswordUpdate -> onPlane(SERVICE_WRITE, operation, services::changePassword);
            case usageCostGet -> needs(BILLING_READ, operation, usage::cost);
            case organizationPrometheusGet -> onPlane(SERVICE_LIST, operation, prometheus::ofOrganization);
            case instancePrometheusGet -> onPlane(SERVICE_READ, operation, prometheus::ofService);
            case instancePrivateEndpointConfigGet ->
                onPlane(PRIVATE_ENDPOINT_READ, operation, services::privateEndpointConfig);
            case instancePrivateEndpointCreate ->
                onPlane(PRIVATE_ENDPOINT_WRITE, operation, services::createPrivateEndpoint);
            case backupGetList -> needs(BACKUP_READ, operation, backups::list);
            case backupCreate -> needs(BACKUP_WRITE, operation, backups::create);
            case backupGet -> needs(BACKUP_READ, operation, backups::get);
            case backupBucketGet -> needs(BACKUP_READ, operation, bucket::get);
            case backupBucketCreate -> needs(BACKUP_WRITE, operation, bucket::create);
            case backupBucketUpdate -> needs(BACKUP_WRITE, operation, bucket::update);
            case backupBucketDelete -> needs(BACKUP_WRITE, operation, bucket::delete);
            case backupConfigurationGet -> needs(BACKUP_READ, operation, backups::configuration);
            case backupConfigurationUpdate -> needs(BACKUP_WRITE, operation, backups::updateConfiguration);
            case upgradeWindowGet -> onPlane(SERVICE_READ, operation, upgradeWindow::get);
            case upgradeWindowUpdate -> onPlane(SERVICE_WRITE, operation, upgradeWindow::put);
            case upgradeWindowDelete -> onPlane(SERVICE_WRITE, operation, upgradeWindow::delete);
            case scalingScheduleGet -> onPlane(SCALING_READ, operation, scalingSchedule::get);
            case scalingScheduleUpsert -> onPlane(SCALING_WRITE, operation, scalingSchedule::post);
            case scalingScheduleDelete -> onPlane(SCALING_WRITE, operation, scalingSchedule::delete);
            case instanceQueryEndpointGet -> onPlane(QUERY_ENDPOINT_READ, operation, queryEndpoint::get);
            case instanceQueryEndpointUpsert -> onPlane(QUERY_ENDPOINT_WRITE, operation, queryEndpoint::post);
            case instanceQueryEndpointDelete -> onPlane(QUERY_ENDPOINT_WRITE, operation, queryEndpoint::delete);
            case clickPipeGetList -> needs(PIPE_READ, operation, pipes::list);
            case clickPipeCreate -> needs(PIPE_WRITE, operation, pipes::create);
            case clickPipeGet -> needs(PIPE_READ, operation, pipes::get);
            case clickPipeUpdate -> needs(PIPE_WRITE, operation, pipes::update);
            case clickPipeDelete -> needs(PIPE_DELETE, operation, pipes::delete);
            case clickPipeScalingUpdate -> needs(PIPE_WRITE, operation, pipes::scale);
            case clickPipeStateUpdate -> needs(PIPE_WRITE, operation, pipes::command);
            case clickPipeSettingsGet -> needs(PIPE_READ, operation, pipes::settings);
            case clickPipeSettingsUpdate -> needs(PIPE_WRITE, operation, pipes::putSettings);
            case clickPipeSchemaDiscovery -> needs(PIPE_WRITE, operation, pipes::discoverSchema);
            case clickPipeCdcScalingGet -> needs(PIPE_READ, operation, pipes::cdcScaling);
            case clickPipeCdcScalingUpdate -> needs(PIPE_WRITE, operation, pipes::scaleCdc);
            case clickPipeReversePrivateEndpointGetList -> needs(PIPE_READ, operation, endpoints::list);
            case clickPipeReversePrivateEndpointCreate -> needs(PIPE_WRITE, operation, endpoints::create);
            case clickPipeReversePrivateEndpointGet -> needs(PIPE_READ, operation, endpoints::get);
            case clickPipeReversePrivateEndpointUpdate -> needs(PIPE_WRITE, operation, endpoints::update);
            case clickPipeReversePrivateEndpointDelete -> needs(PIPE_DELETE, operation, endpoints::delete);
            case whoamiGet -> needs(IDENTITY_READ, operation, keys::whoami);
            case openapiKeyGetList -> needs(KEY_READ, operation, keys::list);
            case openapiKeyCreate -> needs(KEY_CREATE, operation, keys::create);
            case openapiKeyGet -> needs(KEY_READ, operation, keys::get);
            case openapiKeyUpdate -> needs(KEY_UPDATE, operation, keys::update);
            case openapiKeyDelete -> needs(KEY_DELETE, operation, keys::delete);
            case alertsTokenGetList -> needs(KEY_READ, operation, tokens::list);
            case alertsTokenCreate -> needs(KEY_CREATE, operation, tokens::create);
            case alertsTokenDelete -> needs(KEY_DELETE, operation, tokens::delete);
            case organizationRolesGetList -> needs(MEMBER_READ, operation, roles::list);
            case organizationRolePost -> needs(MEMBER_WRITE, operation, roles::create);
            case organizationRoleGet -> needs(MEMBER_READ, operation, roles::get);
            case organizationRolePatch -> needs(MEMBER_WRITE, operation, roles::update);
            case organizationRoleDelete -> needs(MEMBER_WRITE, operation, roles::delete);
            case memberGetList -> needs(MEMBER_READ, operation, members::list);
            case memberGet -> needs(MEMBER_READ, operation, members::get);
            case memberUpdate -> needs(MEMBER_WRITE, operation, members::update);
            case memberDelete -> needs(MEMBER_WRITE, operation, members::delete);
            case invitationGetList -> needs(MEMBER_READ, operation, invitations::list);
            case invitationCreate ->
                needs(
                        MEMBER_WRITE,
                        operation,
                        request -> invitations.create(request).unstored());
            case invitationGet -> needs(MEMBER_READ, operation, invitations::get);
            case invitationDelete -> needs(MEMBER_WRITE, operation, invitations::delete);
            case activityGetList -> needs(ACTIVITY_READ, operation, activities::list);
            case activityGet -> needs(ACTIVITY_READ, operation, activities::get);
            case alertGetList -> needs(ALERT_READ, operation, alerts::list);
            case alertCreate -> needs(ALERT_WRITE, operation, alerts::create);
            case alertGet -> needs(ALERT_READ, operation, alerts::get);
            case alertReplace -> needs(ALERT_WRITE, operation, alerts::replace);
            case alertDelete -> needs(ALERT_WRITE, operation, alerts::delete);
            case alertSilence -> needs(ALERT_WRITE, operation, alerts::silence);
            case alertUnsilence -> needs(ALERT_WRITE, operation, alerts::unsilence);
            case alertEvaluationGetList -> needs(ALERT_READ, operation, alerts::evaluations);
            case webhookGetList -> needs(ALERT_READ, operation, webhooks::list);
            case webhookCreate -> needs(ALERT_WRITE, operation, webhooks::create);
            case webhookGet -> needs(ALERT_READ, operation, webhooks::get);
            case webhookReplace -> needs(ALERT_WRITE, operation, webhooks::replace);
            case webhookDelete -> needs(ALERT_WRITE, operation, webhooks::delete);
            case webhookTest -> needs(ALERT_WRITE, operation, webhooks::test);
            case dashboardGetList -> needs(ALERT_READ, operation, dashboards::list);
            case dashboardCreate -> needs(ALERT_WRITE, operation, dashboards::create);
            case dashboardValidate -> needs(ALERT_READ, operation, dashboards::validate);
            case dashboardGet -> needs(ALERT_READ, operation, dashboards::get);
            case dashboardReplace -> needs(ALERT_WRITE, operation, dashboards::replace);
            case dashboardDelete -> needs(ALERT_WRITE, operation, dashboards::delete);
            // Each listener has a document of its own.
            case openapiGet, invitationAccept -> Optional.empty();
            case organizationQuotasGetList,
                    organizationQuotaGet,
                    organizationByocInfrastructureCreate,
                    organizationByocInfrastructureDelete,
                    organizationByocInfrastructureUpdate,
                    serviceClickhouseSettingsListGet,
                    serviceClickhouseSettingsUpdate,
                    serviceClickhouseSettingsSchemaGet,
                    serviceClickhouseSettingGet,
                    serviceClickhouseSettingDelete,
                    clickPipeServiceContextGet,
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
        return needs(permission, operation, request -> handler.handle(request).with(PLANE, planeName));
    }
}
