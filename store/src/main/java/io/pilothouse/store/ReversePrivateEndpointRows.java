package io.pilothouse.store;

import io.pilothouse.core.base.Kind;
import io.pilothouse.core.pipe.ReversePrivateEndpoint;
import org.jspecify.annotations.Nullable;

/** Reverse private endpoints as rows, owned by their service. */
final class ReversePrivateEndpointRows implements Rows<ReversePrivateEndpoint> {
    @Override
    public Kind<ReversePrivateEndpoint> kind() {
        return ReversePrivateEndpoint.KIND;
    }

    @Override
    public @Nullable String reference(ReversePrivateEndpoint row) {
        return null;
    }

    @Override
    public void write(ReversePrivateEndpoint row, DocumentOut document) {
        document.text("organizationId", row.organizationId())
                .text("description", row.description())
                .text("type", row.type().name())
                .text("vpcEndpointServiceName", row.vpcEndpointServiceName())
                .text("vpcResourceConfigurationId", row.vpcResourceConfigurationId())
                .text("vpcResourceShareArn", row.vpcResourceShareArn())
                .text("mskClusterArn", row.mskClusterArn())
                .text("mskAuthentication", row.mskAuthentication())
                .text("gcpServiceAttachment", row.gcpServiceAttachment())
                .texts("customPrivateDnsNames", row.customPrivateDnsNames())
                .text("status", row.status().name())
                .flag("deleted", row.deleted())
                .text("since", row.since());
    }

    @Override
    public ReversePrivateEndpoint read(Head head, DocumentIn document) {
        return new ReversePrivateEndpoint(
                head.id(),
                head.ownerId(),
                document.id("organizationId", head.ownerId()),
                head.createdAt(),
                head.version(),
                document.text("description", ""),
                document.choice("type", ReversePrivateEndpoint.Type.VPC_ENDPOINT_SERVICE),
                document.textOrNull("vpcEndpointServiceName"),
                document.textOrNull("vpcResourceConfigurationId"),
                document.textOrNull("vpcResourceShareArn"),
                document.textOrNull("mskClusterArn"),
                document.textOrNull("mskAuthentication"),
                document.textOrNull("gcpServiceAttachment"),
                document.texts("customPrivateDnsNames"),
                document.choice("status", ReversePrivateEndpoint.Status.UNKNOWN),
                document.flag("deleted"),
                document.instant("since", head.createdAt()));
    }

    @Override
    public ReversePrivateEndpoint withVersion(ReversePrivateEndpoint row, long version) {
        return new ReversePrivateEndpoint(
                row.id(),
                row.serviceId(),
                row.organizationId(),
                row.createdAt(),
                version,
                row.description(),
                row.type(),
                row.vpcEndpointServiceName(),
                row.vpcResourceConfigurationId(),
                row.vpcResourceShareArn(),
                row.mskClusterArn(),
                row.mskAuthentication(),
                row.gcpServiceAttachment(),
                row.customPrivateDnsNames(),
                row.status(),
                row.deleted(),
                row.since());
    }
}
