package io.pilothouse.store;

import io.pilothouse.core.base.Kind;
import io.pilothouse.core.key.ApiKey;
import io.pilothouse.core.right.Role;

/** Keys of the management API as rows, found by the hash of the key id; hashes are all that is kept of the secrets. */
final class ApiKeyRows implements Rows<ApiKey> {
    @Override
    public Kind<ApiKey> kind() {
        return ApiKey.KIND;
    }

    @Override
    public String reference(ApiKey row) {
        return row.keyIdHash();
    }

    @Override
    public void write(ApiKey row, DocumentOut document) {
        document.text("name", row.name())
                .flag("enabled", row.enabled())
                .texts("roles", row.roles().stream().map(Role::name).toList())
                .text("keySuffix", row.keySuffix())
                .text("keyIdHash", row.keyIdHash())
                .text("secretHash", row.secretHash())
                .text("expireAt", row.expireAt())
                .text("usedAt", row.usedAt());
        IpAccess.write(row.ipAccessList(), document);
    }

    @Override
    public ApiKey read(Head head, DocumentIn document) {
        return new ApiKey(
                head.id(),
                head.ownerId(),
                head.createdAt(),
                head.version(),
                document.text("name", ""),
                document.flag("enabled"),
                document.texts("roles").stream().map(Role::valueOf).toList(),
                document.text("keySuffix", ""),
                document.text("keyIdHash", ""),
                document.text("secretHash", ""),
                document.instantOrNull("expireAt"),
                document.instantOrNull("usedAt"),
                IpAccess.read(document));
    }

    @Override
    public ApiKey withVersion(ApiKey row, long version) {
        return new ApiKey(
                row.id(),
                row.organizationId(),
                row.createdAt(),
                version,
                row.name(),
                row.enabled(),
                row.roles(),
                row.keySuffix(),
                row.keyIdHash(),
                row.secretHash(),
                row.expireAt(),
                row.usedAt(),
                row.ipAccessList());
    }
}
