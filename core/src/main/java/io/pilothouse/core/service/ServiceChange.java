package io.pilothouse.core.service;

import io.pilothouse.core.base.EndpointSwitch;
import io.pilothouse.core.base.IpAccessEntry;
import io.pilothouse.core.base.ListChange;
import io.pilothouse.core.base.Tag;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.right.Permission;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
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
        Tree.Members fields) {

    /** The rights that it takes beside that to change a service at all. */
    Set<Permission> rights() {
        Set<Permission> rights = EnumSet.noneOf(Permission.class);
        if (ipAccessList != null) {
            rights.add(Permission.ACCESS_LIST_WRITE);
        }
        if (privateEndpointIds != null) {
            rights.add(Permission.PRIVATE_ENDPOINT_WRITE);
        }
        boolean more = Stream.of(name, releaseChannel, endpoints, transparentDataEncryptionKeyId, tags)
                        .anyMatch(Objects::nonNull)
                || ServiceFields.anyIn(fields);
        if (more) {
            rights.add(Permission.SERVICE_WRITE);
        }
        return rights;
    }
}
