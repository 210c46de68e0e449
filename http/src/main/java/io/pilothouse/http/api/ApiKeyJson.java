package io.pilothouse.http.api;

import io.pilothouse.core.key.ApiKey;
import io.pilothouse.core.key.ApiKeyView;
import io.pilothouse.core.key.NewApiKey;
import io.pilothouse.core.right.AssignedRoles;
import io.pilothouse.core.right.Caller;
import io.pilothouse.core.right.Role;
import io.pilothouse.core.role.Roles;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.wire.Shown;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keys as clients see them: never with a secret, except in the one answer that made it. */
final class ApiKeyJson {
    private ApiKeyJson() {}

    static void writeNew(JsonWriter out, NewApiKey made) {
        out.startObject();
        out.name("key");
        write(out, made.view());
        out.text("keyId", made.keyId());
        out.text("keySecret", made.keySecret());
        out.endObject();
    }

    static Shown shown(ApiKeyView view) {
        return Shown.of(view, ApiKeyJson::write, ApiKeyJson::writeUnused);
    }

    static void write(JsonWriter out, ApiKeyView view) {
        write(out, view, view.key().usedAt());
    }

    /** The part of it that a change can collide with: every use moves the rest. */
    static void writeUnused(JsonWriter out, ApiKeyView view) {
        write(out, view, null);
    }

    private static void write(JsonWriter out, ApiKeyView view, @Nullable Instant usedAt) {
        ApiKey key = view.key();
        out.startObject();
        out.id("id", key.id());
        out.text("name", key.name());
        out.text("state", key.enabled() ? "enabled" : "disabled");
        out.texts("roles", words(key.roles()));
        out.list("assignedRoles", view.roles(), ApiKeyJson::writeRole);
        out.text("keySuffix", key.keySuffix());
        out.time("createdAt", key.createdAt());
        out.time("expireAt", key.expireAt());
        out.time("usedAt", usedAt);
        out.list("ipAccessList", key.ipAccessList(), ServiceJson::writeAccessEntry);
        out.endObject();
    }

    /** The key that asks, as it is known once its secret was checked. */
    static void writeCaller(JsonWriter out, Caller caller) {
        out.startObject();
        out.text("actorType", "apiKey");
        out.id("keyId", caller.keyId());
        out.text("name", caller.keyName());
        out.id("organizationId", caller.organizationId());
        out.endObject();
    }

    private static List<String> words(AssignedRoles roles) {
        return roles.system().stream().filter(Role::hasWord).map(Role::word).toList();
    }

    static void writeRole(JsonWriter out, Roles.Assigned role) {
        out.startObject();
        out.id("roleId", role.id());
        out.text("roleName", role.name());
        out.text("roleType", role.system() ? "system" : "custom");
        out.endObject();
    }
}
