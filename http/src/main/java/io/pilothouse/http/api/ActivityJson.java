package io.pilothouse.http.api;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.activity.Refusal;
import io.pilothouse.core.right.Client;
import io.pilothouse.http.json.JsonWriter;
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

    private static @Nullable UUID targetKeyId(Activity activity) {
        return activity.type().equals(KEY_UPDATE) ? activity.subjectId() : null;
    }
}
