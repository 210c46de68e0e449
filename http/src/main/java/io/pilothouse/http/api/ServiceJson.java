package io.pilothouse.http.api;

import io.pilothouse.core.base.IpAccessEntry;
import io.pilothouse.core.base.Tag;
import io.pilothouse.core.organization.PrivateEndpoint;
import io.pilothouse.core.part.ScalingSchedule;
import io.pilothouse.core.privateendpoint.PrivateEndpointConfig;
import io.pilothouse.core.scaling.Scaling;
import io.pilothouse.core.service.Endpoint;
import io.pilothouse.core.service.NewPassword;
import io.pilothouse.core.service.NewService;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceView;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.json.TreeJson;

/** Services as clients see them. */
public final class ServiceJson {
    private ServiceJson() {}

    static void writeNew(JsonWriter out, NewService made) {
        out.startObject();
        out.name("service");
        write(out, made.view());
        out.text("password", made.password());
        out.endObject();
    }

    public static void write(JsonWriter out, ServiceView view) {
        Service service = view.service();
        out.startObject();
        out.id("id", service.id());
        out.text("name", service.name());
        out.text("provider", service.placement().provider());
        out.text("region", service.placement().region());
        out.text("state", service.state().word());
        out.text("stateReason", service.seen().reason());
        out.text("dbVersion", service.seen().dbVersion());
        out.text("clickhouseVersion", service.seen().dbVersion());
        out.text("tier", service.placement().tier());
        out.list("endpoints", view.endpoints(), ServiceJson::writeEndpoint);
        writeScaling(out, service, service.scaling(), service.scalingNow());
        ScalingSchedule.shown(service).ifPresent(schedule -> TreeJson.write(out, "scalingSchedule", schedule));
        out.list("ipAccessList", service.access().ipAccessList(), ServiceJson::writeAccessEntry);
        out.time("createdAt", service.createdAt());
        out.text("encryptionKey", service.details().encryption().key());
        out.text(
                "encryptionAssumedRoleIdentifier",
                service.details().encryption().assumedRoleIdentifier());
        out.text("iamRole", service.iamRole());
        out.texts("privateEndpointIds", service.access().privateEndpointIds());
        out.texts("availablePrivateEndpointIds", view.availablePrivateEndpointIds());
        out.id("dataWarehouseId", service.warehouse().id());
        out.flag("isPrimary", service.warehouse().primary());
        out.flag("isReadonly", service.warehouse().readonly());
        out.text("releaseChannel", service.details().releaseChannel());
        out.text("byocId", service.placement().byocId());
        out.flag("hasTransparentDataEncryption", service.details().encryption().transparent());
        out.text("transparentDataEncryptionKeyId", service.transparentDataEncryptionKeyId());
        out.text("encryptionRoleId", service.encryptionRoleId());
        out.text("profile", service.placement().profile());
        out.text("complianceType", service.placement().complianceType());
        out.list("tags", service.details().tags(), ServiceJson::writeTag);
        TreeJson.writeMembers(out, service.details().fields());
        out.endObject();
    }

    private static void writeScaling(JsonWriter out, Service service, Scaling scaling, Scaling inForce) {
        Scaling.Band band = scaling.band();
        out.whole("minTotalMemoryGb", scaling.minTotalMemoryGb());
        out.whole("maxTotalMemoryGb", scaling.maxTotalMemoryGb());
        out.whole("minReplicaMemoryGb", scaling.minReplicaMemoryGb());
        out.whole("maxReplicaMemoryGb", scaling.maxReplicaMemoryGb());
        out.whole("numReplicas", scaling.numReplicas());
        if (band != null) {
            out.whole("minReplicas", band.minReplicas());
            out.whole("maxReplicas", band.maxReplicas());
            out.whole("replicaMemoryGb", scaling.minReplicaMemoryGb());
        }
        out.text("autoscalingMode", scaling.autoscalingMode());
        out.startObject("currentScaling");
        out.text("effectiveAutoscalingMode", inForce.autoscalingMode());
        out.whole("effectiveMinReplicaMemoryGb", inForce.minReplicaMemoryGb());
        out.whole("effectiveMaxReplicaMemoryGb", inForce.maxReplicaMemoryGb());
        out.whole("effectiveMinReplicas", inForce.lowestReplicas());
        out.whole("effectiveMaxReplicas", inForce.highestReplicas());
        out.flag("effectiveIdleScaling", inForce.idleScaling());
        out.whole("effectiveIdleTimeoutMinutes", inForce.idleTimeoutMinutes());
        ScalingSchedule.activeEntryId(service).ifPresent(id -> out.text("activeEntryId", id));
        out.endObject();
        out.flag("idleScaling", scaling.idleScaling());
        out.whole("idleTimeoutMinutes", scaling.idleTimeoutMinutes());
    }

    private static void writeEndpoint(JsonWriter out, Endpoint endpoint) {
        out.startObject();
        out.text("protocol", endpoint.protocol());
        out.text("host", endpoint.host());
        out.whole("port", endpoint.port());
        out.text("username", endpoint.username());
        out.endObject();
    }

    private static void writeTag(JsonWriter out, Tag tag) {
        out.startObject();
        out.text("key", tag.key());
        out.text("value", tag.value());
        out.endObject();
    }

    static void writeAccessEntry(JsonWriter out, IpAccessEntry entry) {
        out.startObject();
        out.text("source", entry.source());
        out.text("description", entry.description());
        out.endObject();
    }

    static void writeNewPassword(JsonWriter out, NewPassword made) {
        out.startObject();
        out.text("password", made.password());
        out.endObject();
    }

    static void writePrivateEndpointConfig(JsonWriter out, PrivateEndpointConfig config) {
        out.startObject();
        out.text("endpointServiceId", config.endpointServiceId());
        out.text("privateDnsHostname", config.privateDnsHostname());
        out.endObject();
    }

    static void writePrivateEndpoint(JsonWriter out, PrivateEndpoint endpoint) {
        out.startObject();
        out.text("id", endpoint.id());
        out.text("description", endpoint.description());
        out.text("cloudProvider", endpoint.cloudProvider());
        out.text("region", endpoint.region());
        out.endObject();
    }
}
