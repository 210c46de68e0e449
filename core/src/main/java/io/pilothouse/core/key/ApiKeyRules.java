package io.pilothouse.core.key;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.right.Role;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The rules about keys: names, states, roles, expiry and hashes brought along; pure. */
public record ApiKeyRules(RuleBook rules, Faults faults) {
    private static final int SHA256_BYTES = 32;
    private static final int SUFFIX_LENGTH = 4;

    public void checkName(String name) {
        rules.keyName().breach(name).ifPresent(message -> faults.add("name", message));
    }

    public boolean enabled(String state) {
        RuleBook.requireOneOf(List.of("enabled", "disabled"), "state", state, faults);
        return state.equals("enabled");
    }

    /** The roles that were given by name, by id, or by both consistently; null if there were none. */
    public @Nullable List<Role> roles(@Nullable List<String> words, @Nullable List<String> ids) {
        if (words != null && words.isEmpty()) {
            faults.add("roles", "must have at least one entry");
        }
        List<Role> named = words == null
                ? null
                : each("roles", words, Role::find, "must be one of admin, developer, query_endpoints, operator");
        // Clients send an empty list of ids when they give none.
        if (ids == null || ids.isEmpty()) {
            return named;
        }
        List<Role> assigned = each("assignedRoleIds", ids, Role::findById, "is the id of no role");
        if (named != null && !Set.copyOf(named).equals(Set.copyOf(assigned))) {
            faults.add("assignedRoleIds", "must name the same roles as roles, or be the only one of the two");
        }
        return assigned;
    }

    private List<Role> each(String path, List<String> names, Function<String, Optional<Role>> find, String otherwise) {
        Set<Role> roles = new LinkedHashSet<>();
        for (int i = 0; i < names.size(); i++) {
            Optional<Role> role = find.apply(names.get(i));
            role.ifPresent(roles::add);
            if (role.isEmpty()) {
                faults.add(path + "[" + i + "]", otherwise);
            }
        }
        return List.copyOf(roles);
    }

    /** The moment of expiry; an empty text means never, as null does. */
    public @Nullable Instant expiry(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return null;
        }
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException notATime) {
            faults.add("expireAt", "must be an RFC 3339 date-time with a zone");
            return null;
        }
    }

    /** Checks hashes that a caller brings instead of letting the server make the secret. */
    public void checkHashes(ApiKeyDraft.Hashes hashes) {
        digest("hashData.keyIdHash", hashes.keyIdHash());
        digest("hashData.keySecretHash", hashes.keySecretHash());
        String suffix = hashes.keyIdSuffix();
        if (suffix == null || !suffix.matches("[A-Za-z0-9]{" + SUFFIX_LENGTH + "}")) {
            faults.add(
                    "hashData.keyIdSuffix", "must be the last " + SUFFIX_LENGTH + " letters or digits of the key id");
        }
    }

    /** The bytes of a base64 SHA-256. */
    public byte[] digest(String path, @Nullable String base64) {
        try {
            byte[] bytes = Base64.getDecoder().decode(base64 == null ? "" : base64);
            if (bytes.length == SHA256_BYTES) {
                return bytes;
            }
        } catch (IllegalArgumentException notBase64) {
            // Reported below, like any other text that is not a digest.
        }
        faults.add(path, "must be the base64 of a SHA-256");
        return new byte[SHA256_BYTES];
    }

    public static String suffix(String keyId) {
        return keyId.substring(keyId.length() - SUFFIX_LENGTH);
    }
}
