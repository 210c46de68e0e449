package io.pilothouse.http.api;

import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeCdcScaling;
import io.pilothouse.core.pipe.PipeLedger;
import io.pilothouse.core.pipe.PipeSchemaReader;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.json.TreeJson;

/** Pipes as clients see them: everything that was sent, but for the secrets. */
final class PipeJson {
    private PipeJson() {}

    static void write(JsonWriter out, Pipe pipe) {
        out.startObject();
        out.id("id", pipe.id());
        out.id("serviceId", pipe.serviceId());
        out.text("name", pipe.name());
        out.text("state", pipe.state().word());
        out.text("stateReason", pipe.seen().trouble());
        out.startObject("scaling");
        out.whole("replicas", pipe.scaling().replicas());
        out.whole("concurrency", pipe.scaling().concurrency());
        out.whole("replicaCpuMillicores", pipe.scaling().replicaCpuMillicores());
        out.number("replicaMemoryGb", pipe.scaling().replicaMemoryGb());
        out.endObject();
        out.startObject("source");
        TreeJson.write(out, pipe.kind().member(), pipe.source());
        out.endObject();
        // The roles are a wish for the database user that a pipe makes, and no part of the pipe.
        TreeJson.write(out, "destination", pipe.destination().with("roles", null));
        TreeJson.write(out, "fieldMappings", pipe.fieldMappings());
        TreeJson.write(out, "settings", pipe.settings());
        out.time("createdAt", pipe.createdAt());
        out.time("updatedAt", pipe.updatedAt());
        out.endObject();
    }

    static void writeSchema(JsonWriter out, PipeSchemaReader.Schema schema) {
        out.startObject();
        out.list("fields", schema.fields(), (json, field) -> {
            json.startObject();
            json.text("name", field.name());
            json.text("type", field.type());
            json.flag("optional", field.optional());
            json.endObject();
        });
        out.startObject("meta");
        schema.meta().forEach(out::text);
        out.endObject();
        out.endObject();
    }

    static void writeReplays(JsonWriter out, PipeLedger.Replays replays) {
        out.startObject();
        out.whole("replay", replays.replay());
        out.whole("done", replays.done());
        out.endObject();
    }

    static void writeCdcScaling(JsonWriter out, PipeCdcScaling scaling) {
        out.startObject();
        out.whole("replicaCpuMillicores", scaling.replicaCpuMillicores());
        out.number("replicaMemoryGb", scaling.replicaMemoryGb());
        out.endObject();
    }
}
