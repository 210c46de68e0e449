package io.pilothouse.core.key;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.right.AssignedRoles;
import io.pilothouse.core.right.Role;
import io.pilothouse.core.role.Roles;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules about keys: names, states, roles, expiry and hashes brought along; pure. */
public record ApiKeyRules(Faults faults) {
    private static final int SHA256_BYTES = 32;
    private static final int SUFFIX_LENGTH = 4;

    public void checkName(String name) {
        RuleBook.DISPLAY_NAME.check("name", name, faults);
    }

    public boolean enabled(String state) {
        RuleBook.KEY_STATES.check("state", state, faults);
        return state.equals("enabled");
    }

    /** The roles that were given by name, by id, or by both consistently; null if there were none. */
    public @Nullable AssignedRoles roles(@Nullable List<String> words, @Nullable List<String> ids) {
        AssignedRoles named = words == null ? null : AssignedRoles.of(named(words));
        AssignedRoles assigned = Roles.read(ids, faults);
        // Clients send an empty list of ids when they give none.
        if (assigned == null || assigned.ids().isEmpty()) {
            return named;
        }
        if (named != null && !Set.copyOf(named.ids()).equals(Set.copyOf(assigned.ids()))) {
            faults.add("assignedRoleIds", "must name the same roles as roles, or be the only one of the two");
        }
        return assigned;
    }

    private List<Role> named(List<String> words) {
        RuleBook.KEY_ROLES.check("roles", words.size(), faults);
        Set<Role> roles = new LinkedHashSet<>();
        for (int i = 0; i < words.size(); i++) {
            Optional<Role> role = Role.find(words.get(i));
            role.ifPresent(roles::add);
            if (role.isEmpty()) {
                faults.add("roles[" + i + "]", Role.WORDS.message());
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
        RuleBook.KEY_ID_SUFFIX.check("hashData.keyIdSuffix", orEmpty(hashes.keyIdSuffix()), faults);
    }

    /** The bytes of a base64 SHA-256. */
    public byte[] digest(String path, @Nullable String base64) {
        String text = orEmpty(base64);
        if (RuleBook.KEY_SHA256.breach(text).isPresent()) {
            faults.add(path, RuleBook.KEY_SHA256.message());
            return new byte[SHA256_BYTES];
        }
        return Base64.getDecoder().decode(text);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    public static String suffix(String keyId) {
        return keyId.substring(keyId.length() - SUFFIX_LENGTH);
    }
}
