package io.pilothouse.core.member;

import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.item.Item;
import io.pilothouse.core.key.Credentials;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.right.Caller;
import io.pilothouse.core.role.Roles;
import io.pilothouse.core.secret.SecretHash;
import io.pilothouse.core.secret.SecretText;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/**
 * Members as callers, with the secret that each was shown when joining. It begins with the id of the membership, so
 * that it is found by it; a hash of it is kept. Every cause of a refusal has the same words and costs the same.
 */
public final class MemberSignIn {
    /** Where the hash is among the fields of a member; it is never shown. */
    static final String KEPT = "signInHash";

    private static final int ID_LENGTH = 36;
    private static final UUID NOBODY = new UUID(0, 0);

    private final Store store;
    private final Roles roles;
    private final SecretText secrets;
    private final SecretHash hash;
    private final String nobodysHash;

    public MemberSignIn(Store store, Roles roles, SecretText secrets, SecretHash hash) {
        this.store = store;
        this.roles = roles;
        this.secrets = secrets;
        this.hash = hash;
        this.nobodysHash = hash.of("nobody");
    }

    /** What of a new secret is chance. */
    String drawn() {
        return secrets.keySecret();
    }

    /** The secret of this membership. */
    static String secret(UUID memberId, String drawn) {
        return memberId + "." + drawn;
    }

    Tree kept(String secret) {
        return new Tree.Text(hash.of(secret));
    }

    /** A member as those see it who note what was done. */
    public record Membership(UUID organizationId, UUID userId, String email) {}

    /** The membership with this id; empty for other items. */
    public static Optional<Membership> find(Tables tables, UUID memberId) {
        return row(tables, memberId)
                .map(item -> new Membership(item.organizationId(), MemberKind.userId(item), email(item)));
    }

    private static Optional<Item> row(Tables tables, UUID memberId) {
        return tables.of(Item.KIND).find(memberId).filter(item -> item.kind().equals(MemberKind.NAME));
    }

    private static String email(Item member) {
        return member.fields().text("email").orElseThrow();
    }

    /** The hash that this item has of a secret; empty for what is no member, or one who cannot sign in. */
    public static Optional<String> hash(Item item) {
        return item.kind().equals(MemberKind.NAME) ? item.fields().text(KEPT) : Optional.empty();
    }

    /** The same member with another hash of the same secret. */
    public static Item withHash(Item member, String next) {
        return member.changed(member.fields().with(KEPT, new Tree.Text(next)), member.updatedAt());
    }

    /** Somebody who shows who they are, with the rights that their roles give. */
    public Caller caller(String email, String secret) {
        UUID memberId = memberId(secret);
        Optional<Found> found = store.read(tables -> found(tables, memberId));
        boolean proven =
                hash.matches(secret, found.flatMap(each -> hash(each.member())).orElse(nobodysHash));
        Found known = found.filter(each ->
                        proven && email(each.member()).equals(email.strip().toLowerCase(Locale.ROOT)))
                .orElseThrow(Credentials::refusal);
        renew(known.member(), secret);
        return known.caller();
    }

    /** A hash from before the newest pepper is renewed when its secret is seen. */
    private void renew(Item member, String secret) {
        if (hash(member).map(SecretHash::age).orElse(0) > 0) {
            store.change(tables -> row(tables, member.id())
                    .ifPresent(now -> tables.of(Item.KIND).overwrite(withHash(now, hash.of(secret)))));
        }
    }

    /** Somebody who was proven before, with the rights that they have by now; refused once they are no member. */
    public Caller proven(UUID memberId) throws Refused {
        return store.read(tables -> found(tables, memberId)).map(Found::caller).orElseThrow(Credentials::refusal);
    }

    /** A member and what its roles allow, both of one moment. */
    private record Found(Item member, Caller caller) {}

    private Optional<Found> found(Tables tables, UUID memberId) {
        return row(tables, memberId)
                .map(item -> new Found(
                        item,
                        new Caller(
                                item.organizationId(),
                                item.id(),
                                email(item),
                                roles.rights(tables, item.organizationId(), GivenRoles.of(item)),
                                MemberKind.userId(item))));
    }

    private static UUID memberId(String secret) {
        try {
            return UUID.fromString(secret.substring(0, Math.min(ID_LENGTH, secret.length())));
        } catch (IllegalArgumentException noId) {
            return NOBODY;
        }
    }
}
