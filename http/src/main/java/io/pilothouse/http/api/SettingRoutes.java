package io.pilothouse.http.api;

import io.pilothouse.core.base.Precondition;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.setting.SettingOperations;
import io.pilothouse.core.setting.SettingOperations.Changed;
import io.pilothouse.core.setting.SettingOperations.Shown;
import io.pilothouse.core.setting.SettingOperations.Warning;
import io.pilothouse.core.setting.SettingShape;
import io.pilothouse.core.setting.SettingValues;
import io.pilothouse.http.json.JsonReader;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.json.RequestBody;
import io.pilothouse.http.json.TreeJson;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Request;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The settings of ClickHouse that a service has, over HTTP. */
public record SettingRoutes(SettingOperations settings) {
    private static final String SETTINGS = "settings";
    private static final Tree ON = new Tree.Figure(1);
    private static final Tree OFF = new Tree.Figure(0);

    public Answer schema(Request request) {
        return request.one(
                settings.schema(request.checkedPermit(), request.id("serviceId")),
                (out, shapes) -> writeList(out, shapes, SettingRoutes::writeShape));
    }

    public Answer list(Request request) {
        return request.one(settings.list(request.checkedPermit(), request.id("serviceId")), SettingRoutes::writeAll);
    }

    public Answer get(Request request) {
        return request.one(
                settings.get(request.checkedPermit(), request.id("serviceId"), request.name("settingName")),
                SettingRoutes::write);
    }

    public Answer update(Request request) {
        RequestBody body = request.object();
        Precondition<List<Shown>> precondition = request.precondition(SettingRoutes::writeAll);
        Tree sent = body.members().values().get(SETTINGS);
        Tree.Members given = sent instanceof Tree.Members members ? members : read(body, request);
        return request.untagged(
                settings.update(request.permit(), request.id("serviceId"), given, precondition, request.faults()),
                (out, changed) -> writeChanged(out, changed, sent instanceof Tree.Members));
    }

    /** The object in the text, as the live document has it; what is wrong with it is said of the field that it is in. */
    private static Tree.Members read(RequestBody body, Request request) {
        String text = body.requiredText(SETTINGS);
        if (request.faults().has(SETTINGS)) {
            return Tree.Members.NONE;
        }
        try {
            return JsonReader.readObject(text.getBytes(StandardCharsets.UTF_8), request.faults());
        } catch (Refused malformed) {
            malformed.details().forEach(fault -> request.faults().add(SETTINGS, fault.message()));
            return Tree.Members.NONE;
        }
    }

    public Answer delete(Request request) {
        settings.delete(
                request.checkedPermit(),
                request.id("serviceId"),
                request.name("settingName"),
                request.precondition(SettingRoutes::write));
        return request.done();
    }

    private static void writeAll(JsonWriter out, List<Shown> all) {
        writeList(out, all, SettingRoutes::write);
    }

    private static <T> void writeList(JsonWriter out, List<T> all, JsonWriter.ItemWriter<T> writer) {
        out.startObject();
        out.list(SETTINGS, all, writer);
        out.endObject();
    }

    private static void write(JsonWriter out, Shown setting) {
        out.startObject();
        out.text("name", setting.name());
        out.text("value", setting.value());
        out.endObject();
    }

    private static void writeShape(JsonWriter out, SettingShape shape) {
        out.startObject();
        out.text("name", shape.name());
        out.text("type", shape.values().type());
        out.text("description", shape.description());
        if (shape.values() instanceof SettingValues.Flag) {
            out.list("enum", List.of(OFF, ON), TreeJson::write);
        }
        out.text("warning", shape.warning());
        out.text("example", shape.byDefault());
        out.endObject();
    }

    /** The settings come back in the form in which they were sent: as an object, or as the text of one. */
    private static void writeChanged(JsonWriter out, Changed changed, boolean plain) {
        out.startObject();
        if (plain) {
            out.name(SETTINGS);
            writeApplied(out, changed);
        } else {
            byte[] applied = JsonWriter.document(inner -> writeApplied(inner, changed));
            out.text(SETTINGS, new String(applied, StandardCharsets.UTF_8));
        }
        out.list("warnings", changed.warnings(), SettingRoutes::writeWarning);
        out.endObject();
    }

    private static void writeWarning(JsonWriter out, Warning warning) {
        out.startObject();
        out.text("name", warning.name());
        out.text("message", warning.message());
        out.endObject();
    }

    private static void writeApplied(JsonWriter out, Changed changed) {
        out.startObject();
        changed.applied().forEach(out::text);
        out.endObject();
    }
}
