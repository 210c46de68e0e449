package io.pilothouse.server.api;

import static io.pilothouse.http.api.Operation.alertsTokenCreate;
import static io.pilothouse.http.api.Operation.alertsTokenDelete;
import static io.pilothouse.http.api.Operation.alertsTokenGetList;
import static io.pilothouse.http.api.Operation.invitationAccept;
import static io.pilothouse.http.api.Operation.invitationCreate;
import static io.pilothouse.http.api.Operation.invitationDelete;
import static io.pilothouse.http.api.Operation.invitationGet;
import static io.pilothouse.http.api.Operation.invitationGetList;
import static io.pilothouse.http.api.Operation.memberDelete;
import static io.pilothouse.http.api.Operation.memberGet;
import static io.pilothouse.http.api.Operation.memberGetList;
import static io.pilothouse.http.api.Operation.memberUpdate;
import static io.pilothouse.http.api.Operation.openapiKeyCreate;
import static io.pilothouse.http.api.Operation.openapiKeyDelete;
import static io.pilothouse.http.api.Operation.openapiKeyGet;
import static io.pilothouse.http.api.Operation.openapiKeyGetList;
import static io.pilothouse.http.api.Operation.openapiKeyUpdate;
import static io.pilothouse.http.api.Operation.organizationRoleDelete;
import static io.pilothouse.http.api.Operation.organizationRoleGet;
import static io.pilothouse.http.api.Operation.organizationRolePatch;
import static io.pilothouse.http.api.Operation.organizationRolePost;
import static io.pilothouse.http.api.Operation.organizationRolesGetList;
import static io.pilothouse.http.api.Operation.whoamiGet;

import tools.jackson.databind.JsonNode;

/** The part of the page about who may do what: keys, roles, members, and the tokens of the alerts interface. */
final class ApiPageAccess {
    private final ApiPage page;

    ApiPageAccess(ApiPage page) {
        this.page = page;
    }

    void write() {
        keys();
        roles();
        members();
        alertsTokens();
    }

    private void keys() {
        page.section("Keys");
        page.of(openapiKeyCreate).keep("keyId", "/key/id");
        page.words("""

                Instead of `roles`, `assignedRoleIds` names them by their ids, which are the same on every server: admin `9c7e1fbf-b5e0-32ec-bc56-df20550f7182`,
                developer `5f846786-1c6f-303c-b379-656b27da2e3a`, query_endpoints `0f910427-ff26-3e93-b9dc-78e7d0429ee7`, operator `0c563ba5-c209-3ca8-bb72-f6c198727fa1`.""");
        page.of(openapiKeyGetList).answered();
        page.of(openapiKeyGet).answered();
        page.of(openapiKeyUpdate).answered();
        page.of(openapiKeyDelete).answered();
        page.of(whoamiGet).answered();
    }

    private void roles() {
        page.section("Roles");
        page.words("\nWhat the permissions mean here is in [keys and roles](keys.md).");
        page.of(organizationRolePost).keep("roleId", "/id");
        page.of(organizationRolePost)
                .named("A role with faults")
                .body(
                        "{'name': 'Odd', 'policies': [{'allowDeny': 'ALLOW', 'permissions': ['everything'], 'resources': ['all']}]}")
                .refused(400);
        page.of(organizationRolesGetList).answered();
        page.of(organizationRoleGet).answered();
        page.of(organizationRolePatch).answered();
        page.of(organizationRoleDelete).answered();
    }

    private void members() {
        page.section("Members");
        page.words(
                "\nPeople have roles as keys have, and sign in to the console with the `signInSecret` that joining shows once.");
        page.of(invitationCreate).keep("invitationId", "/id");
        page.of(invitationGetList).answered();
        page.of(invitationGet).answered();
        page.of(invitationDelete).answered();
        JsonNode invited =
                page.of(invitationCreate).body("{'email': 'grace@example.org'}").quietly();
        page.is("token", invited.path("token"));
        JsonNode joined = page.of(invitationAccept)
                .body("{'token': '{token}', 'name': 'Grace'}")
                .answered();
        page.is("userId", joined.path("userId"));
        JsonNode people = page.of(memberGetList).answered();
        page.of(memberGet).answered();
        page.of(memberUpdate).answered();
        page.of(memberDelete).answered();
        page.is("userId", people.at("/0/userId"));
        page.of(memberDelete).named("Remove the last admin").refused(409);
    }

    private void alertsTokens() {
        page.section("Alerts tokens");
        page.words("\nThe alerts interface has tokens of its own, made and revoked here.");
        page.of(alertsTokenCreate).keep("tokenId", "/token/id");
        page.of(alertsTokenGetList).answered();
        page.of(alertsTokenDelete).answered();
    }
}
