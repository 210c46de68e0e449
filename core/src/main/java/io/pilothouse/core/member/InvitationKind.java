package io.pilothouse.core.member;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.FieldShape;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.item.Item;
import io.pilothouse.core.item.ItemKind;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.right.AssignedRoles;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.right.Role;
import io.pilothouse.core.role.Roles;
import io.pilothouse.core.secret.SecretHash;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Invitations to join an organization. Each is accepted with a token that follows from its id and the server's own
 * secret: it is shown to the inviter, once, and kept nowhere.
 */
public final class InvitationKind implements ItemKind {
    static final String NAME = "invitations";

    private static final Duration LASTS = Duration.ofDays(7);
    private static final String EMAIL = "email";
    private static final int ID_LENGTH = 36;

    private final Roles roles;
    private final MemberKind members;
    private final SecretHash hash;

    public InvitationKind(Roles roles, MemberKind members, SecretHash hash) {
        this.roles = roles;
        this.members = members;
        this.hash = hash;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String title() {
        return "Invitation";
    }

    @Override
    public String activity() {
        return "organization_invite";
    }

    @Override
    public List<FieldShape> fields(RuleBook rules) {
        return shape();
    }

    /** What an invitation is made of. */
    public static List<FieldShape> shape() {
        return Stream.concat(Stream.of(FieldShape.form(EMAIL, RuleBook.EMAIL).needed()), GivenRoles.SHAPE.stream())
                .toList();
    }

    @Override
    public void check(Tree.Members given, Tree.Members fields, RuleBook rules, Faults faults) {
        GivenRoles.read(given, faults);
    }

    @Override
    public @Nullable String unique(Tree.Members fields) {
        return fields.text(EMAIL).orElse(null);
    }

    private static Instant expireAt(Item invitation) {
        return invitation.createdAt().plus(LASTS);
    }

    @Override
    public List<Tree.Members> shown(Tables tables, List<Item> items) {
        return items.stream()
                .map(item -> Tree.Members.NONE
                        .with("id", new Tree.Text(item.id().toString()))
                        .over(item.fields().with(GivenRoles.KEPT, null))
                        .over(GivenRoles.shown(tables, item))
                        .with("createdAt", new Tree.Text(item.createdAt().toString()))
                        .with("expireAt", new Tree.Text(expireAt(item).toString())))
                .toList();
    }

    @Override
    public Tree.Members shownOnce(Item item) {
        return Tree.Members.NONE.with("token", new Tree.Text(token(item.id())));
    }

    private String token(UUID id) {
        return id + "." + hash.of("invitation " + id).replace('+', '-').replace('/', '_');
    }

    @Override
    public Item write(
            Tables tables, Permit permit, @Nullable Item before, Item next, Function<Tree.Members, Item> keep) {
        String email = next.fields().text(EMAIL).orElseThrow().toLowerCase(Locale.ROOT);
        UUID organizationId = permit.organizationId();
        if (tables.of(Item.KIND)
                .find(organizationId, members.rowId(organizationId, MemberKind.userId(email)))
                .isPresent()) {
            throw new Refused(Refused.Reason.CONFLICT, email + " is a member already");
        }
        AssignedRoles asked = GivenRoles.read(next.fields(), new Faults());
        AssignedRoles given = asked == null ? AssignedRoles.of(List.of(Role.MEMBER)) : asked;
        roles.requireMayAssign(tables, permit, AssignedRoles.NONE, given);
        return keep.apply(GivenRoles.keep(next.fields().with(EMAIL, new Tree.Text(email)), given));
    }

    /** The invitation that this token accepts at this moment. */
    Optional<Item> find(Tables tables, String token, Instant now) {
        if (token.length() < ID_LENGTH) {
            return Optional.empty();
        }
        UUID id;
        try {
            id = UUID.fromString(token.substring(0, ID_LENGTH));
        } catch (IllegalArgumentException noId) {
            return Optional.empty();
        }
        boolean proven = MessageDigest.isEqual(
                token(id).getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
        return tables.of(Item.KIND)
                .find(id)
                .filter(item -> proven && item.kind().equals(NAME) && now.isBefore(expireAt(item)));
    }
}
