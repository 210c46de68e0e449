package io.pilothouse.server;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.alert.AlertSetup;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.RowIds;
import io.pilothouse.core.key.AlertsToken;
import io.pilothouse.core.key.ApiKey;
import io.pilothouse.core.key.ApiKeyCreated;
import io.pilothouse.core.key.ApiKeyMaker;
import io.pilothouse.core.member.FirstMember;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.organization.OrganizationTier;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.right.Role;
import io.pilothouse.core.secret.SecretHash;
import io.pilothouse.core.secret.SecretText;
import io.pilothouse.server.config.Config;
import io.pilothouse.server.config.Options;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Makes what an empty store needs before anybody can do anything: an organization, a key for it, and an alerts token.
 */
final class Bootstrap {
    private static final int TOKEN_SUFFIX = 4;

    private final Store store;
    private final Clock clock;
    private final Config config;

    Bootstrap(Store store, Clock clock, Config config) {
        this.store = store;
        this.clock = clock;
        this.config = config;
    }

    /** What tells this store from every other one. */
    static String identity(Activity beginning) {
        return beginning.organizationId() + " " + beginning.createdAt();
    }

    /** The line that the store began with, and its organization; empty for an empty store. */
    Optional<Activity> beginning() {
        return store.read(tables -> tables.of(Activity.KIND).find(Activity.BEGINNING));
    }

    /** New credentials, or those of the environment; they open nothing until they are kept. */
    FirstAccess draw(SecretText secrets) {
        return new FirstAccess(
                config.find(Options.BOOTSTRAP_ORGANIZATION_ID).orElseGet(UUID::randomUUID),
                config.find(Options.BOOTSTRAP_KEY_ID).orElseGet(secrets::keyId),
                config.find(Options.BOOTSTRAP_KEY_SECRET).orElseGet(secrets::keySecret),
                config.find(Options.BOOTSTRAP_ALERTS_TOKEN).orElseGet(secrets::keySecret));
    }

    /** The person that every organization begins with. */
    static FirstMember firstMember(Config config) {
        return new FirstMember(config.get(Options.FIRST_MEMBER_EMAIL), config.get(Options.FIRST_MEMBER_NAME));
    }

    /** Lets the credentials in: all of it in one transaction, so that a store is either empty or usable. */
    void keep(FirstAccess access, ApiKeyMaker keys, SecretHash hash) {
        Instant now = clock.now();
        UUID organizationId = access.organizationId();
        Organization organization = new Organization(
                Head.own(organizationId, now),
                "My organization",
                OrganizationTier.ENTERPRISE,
                true,
                false,
                List.of(),
                List.of());
        ApiKeyCreated key = keys.of(
                organizationId, "First key", List.of(Role.OPERATOR, Role.ADMIN), access.keyId(), access.keySecret());
        String suffix = access.token().substring(access.token().length() - TOKEN_SUFFIX);
        AlertsToken token = new AlertsToken(
                Head.of(RowIds.at(now), organizationId, now), "First token", suffix, hash.of(access.token()), null);
        store.change(tables -> {
            tables.of(Organization.KIND).insert(organization);
            tables.of(ApiKey.KIND).insert(key.key());
            tables.of(AlertsToken.KIND).insert(token);
            AlertSetup.of(tables, organizationId, now);
            firstMember(config).made(tables, organization, now);
            note(tables, Activity.BEGINNING, organizationId, now, "create_organization", organizationId);
            note(
                    tables,
                    tables.newId(now),
                    organizationId,
                    now,
                    "key_create",
                    key.key().id());
        });
    }

    private static void note(Tables tables, UUID id, UUID organizationId, Instant now, String type, UUID subjectId) {
        tables.of(Activity.KIND).insert(Activity.bySystem(Head.of(id, organizationId, now), type, null, subjectId));
    }

    /** The variables of a first start that a later start was given too, and that the store knows nothing of. */
    List<String> ignored(SecretHash hash) {
        return store.read(tables -> {
            List<String> ignored = new ArrayList<>();
            Optional<String> keyId = config.find(Options.BOOTSTRAP_KEY_ID);
            Optional<String> keySecret = config.find(Options.BOOTSTRAP_KEY_SECRET);
            if (keyId.isPresent() && keySecret.isPresent() && !knows(tables, keyId.get(), keySecret.get(), hash)) {
                ignored.add(Options.BOOTSTRAP_KEY_ID.variable());
            }
            config.find(Options.BOOTSTRAP_ALERTS_TOKEN)
                    .filter(token -> hash.forms(token).stream()
                            .noneMatch(form -> tables.of(AlertsToken.KIND)
                                    .findByReference(form)
                                    .isPresent()))
                    .ifPresent(_ -> ignored.add(Options.BOOTSTRAP_ALERTS_TOKEN.variable()));
            config.find(Options.BOOTSTRAP_ORGANIZATION_ID)
                    .filter(id -> tables.of(Organization.KIND).find(id).isEmpty())
                    .ifPresent(_ -> ignored.add(Options.BOOTSTRAP_ORGANIZATION_ID.variable()));
            return ignored;
        });
    }

    private static boolean knows(Tables tables, String keyId, String keySecret, SecretHash hash) {
        String reference = SecretHash.base64(SecretHash.sha256(keyId));
        return tables.of(ApiKey.KIND)
                .findByReference(reference)
                .filter(key -> hash.matches(keySecret, key.secretHash()))
                .isPresent();
    }
}
