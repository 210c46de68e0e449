package io.pilothouse.core.member;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.FieldShape;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.item.Item;
import io.pilothouse.core.item.ItemKind;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.right.AssignedRoles;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.role.Admins;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The people of an organization. Who somebody is follows from the e-mail address, so that one person has the same id in
 * every organization.
 */
public final class MemberKind implements ItemKind {
    static final String NAME = "members";

    private final Admins admins;

    public MemberKind(Admins admins) {
        this.admins = admins;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String title() {
        return "Member";
    }

    @Override
    public String activity() {
        return "organization_member";
    }

    @Override
    public List<FieldShape> fields(RuleBook rules) {
        return shape();
    }

    /** What of a member can be changed. */
    public static List<FieldShape> shape() {
        return GivenRoles.SHAPE;
    }

    @Override
    public void check(Tree.Members given, Tree.Members fields, RuleBook rules, Faults faults) {
        GivenRoles.read(given, faults);
    }

    static UUID userId(String email) {
        return hashed("member " + email.toLowerCase(Locale.ROOT));
    }

    @Override
    public UUID rowId(UUID organizationId, UUID userId) {
        return idOf(organizationId, userId);
    }

    /** The id of the row of this member's in another organization; empty for other items. */
    public static Optional<UUID> idIn(UUID organizationId, Item item) {
        return item.kind().equals(NAME) ? Optional.of(idOf(organizationId, userId(item))) : Optional.empty();
    }

    static UUID idOf(UUID organizationId, UUID userId) {
        return hashed(organizationId + " " + userId);
    }

    private static UUID hashed(String text) {
        return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Somebody who joins now. */
    Item joining(
            UUID organizationId,
            String email,
            String name,
            AssignedRoles roles,
            @Nullable Tree secretHash,
            Instant now) {
        Tree.Members fields = GivenRoles.keep(Tree.Members.NONE, roles)
                .with(MemberSignIn.KEPT, secretHash)
                .with("email", new Tree.Text(email.toLowerCase(Locale.ROOT)))
                .with("name", new Tree.Text(name));
        return Item.of(idOf(organizationId, userId(email)), organizationId, this, fields, now);
    }

    static UUID userId(Item member) {
        return userId(member.fields().text("email").orElseThrow());
    }

    static Tree.Members shown(Tables tables, Item member) {
        return Tree.Members.NONE
                .with("userId", new Tree.Text(userId(member).toString()))
                .over(member.fields().with(GivenRoles.KEPT, null).with(MemberSignIn.KEPT, null))
                .over(GivenRoles.shown(tables, member))
                .with("joinedAt", new Tree.Text(member.createdAt().toString()));
    }

    @Override
    public List<Tree.Members> shown(Tables tables, List<Item> items) {
        return items.stream().map(item -> shown(tables, item)).toList();
    }

    @Override
    public Item write(
            Tables tables, Permit permit, @Nullable Item before, Item next, Function<Tree.Members, Item> keep) {
        AssignedRoles had = GivenRoles.of(next);
        AssignedRoles asked = GivenRoles.read(next.fields(), new Faults());
        AssignedRoles roles = asked == null ? had : asked;
        admins.roles().requireMayAssign(tables, permit, had, roles);
        return admins.kept(tables, permit.organizationId(), () -> keep.apply(GivenRoles.keep(next.fields(), roles)));
    }

    @Override
    public void delete(Tables tables, Permit permit, Item member, Runnable delete) {
        admins.roles().requireMayAssign(tables, permit, GivenRoles.of(member), AssignedRoles.NONE);
        admins.kept(tables, permit.organizationId(), () -> {
            delete.run();
            return member;
        });
    }
}
