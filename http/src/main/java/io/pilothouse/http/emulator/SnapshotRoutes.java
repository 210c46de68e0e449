package io.pilothouse.http.emulator;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.key.AlertsTokenCreated;
import io.pilothouse.core.key.ApiKeyCreated;
import io.pilothouse.core.snapshot.Fork;
import io.pilothouse.core.snapshot.Snapshot;
import io.pilothouse.core.snapshot.SnapshotOperations;
import io.pilothouse.http.json.Ids;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.json.RequestBody;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Request;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Snapshots over HTTP: taken, listed, gone back to, forked and deleted. */
public record SnapshotRoutes(SnapshotOperations snapshots) {
    private static final String NAME = "snapshotName";

    public Answer list(Request request) {
        request.checkedPermit();
        return request.untagged(snapshots.list(), (out, all) -> {
            out.startArray();
            all.forEach(each -> writeOne(out, each));
            out.endArray();
        });
    }

    public Answer get(Request request) {
        request.checkedPermit();
        return request.untagged(snapshots.get(request.name(NAME)), SnapshotRoutes::writeOne);
    }

    public Answer take(Request request) {
        long began = System.nanoTime();
        RequestBody body = request.objectIfAny();
        UUID organizationId = organizationId(body, request.faults());
        request.checkedPermit();
        return timed(request, began, snapshots.take(request.name(NAME), organizationId));
    }

    public Answer goBack(Request request) {
        long began = System.nanoTime();
        request.checkedPermit();
        return timed(request, began, snapshots.goBack(request.name(NAME)));
    }

    private static Answer timed(Request request, long began, Snapshot snapshot) {
        return request.untagged(snapshot, (out, each) -> {
            out.startObject();
            write(out, each);
            out.number("milliseconds", TenantRoutes.since(began));
            out.endObject();
        });
    }

    /** The keys of a fork are shown this once. */
    public Answer fork(Request request) {
        long began = System.nanoTime();
        RequestBody body = request.objectIfAny();
        UUID organizationId = organizationId(body, request.faults());
        String name = body.text("name");
        request.checkedPermit();
        Fork.Forked forked = snapshots.fork(request.name(NAME), organizationId, name);
        return request.untagged(forked, (out, each) -> write(out, each, began)).unstored();
    }

    public Answer delete(Request request) {
        request.checkedPermit();
        snapshots.delete(request.name(NAME));
        return request.done();
    }

    private static @Nullable UUID organizationId(RequestBody body, Faults faults) {
        String text = body.text("organizationId");
        if (text == null) {
            return null;
        }
        UUID id = Ids.parse(text);
        if (id == null) {
            faults.add("organizationId", "must be a UUID");
        }
        return id;
    }

    private static void writeOne(JsonWriter out, Snapshot snapshot) {
        out.startObject();
        write(out, snapshot);
        out.endObject();
    }

    private static void write(JsonWriter out, Snapshot snapshot) {
        out.text("name", snapshot.name());
        out.id("organizationId", snapshot.organizationId());
        out.time("takenAt", snapshot.takenAt());
        out.whole("services", snapshot.services());
        out.whole("rows", snapshot.rows());
        out.whole("bytes", snapshot.bytes());
        Long dataBytes = snapshot.dataBytes();
        if (dataBytes != null) {
            out.whole("dataBytes", dataBytes);
        }
    }

    private static void write(JsonWriter out, Fork.Forked forked, long began) {
        out.startObject();
        out.startObject("organization");
        out.id("id", forked.organizationId());
        out.text("name", forked.name());
        out.endObject();
        out.startArray("keys");
        for (ApiKeyCreated key : forked.keys()) {
            out.startObject();
            out.id("id", key.key().id());
            out.text("name", key.key().name());
            out.text("keyId", key.keyId());
            out.text("keySecret", key.keySecret());
            out.endObject();
        }
        out.endArray();
        out.startArray("alertsTokens");
        for (AlertsTokenCreated token : forked.tokens()) {
            out.startObject();
            out.id("id", token.token().id());
            out.text("name", token.token().name());
            out.text("accessToken", token.accessToken());
            out.endObject();
        }
        out.endArray();
        out.number("milliseconds", TenantRoutes.since(began));
        out.endObject();
    }
}
