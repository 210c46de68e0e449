package io.pilothouse.console;

import io.pilothouse.core.base.Refused;
import io.pilothouse.core.service.Service;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.wire.Verb;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;

/** What the page of a service can ask for, each as the request of the API that does it. */
enum ServiceAction {
    START,
    STOP,
    AWAKE,
    SCALE,
    BACKUP,
    RESTORE,
    DELETE;

    private static final Pattern WHOLE = Pattern.compile("-?\\d{1,9}");

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static ServiceAction of(String word) {
        for (ServiceAction action : values()) {
            if (action.word().equals(word)) {
                return action;
            }
        }
        throw Refused.notFound("Path");
    }

    /** The request that does this to a service with what was typed. */
    ApiCall call(Visit visit, Service service, Fields form) {
        String services = visit.organizationPath() + "/services";
        String path = services + "/" + service.id();
        return switch (this) {
            case START, STOP, AWAKE ->
                ApiCall.of(Verb.PATCH, path + "/state", body(out -> out.text("command", word())));
            case SCALE -> ApiCall.of(Verb.PATCH, path + "/replicaScaling", body(out -> scaling(out, form)));
            case BACKUP -> ApiCall.of(Verb.POST, path + "/backups");
            case RESTORE ->
                ApiCall.of(Verb.POST, services, body(out -> {
                    out.text("name", form.text("name"));
                    out.text("provider", service.placement().provider());
                    out.text("region", service.placement().region());
                    out.text("backupId", form.text("backupId"));
                }));
            case DELETE -> ApiCall.of(Verb.DELETE, path);
        };
    }

    private static void scaling(JsonWriter out, Fields form) {
        number(out, "minReplicaMemoryGb", form);
        number(out, "maxReplicaMemoryGb", form);
        number(out, "numReplicas", form);
        out.flag("idleScaling", !form.text("idleScaling").isEmpty());
        number(out, "idleTimeoutMinutes", form);
    }

    /** What is no number goes as it was typed: the API says which field is wrong. */
    private static void number(JsonWriter out, String name, Fields form) {
        String text = form.text(name);
        if (WHOLE.matcher(text).matches()) {
            out.whole(name, Integer.parseInt(text));
        } else {
            out.text(name, text);
        }
    }

    private static String body(JsonWriter.Part members) {
        byte[] document = JsonWriter.document(out -> {
            out.startObject();
            members.write(out);
            out.endObject();
        });
        return new String(document, StandardCharsets.UTF_8);
    }
}
