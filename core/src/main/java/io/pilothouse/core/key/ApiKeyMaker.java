package io.pilothouse.core.key;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.RowIds;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.right.AssignedRoles;
import io.pilothouse.core.right.Role;
import io.pilothouse.core.secret.SecretHash;
import io.pilothouse.core.secret.SecretText;
import java.util.List;
import java.util.UUID;

/** Makes keys: the secret exists in the answer to the caller and nowhere else. */
public final class ApiKeyMaker {
    private final SecretText secrets;
    private final SecretHash hash;
    private final Clock clock;

    public ApiKeyMaker(SecretText secrets, SecretHash hash, Clock clock) {
        this.secrets = secrets;
        this.hash = hash;
        this.clock = clock;
    }

    public ApiKeyCreated make(UUID organizationId, String name, List<Role> roles) {
        return of(organizationId, name, roles, secrets.keyId(), secrets.keySecret());
    }

    /** A key whose id and secret were chosen elsewhere (the operator's environment). */
    public ApiKeyCreated of(UUID organizationId, String name, List<Role> roles, String keyId, String keySecret) {
        ApiKey key = new ApiKey(
                Head.of(RowIds.at(clock.now()), organizationId, clock.now()),
                name,
                true,
                AssignedRoles.of(roles),
                ApiKeyRules.suffix(keyId),
                reference(keyId),
                hash.of(keySecret),
                null,
                null,
                List.of());
        return new ApiKeyCreated(key, keyId, keySecret);
    }

    /** The same key under an id and a secret of its own; it was never used. */
    public ApiKeyCreated again(ApiKey key, AssignedRoles roles) {
        String keyId = secrets.keyId();
        String keySecret = secrets.keySecret();
        ApiKey drawn = new ApiKey(
                key.head(),
                key.name(),
                key.enabled(),
                roles,
                ApiKeyRules.suffix(keyId),
                reference(keyId),
                hash.of(keySecret),
                key.expireAt(),
                null,
                key.ipAccessList());
        return new ApiKeyCreated(drawn, keyId, keySecret);
    }

    /** The same token with a text of its own; it was never used. */
    public AlertsTokenCreated again(AlertsToken token) {
        String text = secrets.keySecret();
        AlertsToken drawn = new AlertsToken(token.head(), token.name(), ApiKeyRules.suffix(text), hash.of(text), null);
        return new AlertsTokenCreated(drawn, text);
    }

    /** A key whose secret only the caller knows. */
    ApiKey brought(UUID organizationId, String name, List<Role> roles, String suffix, String keyIdHash, byte[] digest) {
        return new ApiKey(
                Head.of(RowIds.at(clock.now()), organizationId, clock.now()),
                name,
                true,
                AssignedRoles.of(roles),
                suffix,
                keyIdHash,
                hash.ofDigest(digest),
                null,
                null,
                List.of());
    }

    static String reference(String keyId) {
        return SecretHash.base64(SecretHash.sha256(keyId));
    }
}
