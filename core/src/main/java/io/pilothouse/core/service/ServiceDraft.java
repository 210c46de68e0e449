package io.pilothouse.core.service;

import io.pilothouse.core.base.EndpointSwitch;
import io.pilothouse.core.base.IpAccessEntry;
import io.pilothouse.core.base.Tag;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.scaling.ScalingDraft;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A create request as it was read: null is "not given", types are right, nothing else was checked yet. {@code fields}
 * are all members as they were sent, for {@link ServiceFields}.
 */
public record ServiceDraft(
        @Nullable String name,
        @Nullable String provider,
        @Nullable String region,
        @Nullable String tier,
        @Nullable List<IpAccessEntry> ipAccessList,
        ScalingDraft scaling,
        @Nullable Boolean isReadonly,
        @Nullable String dataWarehouseId,
        @Nullable UUID backupId,
        @Nullable String encryptionKey,
        @Nullable String encryptionAssumedRoleIdentifier,
        @Nullable List<String> privateEndpointIds,
        @Nullable Boolean privatePreviewTermsChecked,
        @Nullable String releaseChannel,
        @Nullable String byocId,
        @Nullable Boolean hasTransparentDataEncryption,
        @Nullable List<EndpointSwitch> endpoints,
        @Nullable String profile,
        @Nullable String complianceType,
        @Nullable List<Tag> tags,
        Tree.Members fields) {}
