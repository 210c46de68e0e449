package io.pilothouse.core.pipe;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request for a reverse private endpoint as it was read: null is "not given". */
public record ReversePrivateEndpointDraft(
        @Nullable String description,
        @Nullable String type,
        @Nullable String vpcEndpointServiceName,
        @Nullable String vpcResourceConfigurationId,
        @Nullable String vpcResourceShareArn,
        @Nullable String mskClusterArn,
        @Nullable String mskAuthentication,
        @Nullable String gcpServiceAttachment,
        @Nullable List<String> customPrivateDnsNames) {}
