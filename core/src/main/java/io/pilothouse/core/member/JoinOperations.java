package io.pilothouse.core.member;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.item.Item;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.right.Client;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Accepting an invitation: its token is all the proof there is, so every token that accepts nothing gets one answer. */
public final class JoinOperations {
    private final Store store;
    private final Clock clock;
    private final InvitationKind invitations;
    private final MemberKind members;
    private final MemberSignIn signIn;

    public JoinOperations(
            Store store, Clock clock, InvitationKind invitations, MemberKind members, MemberSignIn signIn) {
        this.store = store;
        this.clock = clock;
        this.invitations = invitations;
        this.members = members;
        this.signIn = signIn;
    }

    /** Makes a member of the person who was invited; answers with it as clients see it, and this once with its secret. */
    public Tree.Members accept(
            @Nullable String token, @Nullable String name, UUID requestId, Client client, Faults faults) {
        RuleBook.DISPLAY_NAME.check("name", name, faults);
        if (token == null && !faults.has("token")) {
            faults.add("token", "is required");
        }
        faults.refuseIfAny();
        String proof = token == null ? "" : token;
        String drawn = signIn.drawn();
        return store.write(tables -> {
            Item invitation =
                    invitations.find(tables, proof, clock.now()).orElseThrow(() -> Refused.notFound("Invitation"));
            String email = invitation.fields().text("email").orElseThrow();
            UUID organizationId = invitation.organizationId();
            String secret = MemberSignIn.secret(MemberKind.idOf(organizationId, MemberKind.userId(email)), drawn);
            Item member = tables.of(Item.KIND)
                    .insert(members.joining(
                            organizationId,
                            email,
                            name == null ? email : name,
                            GivenRoles.of(invitation),
                            signIn.kept(secret),
                            clock.now()));
            tables.of(Item.KIND).delete(invitation.id(), invitation.version());
            note(tables, member, email, requestId, client);
            return MemberKind.shown(tables, member).with("signInSecret", new Tree.Text(secret));
        });
    }

    private void note(Tables tables, Item member, String email, UUID requestId, Client client) {
        UUID userId = MemberKind.userId(member);
        Head head = Head.of(tables.newId(clock.now()), member.organizationId(), clock.now());
        tables.of(Activity.KIND)
                .insert(new Activity(
                        head,
                        "organization_member_join",
                        "user",
                        userId,
                        email,
                        requestId,
                        null,
                        userId,
                        client,
                        null,
                        null));
    }
}
