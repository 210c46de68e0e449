package io.pilothouse.console.screen;

import io.pilothouse.console.screen.Input.Choices;
import io.pilothouse.console.screen.Screen.Asked;
import io.pilothouse.console.screen.Screen.Column;
import io.pilothouse.console.screen.Screen.Facts;
import io.pilothouse.console.screen.Screen.Lines;
import io.pilothouse.console.screen.Screen.Way;
import io.pilothouse.http.wire.Verb;
import java.util.List;

/** The keys, members and roles of an organization. */
final class OrganizationScreens {
    private static final String KEYS = "{organization}/keys";
    private static final String TOKENS = "{organization}/alertsTokens";
    private static final String MEMBERS = "{organization}/members";
    private static final String INVITATIONS = "{organization}/invitations";
    private static final String ROLES = "{organization}/roles";
    private static final Choices OF_ROLES = new Choices(ROLES, "id", "name");
    private static final Column ASSIGNED = Column.text("Roles", "assignedRoles.roleName");
    private static final String POLICIES = """
            [{"allowDeny": "ALLOW",
              "permissions": ["control-plane:service:view", "control-plane:service:view-backups"],
              "resources": ["instance/*"]}]""";

    private OrganizationScreens() {}

    static List<Screen> all() {
        return List.of(keys(), key(), members(), member(), roles(), role());
    }

    private static Input ofRoles() {
        return Input.many("Roles", "assignedRoleIds", OF_ROLES);
    }

    private static Screen keys() {
        Form make = Form.of(
                        "create",
                        "Create a key",
                        Verb.POST,
                        KEYS,
                        Input.text("Name", "name", "CI"),
                        ofRoles(),
                        Input.text("Good until, as 2030-01-01T00:00:00Z; empty for always", "expireAt", ""),
                        Input.addresses(
                                "May come from: an address in each line; empty for anywhere", "ipAccessList", ""))
                .showing("keyId", "keySecret");
        Form token = Form.of(
                        "token",
                        "Create a token for the alerts interface",
                        Verb.POST,
                        TOKENS,
                        Input.text("Name", "name", "Watcher"))
                .showing("accessToken");
        return Screen.of(
                "consoleKeys",
                "/keys",
                "Keys",
                new Lines(
                        "Keys of the management API",
                        KEYS,
                        "",
                        List.of(
                                Column.text("Name", "name"),
                                Column.state("State", "state"),
                                ASSIGNED,
                                Column.moment("Made", "createdAt"),
                                Column.moment("Last used", "usedAt"),
                                Column.moment("Ends", "expireAt")),
                        "/keys/{id}",
                        "There is no key: create one below.",
                        List.of()),
                new Asked(make),
                new Lines(
                        "Tokens of the alerts interface",
                        TOKENS,
                        "",
                        List.of(Column.text("Name", "name"), Column.moment("Made", "createdAt")),
                        "",
                        "There is no token: create one below.",
                        List.of(Form.of("revoke", "Revoke", Verb.DELETE, TOKENS + "/{row}"))),
                new Asked(token));
    }

    private static Screen key() {
        String path = KEYS + "/{keyId}";
        return Screen.of(
                        "consoleKey",
                        "/keys/{keyId}",
                        "Key {name}",
                        new Facts(
                                "What it is",
                                path,
                                List.of(
                                        Column.state("State", "state"),
                                        ASSIGNED,
                                        Column.moment("Made", "createdAt"),
                                        Column.moment("Last used", "usedAt"),
                                        Column.moment("Ends", "expireAt"),
                                        Column.json("May come from", "ipAccessList")),
                                ""),
                        new Asked(Form.of(
                                        "change",
                                        "Change this key",
                                        Verb.PATCH,
                                        path,
                                        Input.text("Name", "name", "").filledBy("name"),
                                        Input.choice("State", "state", "enabled", "disabled")
                                                .filledBy("state"),
                                        ofRoles().filledBy("assignedRoles.roleId"))
                                .filledFrom(path)),
                        new Asked(Form.of("delete", "Delete this key", Verb.DELETE, path)
                                .typing("name")
                                .leadingTo("/keys")))
                .about(path)
                .leadingTo(new Way("/keys", "All keys"));
    }

    private static Screen members() {
        return Screen.of(
                "consoleMembers",
                "/members",
                "Members",
                new Lines(
                        "Members",
                        MEMBERS,
                        "",
                        List.of(
                                Column.text("E-mail", "email"),
                                Column.text("Name", "name"),
                                ASSIGNED,
                                Column.moment("Joined", "joinedAt")),
                        "/members/{userId}",
                        "Nobody is a member yet: invite somebody below.",
                        List.of()),
                new Lines(
                        "Invitations",
                        INVITATIONS,
                        "",
                        List.of(
                                Column.text("E-mail", "email"),
                                ASSIGNED,
                                Column.moment("Made", "createdAt"),
                                Column.moment("Ends", "expireAt")),
                        "",
                        "Nobody is invited. Invite somebody below.",
                        List.of(Form.of("withdraw", "Withdraw", Verb.DELETE, INVITATIONS + "/{row}"))),
                new Asked(Form.of(
                                "invite",
                                "Invite somebody",
                                Verb.POST,
                                INVITATIONS,
                                Input.text("E-mail", "email", ""),
                                ofRoles())
                        .showing("token")));
    }

    private static Screen member() {
        String path = MEMBERS + "/{userId}";
        return Screen.of(
                        "consoleMember",
                        "/members/{userId}",
                        "Member {email}",
                        new Facts(
                                "Who it is",
                                path,
                                List.of(
                                        Column.text("Name", "name"),
                                        Column.text("E-mail", "email"),
                                        ASSIGNED,
                                        Column.moment("Joined", "joinedAt")),
                                ""),
                        new Asked(Form.of(
                                        "change",
                                        "Change their roles",
                                        Verb.PATCH,
                                        path,
                                        ofRoles().filledBy("assignedRoles.roleId"))
                                .filledFrom(path)),
                        new Asked(Form.of("delete", "Remove this member", Verb.DELETE, path)
                                .typing("email")
                                .leadingTo("/members")))
                .about(path)
                .leadingTo(new Way("/members", "All members"));
    }

    private static Screen roles() {
        return Screen.of(
                "consoleRoles",
                "/roles",
                "Roles",
                new Lines(
                        "Roles",
                        ROLES,
                        "",
                        List.of(
                                Column.text("Name", "name"),
                                Column.text("Type", "type"),
                                Column.text("Held by", "actors")),
                        "/roles/{id}",
                        "There is no role.",
                        List.of()),
                new Asked(Form.of(
                        "create",
                        "Create a role",
                        Verb.POST,
                        ROLES,
                        Input.text("Name", "name", "Keeper of backups"),
                        Input.json("Policies, as JSON", "policies", POLICIES))));
    }

    private static Screen role() {
        String path = ROLES + "/{roleId}";
        return Screen.of(
                        "consoleRole",
                        "/roles/{roleId}",
                        "Role {name}",
                        new Facts(
                                "What it is",
                                path,
                                List.of(
                                        Column.text("Type", "type"),
                                        Column.text("Held by", "actors"),
                                        Column.text("Permissions", "policies.permissions"),
                                        Column.json("Policies", "policies")),
                                ""),
                        new Asked(Form.of(
                                        "change",
                                        "Change this role",
                                        Verb.PATCH,
                                        path,
                                        Input.text("Name", "name", "").filledBy("name"),
                                        Input.json("Policies, as JSON; empty to leave them", "policies", ""))
                                .filledFrom(path)),
                        new Asked(Form.of("delete", "Delete this role", Verb.DELETE, path)
                                .typing("name")
                                .leadingTo("/roles")))
                .about(path)
                .leadingTo(new Way("/roles", "All roles"));
    }
}
