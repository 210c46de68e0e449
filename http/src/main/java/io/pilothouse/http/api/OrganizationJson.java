package io.pilothouse.http.api;

import io.pilothouse.core.byoc.ByocKind;
import io.pilothouse.core.organization.NewOrganization;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.http.json.JsonWriter;

/** Organizations as clients see them. */
final class OrganizationJson {
    private OrganizationJson() {}

    static void writeNew(JsonWriter out, NewOrganization made) {
        out.startObject();
        out.name("organization");
        write(out, made.organization());
        out.startObject("key");
        out.text("keyId", made.key().keyId());
        out.text("keySecret", made.key().keySecret());
        out.endObject();
        out.endObject();
    }

    static void write(JsonWriter out, Organization organization) {
        out.startObject();
        out.id("id", organization.id());
        out.time("createdAt", organization.createdAt());
        out.text("name", organization.name());
        out.list("privateEndpoints", organization.privateEndpoints(), ServiceJson::writePrivateEndpoint);
        out.list("byocConfig", organization.byocConfig(), OrganizationJson::writeByoc);
        out.text("tier", organization.tier().name());
        out.flag("paid", organization.paid());
        out.flag("enableCoreDumps", organization.enableCoreDumps());
        out.endObject();
    }

    private static void writeByoc(JsonWriter out, Organization.Byoc byoc) {
        out.startObject();
        out.text("id", byoc.id());
        if (byoc.regionId() != null) {
            out.text("state", ByocKind.READY);
        }
        out.text("accountName", byoc.accountName());
        out.text("regionId", byoc.regionId());
        out.text("cloudProvider", byoc.cloudProvider());
        out.text("displayName", byoc.displayName());
        out.endObject();
    }

    static void writePrivateEndpointConfig(JsonWriter out, String endpointServiceId) {
        out.startObject();
        out.text("endpointServiceId", endpointServiceId);
        out.endObject();
    }
}
