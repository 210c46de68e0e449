package io.pilothouse.http.api;

import io.pilothouse.core.pipe.ReversePrivateEndpoint;
import io.pilothouse.http.json.JsonWriter;

/** Reverse private endpoints as clients see them. */
final class ReversePrivateEndpointJson {
    private ReversePrivateEndpointJson() {}

    static void write(JsonWriter out, ReversePrivateEndpoint endpoint) {
        out.startObject();
        out.id("id", endpoint.id());
        out.id("serviceId", endpoint.serviceId());
        out.text("description", endpoint.description());
        out.text("type", endpoint.type().name());
        out.text("vpcEndpointServiceName", endpoint.vpcEndpointServiceName());
        out.text("vpcResourceConfigurationId", endpoint.vpcResourceConfigurationId());
        out.text("vpcResourceShareArn", endpoint.vpcResourceShareArn());
        out.text("mskClusterArn", endpoint.mskClusterArn());
        out.text("mskAuthentication", endpoint.mskAuthentication());
        out.text("gcpServiceAttachment", endpoint.gcpServiceAttachment());
        out.list("customPrivateDnsMappings", endpoint.customPrivateDnsNames(), (json, name) -> {
            json.startObject();
            json.text("privateDnsName", name);
            json.endObject();
        });
        out.text("endpointId", endpoint.endpointId());
        out.texts("dnsNames", endpoint.dnsNames());
        out.texts("privateDnsNames", endpoint.privateDnsNames());
        out.text("status", endpoint.shownStatus().word());
        out.endObject();
    }
}
