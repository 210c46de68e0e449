package io.pilothouse.http.api;

import io.pilothouse.core.base.Tag;
import io.pilothouse.core.service.Service;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.incoming.CalledAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** A service as a target group of Prometheus, which scrapes it at the address where the list was asked for. */
record PrometheusTargetJson(CalledAddress address, boolean filtered) {
    private static final Pattern NOT_IN_LABELS = Pattern.compile("[^a-zA-Z0-9_]");

    void write(JsonWriter out, Service service) {
        String organization = service.organizationId().toString();
        out.startObject();
        out.texts("targets", List.of(address.authority()));
        out.startObject("labels");
        out.text("__scheme__", address.scheme());
        out.text("__metrics_path__", "/v1/organizations/" + organization + "/services/" + service.id() + "/prometheus");
        out.text("__param_filtered_metrics", Boolean.toString(filtered));
        out.text("__meta_clickhouse_provider", service.placement().provider());
        out.text("__meta_clickhouse_region", service.placement().region());
        labels(service.details().tags()).forEach(out::text);
        out.text("clickhouse_org_id", organization);
        out.text("clickhouse_service_id", service.id().toString());
        out.text("clickhouse_discovery_service_name", service.name());
        out.endObject();
        out.endObject();
    }

    /** Of two keys that give the same label, the first one's value stays. */
    private static Map<String, String> labels(List<Tag> tags) {
        Map<String, String> labels = new LinkedHashMap<>();
        for (Tag tag : tags) {
            String key = NOT_IN_LABELS.matcher(tag.key()).replaceAll("_");
            labels.putIfAbsent("__meta_clickhouse_tagpresent_" + key, "true");
            if (tag.value() != null) {
                labels.putIfAbsent("__meta_clickhouse_tag_" + key, tag.value());
            }
        }
        return labels;
    }
}
