package io.pilothouse.server;

import io.pilothouse.core.key.ApiKey;
import io.pilothouse.core.key.ApiKeyCreated;
import io.pilothouse.core.key.ApiKeyMaker;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.SealedKey;
import io.pilothouse.core.right.Role;
import io.pilothouse.core.secret.SecretHash;
import io.pilothouse.core.secret.SecretText;
import io.pilothouse.core.secret.Vault;
import io.pilothouse.core.secret.VaultKeys;
import io.pilothouse.server.config.Config;
import io.pilothouse.server.config.Options;
import io.pilothouse.server.config.StoreOptions;
import io.pilothouse.server.log.Escaped;
import io.pilothouse.server.secret.SealedKeys;
import io.pilothouse.server.secret.SecretKeys;
import io.pilothouse.server.secret.StoreKey;
import io.pilothouse.server.store.StoreChoice;
import java.io.PrintStream;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The command for keys, which works while the program is stopped: a way in for those who have no key any more, and new
 * keys for what the store keeps.
 */
final class KeysCommand {
    private static final String KEY_NAME = "Made on the stopped store";

    private final Clock clock;
    private final SecureRandom random;
    private final PrintStream out;
    private final Verbs verbs;

    KeysCommand(Map<String, String> environment, Clock clock, SecureRandom random, PrintStream out, PrintStream err) {
        this.clock = clock;
        this.random = random;
        this.out = out;
        this.verbs = new Verbs(
                Options.KEYS_COMMAND,
                List.of(
                        new Verbs.Verb(
                                "create",
                                List.of("[ORGANIZATION_ID]"),
                                "makes a key that is an admin, when nobody has one any more",
                                this::create),
                        new Verbs.Verb(
                                "rotate", List.of(), "seals every stored credential under a new key", this::rotate),
                        new Verbs.Verb(
                                "rotate-secret",
                                List.of(),
                                "puts the hashes of all keys and tokens under a new secret.key",
                                this::rotateSecret),
                        new Verbs.Verb(
                                "rotate-store-key",
                                List.of("NEW_FILE"),
                                "seals the keys in a PostgreSQL store under another store-key, which is made if it is not there",
                                this::rotateStoreKey)),
                environment,
                out,
                err);
    }

    int run(List<String> arguments) {
        return verbs.run(arguments);
    }

    private void create(List<String> asked, Config config) throws StartRefused {
        try (StoppedStore stopped = StoppedStore.open(StoreChoice.of(config), clock, random)) {
            UUID first = stopped.firstOrganization()
                    .orElseThrow(() -> new StartRefused(
                            "The store holds nothing yet: ./pilothouse up makes an organization and its first key"));
            UUID organizationId = asked.isEmpty() ? first : id(asked.getFirst());
            Organization organization = stopped.store()
                    .read(tables -> tables.of(Organization.KIND).find(organizationId))
                    .orElseThrow(() -> new StartRefused("The store has no organization with the id " + organizationId));
            SecretHash hash = stopped.home().secretHash(stopped.store(), false, random);
            // As at the first start: those who run the program may make organizations.
            List<Role> roles = organizationId.equals(first) ? List.of(Role.OPERATOR, Role.ADMIN) : List.of(Role.ADMIN);
            ApiKeyCreated made =
                    new ApiKeyMaker(new SecretText(random), hash, clock).make(organizationId, KEY_NAME, roles);
            // The most keys that an organization may have is no reason to stay locked out.
            stopped.store().change(tables -> {
                tables.of(ApiKey.KIND).insert(made.key());
                stopped.note(tables, organizationId, "key_create", made.key().id());
            });
            show(organization, made);
        }
    }

    private void show(Organization organization, ApiKeyCreated made) {
        out.print("""
                A key that is an admin of the organization %s:

                  organization_id  %s
                  key_id           %s
                  key_secret       %s

                The secret is shown this once, and is written down nowhere.
                """.formatted(Escaped.text(organization.name()), organization.id(), made.keyId(), made.keySecret()));
    }

    private static UUID id(String typed) throws StartRefused {
        try {
            return UUID.fromString(typed);
        } catch (IllegalArgumentException e) {
            throw new StartRefused(Escaped.text(typed) + " is not the id of an organization, which is a UUID", e);
        }
    }

    private void rotate(List<String> nothing, Config config) throws StartRefused {
        try (StoppedStore stopped = StoppedStore.open(StoreChoice.of(config), clock, random)) {
            int renewed = new VaultFile(stopped.home(), stopped.store(), random)
                    .rotate(tables -> stopped.note(tables, "vault_key_rotate"));
            out.println(renewed + (renewed == 1 ? " thing with credentials is" : " things with credentials are")
                    + " sealed under a new key. "
                    + stopped.home().keys().afterReplacing(SealedKey.VAULT));
        }
    }

    private void rotateSecret(List<String> nothing, Config config) throws StartRefused {
        try (StoppedStore stopped = StoppedStore.open(StoreChoice.of(config), clock, random)) {
            SecretKeys.Renewed renewed = stopped.home()
                    .rotateSecretKey(stopped.store(), random, tables -> stopped.note(tables, "secret_key_rotate"));
            out.println(renewed.hashes() + (renewed.hashes() == 1 ? " hash is" : " hashes are")
                    + " under a new key, and all keys and tokens stay as they are; open invitations end. "
                    + stopped.home().keys().afterReplacing(SealedKey.SECRET));
        }
    }

    private void rotateStoreKey(List<String> files, Config config) throws StartRefused {
        StoreChoice choice = StoreChoice.of(config);
        byte[] old = choice.key()
                .orElseThrow(() -> new StartRefused("There is no key to replace: " + StoreOptions.STORE.flag() + " and "
                        + StoreOptions.KEY.flag() + " name the store and the key that it has"));
        Path file = Path.of(files.getFirst());
        byte[] next = StoreKey.readOrMake(file, random);
        if (MessageDigest.isEqual(next, old)) {
            throw new StartRefused(
                    "The key in " + Home.shown(file) + " is the one that the store has: name a file for another one");
        }
        try (StoppedStore stopped = StoppedStore.open(choice, clock, random)) {
            SealedKeys both = new SealedKeys(stopped.store(), new Vault(VaultKeys.of(next, old), random));
            stopped.store().change(tables -> {
                both.renew(tables);
                stopped.note(tables, "store_key_rotate");
            });
            out.println("The keys in the store are sealed under the key in " + Home.shown(file)
                    + ". Give each host this file: with the old one none starts any more.");
        }
    }
}
