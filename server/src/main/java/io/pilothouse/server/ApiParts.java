package io.pilothouse.server;

import io.pilothouse.console.Console;
import io.pilothouse.core.activity.ActivityOperations;
import io.pilothouse.core.alert.AlertOperations;
import io.pilothouse.core.alert.AlertSetup;
import io.pilothouse.core.alert.DashboardOperations;
import io.pilothouse.core.backup.BackupBucketOperations;
import io.pilothouse.core.backup.BackupOperations;
import io.pilothouse.core.backup.BackupsOfService;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.byoc.ByocKind;
import io.pilothouse.core.figure.FigureOperations;
import io.pilothouse.core.figure.PulseHistory;
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
import io.pilothouse.core.member.MemberSignIn;
import io.pilothouse.core.organization.OrganizationOperations;
import io.pilothouse.core.part.PartKind;
import io.pilothouse.core.part.PartOperations;
import io.pilothouse.core.part.ScalingSchedule;
import io.pilothouse.core.part.UpgradeWindow;
import io.pilothouse.core.pipe.PipeOperations;
import io.pilothouse.core.pipe.PipeSchemaOperations;
import io.pilothouse.core.pipe.ReversePrivateEndpointOperations;
import io.pilothouse.core.pipe.progress.PipeOffsetOperations;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Wake;
import io.pilothouse.core.privateendpoint.PrivateEndpointOperations;
import io.pilothouse.core.query.QueryEndpoint;
import io.pilothouse.core.quota.Quota;
import io.pilothouse.core.quota.QuotaOperations;
import io.pilothouse.core.quota.QuotasOfService;
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
import io.pilothouse.core.setting.SettingOperations;
import io.pilothouse.core.timeline.Timeline;
import io.pilothouse.core.timeline.TimelineOperations;
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
import io.pilothouse.http.api.OrganizationRoutes;
import io.pilothouse.http.api.PartRoutes;
import io.pilothouse.http.api.PipeOffsetRoutes;
import io.pilothouse.http.api.PipeRoutes;
import io.pilothouse.http.api.PrometheusRoutes;
import io.pilothouse.http.api.QuotaRoutes;
import io.pilothouse.http.api.ReversePrivateEndpointRoutes;
import io.pilothouse.http.api.ServiceRoutes;
import io.pilothouse.http.api.SettingRoutes;
import io.pilothouse.http.api.UsageRoutes;
import io.pilothouse.http.api.WebhookRoutes;
import io.pilothouse.http.api.timeline.TimelineRoutes;
import io.pilothouse.http.wire.OnceOnly;
import io.pilothouse.server.emulator.SnapshotControl;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/** What answers the operations of both interfaces, made of the parts of the program. */
final class ApiParts {
    final OrganizationRoutes organizations;
    final ServiceRoutes services;
    final TimelineRoutes timeline;
    final BackupRoutes backups;
    final BackupBucketRoutes bucket;
    final PipeRoutes pipes;
    final PipeOffsetRoutes offsets;
    final ReversePrivateEndpointRoutes endpoints;
    final ApiKeyRoutes keys;
    final AlertsTokenRoutes tokens;
    final ActivityRoutes activities;
    final AlertRoutes alerts;
    final WebhookRoutes webhooks;
    final DashboardRoutes dashboards;
    final PrometheusRoutes prometheus;
    final UsageRoutes usage;
    final PartRoutes upgradeWindow;
    final PartRoutes scalingSchedule;
    final PartRoutes queryEndpoint;
    final SettingRoutes settings;
    final ItemRoutes roles;
    final ItemRoutes members;
    final ItemRoutes invitations;
    final ItemRoutes byoc;
    final QuotaRoutes quotas;
    final JoinRoutes join;
    final Console.Operations forConsole;
    final String planeName;
    final RuleBook rules;
    final Clock clock;
    final SnapshotControl.Ground snapshots;

    /** The parts that the operations of the API work with. */
    record Ground(
            Store store,
            Clock clock,
            RuleBook rules,
            ServiceDefaults serviceDefaults,
            UsagePrices prices,
            Map<Quota, Integer> quotas,
            SecretText secrets,
            SecretHash hash,
            Vault vault,
            WebhookAddresses outgoing,
            ApiKeyMaker keyMaker,
            Roles roles,
            FirstMember firstMember,
            PlaneParts plane,
            PipeWiring pipes,
            BackupsOfService backups,
            ServiceFollower followers,
            Timeline timeline,
            AlertWiring alerting,
            PulseHistory pulses,
            Wake wake,
            OnceOnly onceOnly,
            Executor threads) {}

    ApiParts(Ground ground) {
        Store store = ground.store();
        snapshots = new SnapshotControl.Ground(
                ground.plane()
                        .memory()
                        .map(memory -> memory.andThen(ground.pipes()::forget)
                                .andThen(ground.alerting().deliveries()::forget)
                                .andThen(ids -> ground.timeline()
                                        .forget(ids, ground.clock().now()))),
                ground.plane().data(),
                ground.pipes()::end,
                ground.vault(),
                ground.hash(),
                ground.keyMaker());
        clock = ground.clock();
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
        ServiceOperations serviceOperations = new ServiceOperations(
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
                wake);
        services = new ServiceRoutes(serviceOperations, privateEndpoints, onceOnly, ground.threads());
        timeline = new TimelineRoutes(new TimelineOperations(store, clock, ground.timeline()));
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
        PipeSchemaOperations schemas =
                new PipeSchemaOperations(store, rules, ground.pipes().schemas());
        pipes = new PipeRoutes(
                new PipeOperations(store, clock, rules, ground.vault(), schemas, wake), schemas, onceOnly);
        offsets = new PipeOffsetRoutes(
                new PipeOffsetOperations(store, clock, ground.pipes().progress()));
        endpoints =
                new ReversePrivateEndpointRoutes(new ReversePrivateEndpointOperations(store, clock, wake), onceOnly);
        Admins admins = new Admins(ground.roles(), List.of(new KeyHolders(clock), new MemberHolders(clock)));
        MemberKind memberKind = new MemberKind(admins);
        InvitationKind invitationKind = new InvitationKind(ground.roles(), memberKind, ground.hash());
        members = items(ground, memberKind, "userId");
        invitations = items(ground, invitationKind, "invitationId");
        byoc = items(ground, new ByocKind(rules), "byocInfrastructureId");
        MemberSignIn signIn = new MemberSignIn(store, ground.roles(), ground.secrets(), ground.hash());
        join = new JoinRoutes(new JoinOperations(store, clock, invitationKind, memberKind, signIn));
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
        usage = new UsageRoutes(new UsageOperations(store, clock, ground.prices()));
        forConsole = new Console.Operations(
                serviceOperations,
                activities.activities(),
                backups.backups(),
                join.join(),
                signIn,
                usage.usage(),
                timeline.timelines(),
                ground.pipes().progress(),
                ground.pulses(),
                store,
                clock,
                rules);
        alerts = new AlertRoutes(
                new AlertOperations(store, clock, wake), ground.alerting().deliveries(), onceOnly);
        webhooks = new WebhookRoutes(ground.alerting().webhooks(), onceOnly);
        dashboards = new DashboardRoutes(new DashboardOperations(store, clock, wake), onceOnly);
        prometheus = new PrometheusRoutes(
                new FigureOperations(store),
                ground.plane().figures(),
                ground.pipes().progress(),
                ground.threads());
        upgradeWindow = part(ground, new UpgradeWindow());
        scalingSchedule = part(ground, new ScalingSchedule(new QuotasOfService(ground.quotas())::requireReplicas));
        quotas = new QuotaRoutes(new QuotaOperations(store, ground.quotas()));
        queryEndpoint = part(ground, new QueryEndpoint());
        settings = new SettingRoutes(
                new SettingOperations(store, clock, ground.plane().settings(), ground.followers(), wake));
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
}
