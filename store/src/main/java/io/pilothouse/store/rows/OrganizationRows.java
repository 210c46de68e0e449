package io.pilothouse.store.rows;

import static io.pilothouse.store.rows.Codec.FLAG;
import static io.pilothouse.store.rows.Codec.ID;
import static io.pilothouse.store.rows.Codec.INSTANT;
import static io.pilothouse.store.rows.Codec.LARGE_NUMBER;
import static io.pilothouse.store.rows.Codec.MEMBERS;
import static io.pilothouse.store.rows.Codec.NUMBER;
import static io.pilothouse.store.rows.Codec.TEXT;
import static io.pilothouse.store.rows.Codec.TREE;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.activity.Changes;
import io.pilothouse.core.activity.Refusal;
import io.pilothouse.core.base.FieldChange;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.item.Item;
import io.pilothouse.core.key.AlertsToken;
import io.pilothouse.core.key.ApiKey;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.organization.OrganizationTier;
import io.pilothouse.core.organization.PrivateEndpoint;
import io.pilothouse.core.right.AssignedRoles;
import io.pilothouse.core.right.Client;
import io.pilothouse.core.right.Permission;
import io.pilothouse.core.right.Role;
import io.pilothouse.core.session.ConsoleSession;
import java.net.InetAddress;
import java.util.Objects;

/** Organizations as rows, each its own owner, with their keys and their history. */
final class OrganizationRows {
    private static final String NO_ADDRESS = "0.0.0.0";

    private static final Shape<PrivateEndpoint> PRIVATE_ENDPOINT = f -> new PrivateEndpoint(
            f.get("id", PrivateEndpoint::id, TEXT, ""),
            f.find("description", PrivateEndpoint::description, TEXT),
            f.find("cloudProvider", PrivateEndpoint::cloudProvider, TEXT),
            f.find("region", PrivateEndpoint::region, TEXT),
            Boolean.TRUE.equals(f.find("byUse", endpoint -> endpoint.byUse() ? true : null, FLAG)));

    private static final Shape<Organization.Byoc> BYOC = f -> new Organization.Byoc(
            f.get("id", Organization.Byoc::id, TEXT, ""),
            f.get("accountName", Organization.Byoc::accountName, TEXT, ""),
            f.find("regionId", Organization.Byoc::regionId, TEXT),
            f.find("cloudProvider", Organization.Byoc::cloudProvider, TEXT),
            f.find("displayName", Organization.Byoc::displayName, TEXT),
            f.get("services", Organization.Byoc::services, NUMBER, 0));

    static final Rows<Organization> ORGANIZATIONS = Rows.of(
            Organization.KIND,
            f -> new Organization(
                    f.head,
                    f.get("name", Organization::name, TEXT, ""),
                    f.choice("tier", Organization::tier, OrganizationTier.BASIC),
                    f.get("paid", Organization::paid, FLAG, false),
                    f.get("enableCoreDumps", Organization::enableCoreDumps, FLAG, false),
                    f.list("privateEndpoints", Organization::privateEndpoints, PRIVATE_ENDPOINT),
                    f.list("byocConfig", Organization::byocConfig, BYOC)));

    static final Shape<AssignedRoles> ASSIGNED_ROLES = f -> new AssignedRoles(
            f.list("roles", AssignedRoles::system, Codec.choice(Role.class)),
            f.list("customRoles", AssignedRoles::custom, ID));

    /** Hashes are all that is kept of the secrets. */
    static final Rows<ApiKey> API_KEYS = Rows.of(
                    ApiKey.KIND,
                    f -> new ApiKey(
                            f.head,
                            f.get("name", ApiKey::name, TEXT, ""),
                            f.get("enabled", ApiKey::enabled, FLAG, false),
                            f.part(ApiKey::roles, ASSIGNED_ROLES),
                            f.get("keySuffix", ApiKey::keySuffix, TEXT, ""),
                            f.get("keyIdHash", ApiKey::keyIdHash, TEXT, ""),
                            f.get("secretHash", ApiKey::secretHash, TEXT, ""),
                            f.find("expireAt", ApiKey::expireAt, INSTANT),
                            f.find("usedAt", ApiKey::usedAt, INSTANT),
                            f.list("ipAccessList", ApiKey::ipAccessList, ServiceRows.IP_ACCESS)))
            .foundBy(ApiKey::keyIdHash);

    static final Rows<AlertsToken> ALERTS_TOKENS = Rows.of(
                    AlertsToken.KIND,
                    f -> new AlertsToken(
                            f.head,
                            f.get("name", AlertsToken::name, TEXT, ""),
                            f.get("tokenSuffix", AlertsToken::tokenSuffix, TEXT, ""),
                            f.get("tokenHash", AlertsToken::tokenHash, TEXT, ""),
                            f.find("usedAt", AlertsToken::usedAt, INSTANT)))
            .foundBy(AlertsToken::tokenHash);

    private static final Shape<Client> CLIENT = f -> new Client(
            InetAddress.ofLiteral(f.get("address", Client::host, TEXT, NO_ADDRESS)),
            f.find("agent", Client::agent, TEXT));

    private static final Shape<Refusal> REFUSAL = f -> new Refusal(
            f.choice("cause", Refusal::cause, Refusal.Cause.NO_RIGHT),
            f.find("operationId", Refusal::operationId, TEXT),
            f.get("attempts", Refusal::attempts, LARGE_NUMBER, 1L),
            f.get("since", Refusal::since, INSTANT, f.head.createdAt()));

    private static final Shape<FieldChange> FIELD_CHANGE = f -> new FieldChange(
            f.get("path", FieldChange::path, TEXT, ""),
            f.find("before", FieldChange::before, TREE),
            f.find("after", FieldChange::after, TREE));

    private static final Shape<Changes> CHANGES = f -> new Changes(
            f.choice("right", Changes::right, Permission.ORGANIZATION_WRITE),
            f.list("fields", Changes::fields, FIELD_CHANGE));

    static final Rows<Activity> ACTIVITIES = Rows.of(
                    Activity.KIND,
                    f -> new Activity(
                            f.head,
                            f.get("type", Activity::type, TEXT, ""),
                            f.get("actorType", Activity::actorType, TEXT, ""),
                            f.find("actorId", Activity::actorId, ID),
                            f.find("actorDetails", Activity::actorDetails, TEXT),
                            f.find("requestId", Activity::requestId, ID),
                            f.find("serviceId", Activity::serviceId, ID),
                            f.find("subjectId", Activity::subjectId, ID),
                            f.find("client", Activity::client, CLIENT),
                            f.find("refusal", Activity::refusal, REFUSAL),
                            f.find("changes", Activity::changes, CHANGES)))
            .writtenOnce()
            .foundBy(line -> Objects.toString(line.serviceId(), null));

    static final Rows<Item> ITEMS = Rows.of(
                    Item.KIND,
                    f -> new Item(
                            f.head,
                            f.get("kind", Item::kind, TEXT, ""),
                            f.find("unique", Item::unique, TEXT),
                            f.get("updatedAt", Item::updatedAt, INSTANT, f.head.createdAt()),
                            f.get("fields", Item::fields, MEMBERS, Tree.Members.NONE)))
            .foundBy(item -> item.reference().orElse(null))
            .countedUnder(Item::label);

    static final Rows<ConsoleSession> CONSOLE_SESSIONS = Rows.of(
                    ConsoleSession.KIND,
                    f -> new ConsoleSession(
                            f.head,
                            f.get("tokenHash", ConsoleSession::tokenHash, TEXT, ""),
                            f.get("member", ConsoleSession::member, FLAG, false)))
            .foundBy(ConsoleSession::tokenHash);

    private OrganizationRows() {}
}
