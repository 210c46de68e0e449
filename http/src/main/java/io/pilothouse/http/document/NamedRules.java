package io.pilothouse.http.document;

import io.pilothouse.core.alert.AlertChannel;
import io.pilothouse.core.alert.AlertInterval;
import io.pilothouse.core.alert.AlertThreshold;
import io.pilothouse.core.backup.BucketProvider;
import io.pilothouse.core.base.FieldShape;
import io.pilothouse.core.base.Rule;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.byoc.ByocKind;
import io.pilothouse.core.member.InvitationKind;
import io.pilothouse.core.member.MemberKind;
import io.pilothouse.core.metric.Metric;
import io.pilothouse.core.organization.OrganizationTier;
import io.pilothouse.core.part.ScalingSchedule;
import io.pilothouse.core.part.UpgradeWindow;
import io.pilothouse.core.pipe.PipeCommand;
import io.pilothouse.core.pipe.PipeDestinationRules;
import io.pilothouse.core.pipe.PipeKind;
import io.pilothouse.core.pipe.PipeSettings;
import io.pilothouse.core.pipe.ReversePrivateEndpoint;
import io.pilothouse.core.query.QueryEndpoint;
import io.pilothouse.core.right.Role;
import io.pilothouse.core.role.RoleKind;
import io.pilothouse.core.service.ServiceCommand;
import io.pilothouse.core.webhook.WebhookService;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What a document may be marked with, by name. */
record NamedRules(Map<String, Rule> rules, Map<String, List<FieldShape>> shapes) {

    /** The rules of an edition, and the words of enumerations by the names of these. */
    static NamedRules of(RuleBook book) {
        Map<String, Rule> rules = new TreeMap<>(book.byName());
        rules.put("AlertChannel", AlertChannel.TYPES);
        rules.put("AlertInterval", AlertInterval.WORDS);
        rules.put("AlertThreshold", AlertThreshold.Type.WORDS);
        rules.put("Metric", Metric.WORDS);
        rules.put("Metric.Aggregation", Metric.Aggregation.WORDS);
        rules.put("OrganizationTier", OrganizationTier.WORDS);
        rules.put("PipeCommand", PipeCommand.WORDS);
        rules.put("ReversePrivateEndpoint.Type", ReversePrivateEndpoint.Type.WORDS);
        rules.put("Role", Role.WORDS);
        rules.put("ServiceCommand", ServiceCommand.WORDS);
        rules.put("WebhookService", WebhookService.WORDS);
        return new NamedRules(rules, shapes(book));
    }

    private static Map<String, List<FieldShape>> shapes(RuleBook book) {
        Map<String, List<FieldShape>> shapes = new TreeMap<>();
        for (PipeKind kind : PipeKind.values()) {
            shapes.put(kind.member(), kind.shape());
            if (kind.database()) {
                shapes.put(kind.member() + "Table", kind.tableMapping());
                shapes.put(kind.member() + "RemovedTable", kind.removedTable());
            }
        }
        shapes.put("destination", PipeDestinationRules.SHAPE);
        shapes.put("shownDestination", PipeDestinationRules.SHOWN);
        shapes.put("fieldMapping", PipeDestinationRules.MAPPING);
        shapes.put("pipeSettings", PipeSettings.shape());
        shapes.put("role", RoleKind.shape());
        shapes.put("member", MemberKind.shape());
        shapes.put("invitation", InvitationKind.shape());
        shapes.put("byocInfrastructure", ByocKind.shape(book));
        for (BucketProvider provider : BucketProvider.values()) {
            shapes.put(provider.name().toLowerCase(Locale.ROOT) + "BackupBucket", provider.fields());
        }
        UpgradeWindow window = new UpgradeWindow();
        shapes.put(window.name(), window.fields(book));
        QueryEndpoint queries = new QueryEndpoint();
        shapes.put(queries.name(), queries.fields(book));
        shapes.put(
                "scalingScheduleEntry",
                new ScalingSchedule().fields(book).getFirst().members());
        return shapes;
    }
}
