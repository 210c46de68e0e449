package io.pilothouse.http.api;

import static io.pilothouse.http.wire.Verb.DELETE;
import static io.pilothouse.http.wire.Verb.GET;
import static io.pilothouse.http.wire.Verb.PATCH;
import static io.pilothouse.http.wire.Verb.POST;
import static io.pilothouse.http.wire.Verb.PUT;

import io.pilothouse.core.right.Permission;
import io.pilothouse.http.wire.PublicRoute;
import io.pilothouse.http.wire.Route;
import io.pilothouse.http.wire.Verb;

/**
 * Every operation that clients may know, served or not: those of the live service's document and our own. Each constant
 * is spelled as its operation id, so that one search finds an operation in the documents, the logs and the code.
 */
public enum Operation {
    openapiGet(GET, "/openapi.json"),
    whoamiGet(GET, "/v1/whoami"),
    organizationGetList(GET, "/v1/organizations"),
    organizationCreate(POST, "/v1/organizations"),
    organizationGet(GET, At.ORGANIZATION),
    organizationUpdate(PATCH, At.ORGANIZATION),
    organizationPrometheusGet(GET, At.ORGANIZATION + "/prometheus"),
    organizationPrometheusDiscoveryGet(GET, At.ORGANIZATION + "/prometheus/discovery"),
    organizationRolesGetList(GET, At.ORGANIZATION + "/roles"),
    organizationRolePost(POST, At.ORGANIZATION + "/roles"),
    organizationRoleGet(GET, At.ORGANIZATION + "/roles/{roleId}"),
    organizationRolePatch(PATCH, At.ORGANIZATION + "/roles/{roleId}"),
    organizationRoleDelete(DELETE, At.ORGANIZATION + "/roles/{roleId}"),
    organizationQuotasGetList(GET, At.ORGANIZATION + "/quotas"),
    organizationQuotaGet(GET, At.ORGANIZATION + "/quotas/{quotaCode}"),
    organizationPrivateEndpointConfigGetList(GET, At.ORGANIZATION + "/privateEndpointConfig"),
    organizationByocInfrastructureCreate(POST, At.ORGANIZATION + "/byocInfrastructure"),
    organizationByocInfrastructureDelete(DELETE, At.ORGANIZATION + "/byocInfrastructure/{byocInfrastructureId}"),
    organizationByocInfrastructureUpdate(PATCH, At.ORGANIZATION + "/byocInfrastructure/{byocInfrastructureId}"),
    instanceGetList(GET, At.ORGANIZATION + "/services"),
    instanceCreate(POST, At.ORGANIZATION + "/services"),
    instanceGet(GET, At.SERVICE),
    instanceUpdate(PATCH, At.SERVICE),
    instanceDelete(DELETE, At.SERVICE),
    instancePrivateEndpointConfigGet(GET, At.SERVICE + "/privateEndpointConfig"),
    instanceQueryEndpointGet(GET, At.SERVICE + "/serviceQueryEndpoint"),
    instanceQueryEndpointDelete(DELETE, At.SERVICE + "/serviceQueryEndpoint"),
    instanceQueryEndpointUpsert(POST, At.SERVICE + "/serviceQueryEndpoint"),
    instanceStateUpdate(PATCH, At.SERVICE + "/state"),
    instanceScalingUpdate(PATCH, At.SERVICE + "/scaling"),
    instanceReplicaScalingUpdate(PATCH, At.SERVICE + "/replicaScaling"),
    instancePasswordUpdate(PATCH, At.SERVICE + "/password"),
    instancePrivateEndpointCreate(POST, At.SERVICE + "/privateEndpoint"),
    /** One of our own. */
    instanceTimelineGet(GET, At.SERVICE + "/timeline"),
    instancePrometheusGet(GET, At.SERVICE + "/prometheus"),
    scalingScheduleGet(GET, At.SERVICE + "/scalingSchedule"),
    scalingScheduleUpsert(POST, At.SERVICE + "/scalingSchedule"),
    scalingScheduleDelete(DELETE, At.SERVICE + "/scalingSchedule"),
    upgradeWindowGet(GET, At.SERVICE + "/upgradeWindow"),
    upgradeWindowUpdate(PUT, At.SERVICE + "/upgradeWindow"),
    upgradeWindowDelete(DELETE, At.SERVICE + "/upgradeWindow"),
    serviceClickhouseSettingsListGet(GET, At.SERVICE + "/clickhouseSettings"),
    serviceClickhouseSettingsUpdate(PATCH, At.SERVICE + "/clickhouseSettings"),
    serviceClickhouseSettingsSchemaGet(GET, At.SERVICE + "/clickhouseSettings/schema"),
    serviceClickhouseSettingGet(GET, At.SERVICE + "/clickhouseSettings/{settingName}"),
    serviceClickhouseSettingDelete(DELETE, At.SERVICE + "/clickhouseSettings/{settingName}"),
    backupGetList(GET, At.SERVICE + "/backups"),
    backupCreate(POST, At.SERVICE + "/backups"),
    backupGet(GET, At.SERVICE + "/backups/{backupId}"),
    backupConfigurationGet(GET, At.SERVICE + "/backupConfiguration"),
    backupConfigurationUpdate(PATCH, At.SERVICE + "/backupConfiguration"),
    backupBucketGet(GET, At.SERVICE + "/backupBucket"),
    backupBucketCreate(POST, At.SERVICE + "/backupBucket"),
    backupBucketUpdate(PATCH, At.SERVICE + "/backupBucket"),
    backupBucketDelete(DELETE, At.SERVICE + "/backupBucket"),
    openapiKeyGetList(GET, At.ORGANIZATION + "/keys"),
    openapiKeyCreate(POST, At.ORGANIZATION + "/keys"),
    openapiKeyGet(GET, At.ORGANIZATION + "/keys/{keyId}"),
    openapiKeyUpdate(PATCH, At.ORGANIZATION + "/keys/{keyId}"),
    openapiKeyDelete(DELETE, At.ORGANIZATION + "/keys/{keyId}"),
    alertsTokenGetList(GET, At.ORGANIZATION + "/alertsTokens"),
    alertsTokenCreate(POST, At.ORGANIZATION + "/alertsTokens"),
    alertsTokenDelete(DELETE, At.ORGANIZATION + "/alertsTokens/{tokenId}"),
    memberGetList(GET, At.ORGANIZATION + "/members"),
    memberGet(GET, At.ORGANIZATION + "/members/{userId}"),
    memberUpdate(PATCH, At.ORGANIZATION + "/members/{userId}"),
    memberDelete(DELETE, At.ORGANIZATION + "/members/{userId}"),
    invitationGetList(GET, At.ORGANIZATION + "/invitations"),
    invitationCreate(POST, At.ORGANIZATION + "/invitations"),
    invitationGet(GET, At.ORGANIZATION + "/invitations/{invitationId}"),
    invitationDelete(DELETE, At.ORGANIZATION + "/invitations/{invitationId}"),
    invitationAccept(POST, "/v1/invitations/accept"),
    activityGetList(GET, At.ORGANIZATION + "/activities"),
    activityGet(GET, At.ORGANIZATION + "/activities/{activityId}"),
    usageCostGet(GET, At.ORGANIZATION + "/usageCost"),
    clickPipeGetList(GET, At.SERVICE + "/clickpipes"),
    clickPipeCreate(POST, At.SERVICE + "/clickpipes"),
    clickPipeSchemaDiscovery(POST, At.SERVICE + "/clickpipes/schemaDiscovery"),
    /** Younger than the live document that the others are from. */
    clickPipeServiceContextGet(GET, At.SERVICE + "/clickpipes/context"),
    clickPipeGet(GET, At.PIPE),
    clickPipeUpdate(PATCH, At.PIPE),
    clickPipeDelete(DELETE, At.PIPE),
    clickPipeSettingsGet(GET, At.PIPE + "/settings"),
    clickPipeSettingsUpdate(PUT, At.PIPE + "/settings"),
    clickPipeOffsetsGet(GET, At.PIPE + "/offsets"),
    clickPipeOffsetsUpdate(PUT, At.PIPE + "/offsets"),
    clickPipeErrorsReplayGet(GET, At.PIPE + "/errors/replay"),
    clickPipeErrorsReplay(POST, At.PIPE + "/errors/replay"),
    clickPipeScalingUpdate(PATCH, At.PIPE + "/scaling"),
    clickPipeStateUpdate(PATCH, At.PIPE + "/state"),
    clickPipeCdcScalingGet(GET, At.SERVICE + "/clickpipesCdcScaling"),
    clickPipeCdcScalingUpdate(PATCH, At.SERVICE + "/clickpipesCdcScaling"),
    clickPipeReversePrivateEndpointGetList(GET, At.SERVICE + "/clickpipesReversePrivateEndpoints"),
    clickPipeReversePrivateEndpointCreate(POST, At.SERVICE + "/clickpipesReversePrivateEndpoints"),
    clickPipeReversePrivateEndpointGet(GET, At.REVERSE_ENDPOINT),
    clickPipeReversePrivateEndpointDelete(DELETE, At.REVERSE_ENDPOINT),
    clickPipeReversePrivateEndpointUpdate(PATCH, At.REVERSE_ENDPOINT),
    clickStackListDashboards(GET, At.STACK + "/dashboards"),
    clickStackCreateDashboard(POST, At.STACK + "/dashboards"),
    clickStackGetDashboard(GET, At.STACK + "/dashboards/{clickStackDashboardId}"),
    clickStackUpdateDashboard(PUT, At.STACK + "/dashboards/{clickStackDashboardId}"),
    clickStackDeleteDashboard(DELETE, At.STACK + "/dashboards/{clickStackDashboardId}"),
    clickStackValidateDashboard(POST, At.STACK + "/dashboards/validate"),
    clickStackListAlerts(GET, At.STACK + "/alerts"),
    clickStackCreateAlert(POST, At.STACK + "/alerts"),
    clickStackListSources(GET, At.STACK + "/sources"),
    clickStackCreateSource(POST, At.STACK + "/sources"),
    clickStackGetSource(GET, At.STACK + "/sources/{clickStackSourceId}"),
    clickStackUpdateSource(PUT, At.STACK + "/sources/{clickStackSourceId}"),
    clickStackDeleteSource(DELETE, At.STACK + "/sources/{clickStackSourceId}"),
    clickStackGetAlert(GET, At.STACK + "/alerts/{clickStackAlertId}"),
    clickStackUpdateAlert(PUT, At.STACK + "/alerts/{clickStackAlertId}"),
    clickStackDeleteAlert(DELETE, At.STACK + "/alerts/{clickStackAlertId}"),
    clickStackListWebhooks(GET, At.STACK + "/webhooks"),
    clickStackCreateWebhook(POST, At.STACK + "/webhooks"),
    clickStackUpdateWebhook(PUT, At.STACK + "/webhooks/{clickStackWebhookId}"),
    clickStackDeleteWebhook(DELETE, At.STACK + "/webhooks/{clickStackWebhookId}"),
    clickStackListRoles(GET, At.STACK + "/roles"),
    clickStackCreateRole(POST, At.STACK + "/roles"),
    clickStackGetRole(GET, At.STACK + "/roles/{clickStackRoleId}"),
    clickStackUpdateRole(PUT, At.STACK + "/roles/{clickStackRoleId}"),
    clickStackDeleteRole(DELETE, At.STACK + "/roles/{clickStackRoleId}"),
    clickStackListSavedSearches(GET, At.STACK + "/saved-searches"),
    clickStackCreateSavedSearch(POST, At.STACK + "/saved-searches"),
    clickStackGetSavedSearch(GET, At.STACK + "/saved-searches/{clickStackSavedSearchId}"),
    clickStackUpdateSavedSearch(PUT, At.STACK + "/saved-searches/{clickStackSavedSearchId}"),
    clickStackDeleteSavedSearch(DELETE, At.STACK + "/saved-searches/{clickStackSavedSearchId}"),
    postgresServiceCreate(POST, At.ORGANIZATION + "/postgres"),
    postgresServiceGetList(GET, At.ORGANIZATION + "/postgres"),
    postgresOrgPrometheusGet(GET, At.ORGANIZATION + "/postgres/prometheus"),
    postgresServiceGet(GET, At.POSTGRES),
    postgresServiceDelete(DELETE, At.POSTGRES),
    postgresServicePatch(PATCH, At.POSTGRES),
    postgresServiceCertsGet(GET, At.POSTGRES + "/caCertificates"),
    postgresInstanceRestore(POST, At.POSTGRES + "/restoredService"),
    postgresServiceSetPassword(PATCH, At.POSTGRES + "/password"),
    postgresServicePatchState(PATCH, At.POSTGRES + "/state"),
    postgresInstanceCreateReadReplica(POST, At.POSTGRES + "/readReplica"),
    postgresInstanceConfigGet(GET, At.POSTGRES + "/config"),
    postgresInstanceConfigPost(POST, At.POSTGRES + "/config"),
    postgresInstanceConfigPatch(PATCH, At.POSTGRES + "/config"),
    postgresInstancePrometheusGet(GET, At.POSTGRES + "/prometheus"),
    postgresInstanceMetricsGet(GET, At.POSTGRES + "/metrics"),
    slowQueryPatternsGetList(GET, At.POSTGRES + "/slowQueryPatterns"),
    slowQueryPatternGet(GET, At.POSTGRES + "/slowQueryPatterns/{queryId}"),
    udfAttach(PUT, At.FUNCTION + "/attachments/{serviceId}"),
    udfAttachmentGet(GET, At.FUNCTION + "/attachments/{serviceId}"),
    udfDetach(DELETE, At.FUNCTION + "/attachments/{serviceId}"),
    udfAttachmentList(GET, At.FUNCTION + "/attachments"),
    udfCreate(POST, At.ORGANIZATION + "/udfs"),
    udfList(GET, At.ORGANIZATION + "/udfs"),
    udfDelete(DELETE, At.FUNCTION),
    udfGet(GET, At.FUNCTION),
    udfUploadSessionCreate(POST, At.ORGANIZATION + "/udfUploads/url"),
    udfVersionCreate(POST, At.FUNCTION + "/versions"),
    udfVersionList(GET, At.FUNCTION + "/versions"),
    udfVersionDelete(DELETE, At.FUNCTION + "/versions/{version}"),
    alertGetList(GET, At.ALERTS),
    alertCreate(POST, At.ALERTS),
    alertGet(GET, At.ALERT),
    alertReplace(PUT, At.ALERT),
    alertDelete(DELETE, At.ALERT),
    alertSilence(POST, At.ALERT + "/silenced"),
    alertUnsilence(DELETE, At.ALERT + "/silenced"),
    alertEvaluationGetList(GET, At.ALERT + "/evaluations"),
    deliveryGetList(GET, "/api/v2/deliveries"),
    webhookGetList(GET, At.WEBHOOKS),
    webhookCreate(POST, At.WEBHOOKS),
    webhookGet(GET, At.WEBHOOK),
    webhookReplace(PUT, At.WEBHOOK),
    webhookDelete(DELETE, At.WEBHOOK),
    webhookTest(POST, At.WEBHOOK + "/test"),
    dashboardGetList(GET, At.DASHBOARDS),
    dashboardCreate(POST, At.DASHBOARDS),
    dashboardValidate(POST, At.DASHBOARDS + "/validate"),
    dashboardGet(GET, At.DASHBOARD),
    dashboardReplace(PUT, At.DASHBOARD),
    dashboardDelete(DELETE, At.DASHBOARD);

    private final Verb verb;
    private final String path;

    Operation(Verb verb, String path) {
        this.verb = verb;
        this.path = path;
    }

    public Verb verb() {
        return verb;
    }

    public String path() {
        return path;
    }

    /** Whether it belongs to the alerts interface, which has a listener of its own. */
    public boolean ofAlerts() {
        return path.startsWith(At.ALERTS_INTERFACE);
    }

    /** The route of this operation for callers who hold a right. */
    public Route needs(Permission permission, Route.Handler handler) {
        return new Route(name(), verb, path, permission, handler);
    }

    /** The route of this operation for anybody. */
    public PublicRoute open(PublicRoute.Handler handler) {
        return new PublicRoute(name(), verb, path, handler);
    }

    /** The beginnings that many paths share. */
    private static final class At {
        static final String ORGANIZATION = "/v1/organizations/{organizationId}";
        static final String SERVICE = ORGANIZATION + "/services/{serviceId}";
        static final String PIPE = SERVICE + "/clickpipes/{clickPipeId}";
        static final String REVERSE_ENDPOINT =
                SERVICE + "/clickpipesReversePrivateEndpoints/{reversePrivateEndpointId}";
        static final String STACK = SERVICE + "/clickstack";
        static final String POSTGRES = ORGANIZATION + "/postgres/{postgresId}";
        static final String FUNCTION = ORGANIZATION + "/udfs/{functionName}";
        static final String ALERTS_INTERFACE = "/api/v2/";
        static final String ALERTS = ALERTS_INTERFACE + "alerts";
        static final String ALERT = ALERTS + "/{alertId}";
        static final String WEBHOOKS = ALERTS_INTERFACE + "webhooks";
        static final String WEBHOOK = WEBHOOKS + "/{webhookId}";
        static final String DASHBOARDS = ALERTS_INTERFACE + "dashboards";
        static final String DASHBOARD = DASHBOARDS + "/{dashboardId}";
    }
}
