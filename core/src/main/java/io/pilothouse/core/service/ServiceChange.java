package io.pilothouse.core.service;

import io.pilothouse.core.base.EndpointSwitch;
import io.pilothouse.core.base.IpAccessEntry;
import io.pilothouse.core.base.ListChange;
import io.pilothouse.core.base.Tag;
import io.pilothouse.core.base.Tree;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An update request as it was read: null is "leave it"; {@code fields} are all members, for {@link ServiceFields}. */
public record ServiceChange(
        @Nullable String name,
        @Nullable ListChange<IpAccessEntry> ipAccessList,
        @Nullable ListChange<String> privateEndpointIds,
        @Nullable String releaseChannel,
        @Nullable List<EndpointSwitch> endpoints,
        @Nullable String transparentDataEncryptionKeyId,
        @Nullable ListChange<Tag> tags,
        Tree.Members fields) {}
