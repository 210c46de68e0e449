package io.pilothouse.http.api;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.activity.Changes;
import io.pilothouse.core.activity.Refusal;
import io.pilothouse.core.base.FieldChange;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.right.Client;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.json.TreeJson;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Activities as clients see them. */
final class ActivityJson {
    private static final String KEY_UPDATE = "openapi_key_update";

    private ActivityJson() {}

    static void write(JsonWriter out, Activity activity) {
        out.startObject();
        out.id("id", activity.id());
        out.time("createdAt", activity.createdAt());
        out.text("type", activity.type());
        out.text("actorType", activity.actorType());
        out.id("actorId", activity.actorId());
        out.text("actorDetails", activity.actorDetails());
        Client client = activity.client();
        out.text("actorIpAddress", client == null ? null : client.host());
        out.id("organizationId", activity.organizationId());
        out.id("serviceId", activity.serviceId());
        out.id("subjectId", activity.subjectId());
        out.id("requestId", activity.requestId());
        out.text("userAgent", client == null ? null : client.agent());
        Changes changes = activity.changes();
        if (changes != null) {
            out.list("changes", changes.fields(), ActivityJson::writeChange);
        }
        Refusal refusal = activity.refusal();
        if (refusal != null) {
            out.startObject("refusal");
            out.text("cause", refusal.cause().word());
            out.text("operationId", refusal.operationId());
            out.number("attempts", (double) refusal.attempts());
            out.time("since", refusal.since());
            out.endObject();
        }
        out.id("targetKeyId", targetKeyId(activity));
        out.endObject();
    }

    private static void writeChange(JsonWriter out, FieldChange change) {
        out.startObject();
        out.text("path", change.path());
        writeValue(out, "before", change.before());
        writeValue(out, "after", change.after());
        out.endObject();
    }

    private static void writeValue(JsonWriter out, String name, @Nullable Tree value) {
        if (value != null) {
            TreeJson.write(out, name, value);
        }
    }

    private static @Nullable UUID targetKeyId(Activity activity) {
        return activity.type().equals(KEY_UPDATE) ? activity.subjectId() : null;
    }
}
