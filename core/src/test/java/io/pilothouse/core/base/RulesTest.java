package io.pilothouse.core.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.key.ApiKeyDraft;
import io.pilothouse.core.key.ApiKeyRules;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.organization.OrganizationRules;
import io.pilothouse.core.organization.OrganizationTier;
import io.pilothouse.core.organization.PrivateEndpoint;
import io.pilothouse.core.right.AssignedRoles;
import io.pilothouse.core.right.Caller;
import io.pilothouse.core.right.Client;
import io.pilothouse.core.right.Permission;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.right.Role;
import io.pilothouse.core.secret.PasswordHashes;
import io.pilothouse.core.secret.SecretHash;
import io.pilothouse.core.secret.SecretText;
import io.pilothouse.core.service.Given;
import io.pilothouse.core.service.ServiceCommand;
import io.pilothouse.core.service.Wish;
import java.net.InetAddress;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RulesTest {
    private static final UUID REQUEST = UUID.fromString("55555555-5555-4555-8555-555555555555");
    private final Faults faults = new Faults();

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.0/8", "0.0.0.0/0", "192.0.2.7", "::1", "2001:db8::/32", "::/0", "::ffff:10.0.0.1"})
    void addressesAndBlocksAreRead(String text) {
        assertThat(IpBlock.parse(text)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/8",
                "10.0.0",
                "10.0.0.256",
                "10.0.0.0/33",
                "10.0.0.0/",
                "10.0.0.0/08",
                "10.0.0.0/-1",
                "010.0.0.1",
                "localhost",
                "example.org",
                "2001:db8::/129",
                "fe80::1%eth0",
                "[::1]",
                "::ffff:10.0.0.1/95",
                ":",
                ":::",
                "1:2:3",
                "10.0.0.1 ",
                "10.0.0.0/8/8",
                "::ffff:300.0.0.1"
            })
    void whatIsNoAddressIsNotRead(String text) {
        assertThat(IpBlock.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.0.1, true",
        "10.0.0.0/8, 11.0.0.1, false",
        "10.0.0.0/9, 10.127.0.1, true",
        "10.0.0.0/9, 10.128.0.1, false",
        "0.0.0.0/0, 203.0.113.9, true",
        "0.0.0.0/0, ::1, false",
        "::ffff:10.0.0.0/104, 10.9.9.9, true",
        "::ffff:10.0.0.1, 10.0.0.1, true",
        "2001:db8::/33, 2001:db8:7fff::1, true",
        "2001:db8::/33, 2001:db8:8000::1, false",
        "192.0.2.7, 192.0.2.8, false"
    })
    void aBlockContainsItsAddressesOnly(String block, String address, boolean inside) {
        assertThat(IpBlock.parse(block).orElseThrow().contains(InetAddress.ofLiteral(address)))
                .isEqualTo(inside);
    }

    @Test
    void everyFaultOfANumberIsReported() {
        assertThat(new NumberRule(5, Double.MAX_VALUE, 1).breach(4)).contains("must be 5 or more");
        assertThat(new NumberRule(0.5, 8, 0).breach(0.49)).contains("must be 0.5 to 8");
        assertThat(new NumberRule(0.5, 8, 0).breach(0.75)).isEmpty();
        assertThat(new NumberRule(1, 10, 1).breach(1.5)).contains("must be a whole number");
        assertThat(new NumberRule(8, 356, 4).breach(10)).contains("must be a multiple of 4");
        assertThat(NumberRule.wholeFrom(5).breach(3e9)).contains("must be at most 2147483647");
    }

    @Test
    void textsAreToldWhatIsWrongWithThem() {
        assertThat(TextRule.printable(9).breach("\u0378")).contains("may hold printable characters only");
        assertThat(TextRule.printable(9).breach(" ")).contains("must not be blank");
        assertThat(TextRule.printable(2).breach("🙂🙂🙂")).contains("must be at most 2 characters");
        assertThat(TextRule.printable(2).breach("🙂🙂")).isEmpty();
        assertThat(TextRule.any(2).breach("")).isEmpty();
        assertThat(TextRule.any(2).breach("\u0007")).isEmpty();
        TextRule secret = new TextRule(2, 3, TextRule.Alphabet.WITHOUT_CONTROLS);
        assertThat(secret.breach("ab")).isEmpty();
        for (String wrong : List.of("a", "abcd", "a\u0007")) {
            assertThat(secret.breach(wrong)).contains("must be 2 to 3 characters without control characters");
        }
        assertThat(RuleBook.TAG_KEY.breach("a b")).contains(RuleBook.TAG_KEY.message());
        assertThat(WordRule.of("a", "b").breach("c")).contains("must be one of a, b");
        RuleBook.DESCRIPTION.check("description", null, faults);
        assertThat(faults.none()).isTrue();
    }

    @Test
    void listsAreToldHowLongTheyMayBe() {
        SizeRule rule = new SizeRule(1, 2);
        assertThat(List.of(rule.check("a", 0, faults), rule.check("b", 1, faults), rule.check("c", 3, faults)))
                .containsExactly(false, true, false);
        assertThat(faults.list())
                .containsExactly(
                        new Fault("a", "must have at least one entry"), new Fault("c", "must have at most 2 entries"));
    }

    @Test
    void tagFiltersNameAKeyAndPerhapsAValue() {
        List<TagFilter> filters = TagFilter.read(List.of("tag:team", "tag:env=prod", "tag:empty="), faults);
        assertThat(filters)
                .containsExactly(new TagFilter("team", null), new TagFilter("env", "prod"), new TagFilter("empty", ""));
        List<Tag> tags = List.of(new Tag("team", "data"), new Tag("env", "prod"), new Tag("empty", null));
        assertThat(filters).allMatch(filter -> filter.matches(tags));
        assertThat(new TagFilter("env", "dev").matches(tags)).isFalse();
        assertThat(new TagFilter("other", null).matches(tags)).isFalse();
        assertThat(faults.none()).isTrue();
        TagFilter.read(List.of("name=x", "tag:", "tag:=v"), faults);
        assertThat(faults.list()).hasSize(3);
    }

    @Test
    void aFaultCoversWhatIsBelowItsPathAndNothingBeside() {
        faults.add("a.b", "x");
        faults.add("list[0].c", "y");
        assertThat(faults.has("a")).isTrue();
        assertThat(faults.has("a.b")).isTrue();
        assertThat(faults.has("list")).isTrue();
        assertThat(faults.has("ab")).isFalse();
        assertThatThrownBy(faults::refuseIfAny).isInstanceOfSatisfying(Refused.class, refused -> {
            assertThat(refused.reason()).isEqualTo(Refused.Reason.BAD_REQUEST);
            assertThat(refused.sentence()).isEqualTo("a.b: x (and 1 more, see details)");
            assertThat(refused.details()).hasSize(2);
        });
        new Faults().refuseIfAny();
        assertThat(Refused.badRequest("", "whole").sentence()).isEqualTo("whole");
    }

    @Test
    void aCallerReachesItsOwnOrganizationAndWhatItsRolesAllow() {
        Caller caller = new Caller(Given.ORGANIZATION, REQUEST, "ci", Role.DEVELOPER.permissions());
        Permit permit = caller.permit(Permission.SERVICE_WRITE, Given.ORGANIZATION, REQUEST);
        assertThat(permit.organizationId()).isEqualTo(Given.ORGANIZATION);
        assertThat(permit.permission()).isEqualTo(Permission.SERVICE_WRITE);
        assertThat(permit.requestId()).isEqualTo(REQUEST);
        assertThat(permit.caller()).isEqualTo(caller);
        assertThat(permit.client()).isNull();
        Client curl = Client.of(InetAddress.getLoopbackAddress(), "curl/8");
        assertThat(permit.sentBy(curl).client()).isEqualTo(curl);
        assertThatThrownBy(() -> caller.permit(Permission.SERVICE_DELETE, Given.ORGANIZATION, REQUEST))
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.reason()).isEqualTo(Refused.Reason.FORBIDDEN));
        assertThatThrownBy(() -> caller.permit(Permission.SERVICE_READ, Given.SERVICE, REQUEST))
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.reason()).isEqualTo(Refused.Reason.NOT_FOUND));
    }

    @Test
    void rolesAddUpAndOnlyAnOperatorMakesOrganizations() {
        assertThat(Role.find("admin")).contains(Role.ADMIN);
        assertThat(Role.find("root")).isEmpty();
        assertThat(Role.QUERY_ENDPOINTS.permissions()).isEmpty();
        for (Role role : EnumSet.complementOf(EnumSet.of(Role.OPERATOR))) {
            assertThat(role.permissions()).doesNotContain(Permission.ORGANIZATION_CREATE);
        }
        assertThat(Role.DEVELOPER.permissions())
                .doesNotContain(Permission.SERVICE_DELETE, Permission.PIPE_DELETE, Permission.KEY_CREATE);
        assertThat(Role.ADMIN.permissions()).hasSize(Permission.values().length - 1);
        assertThat(Role.OPERATOR.permissions())
                .isEqualTo(Set.of(Permission.ORGANIZATION_READ, Permission.ORGANIZATION_CREATE));
    }

    private static Precondition<String> precondition(String... tags) {
        return new Precondition<>(List.of(tags), thing -> thing, _ -> Tree.Members.NONE);
    }

    @Test
    void aThingIsNotLookedAtWithoutATag() {
        Precondition.none().require(() -> {
            throw new AssertionError("It was looked at");
        });
    }

    @Test
    void aPreconditionHoldsForTheCurrentTagOnly() {
        Precondition.<String>none().require(() -> "1");
        precondition("1", "2").require(() -> "2");
        precondition("*").require(() -> "anything");
        assertThatThrownBy(() -> precondition("1").require(() -> "2"))
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(refused.reason()).isEqualTo(Refused.Reason.PRECONDITION_FAILED));
    }

    @Test
    void keysAreReadStrictly() {
        ApiKeyRules rules = new ApiKeyRules(faults);
        assertThat(rules.enabled("enabled")).isTrue();
        assertThat(rules.enabled("disabled")).isFalse();
        assertThat(rules.roles(null, null)).isNull();
        assertThat(rules.roles(null, List.of())).isNull();
        List<String> words = List.of("admin", "admin", "developer");
        assertThat(rules.roles(words, List.of())).isEqualTo(AssignedRoles.of(List.of(Role.ADMIN, Role.DEVELOPER)));
        List<String> ids = List.of(
                Role.DEVELOPER.id().toString(), Role.ADMIN.id().toString().toUpperCase(Locale.ROOT));
        assertThat(rules.roles(null, ids)).isEqualTo(AssignedRoles.of(List.of(Role.DEVELOPER, Role.ADMIN)));
        assertThat(rules.roles(words, ids)).isEqualTo(AssignedRoles.of(List.of(Role.DEVELOPER, Role.ADMIN)));
        assertThat(rules.expiry(null)).isNull();
        assertThat(rules.expiry("")).isNull();
        assertThat(rules.expiry("2027-01-01T00:00:00+01:00")).isEqualTo(Instant.parse("2026-12-31T23:00:00Z"));
        rules.checkName("ci");
        String digest = SecretHash.base64(SecretHash.sha256("x"));
        rules.checkHashes(new ApiKeyDraft.Hashes(digest, "aB3d", digest));
        assertThat(faults.none()).isTrue();
        rules.checkName(" ");
        rules.enabled("on");
        rules.roles(List.of(), null);
        rules.roles(List.of("root"), null);
        rules.roles(null, List.of("root"));
        rules.roles(List.of("admin"), ids);
        rules.expiry("tomorrow");
        rules.checkHashes(new ApiKeyDraft.Hashes("!", "toolong", SecretHash.base64(new byte[3])));
        rules.checkHashes(new ApiKeyDraft.Hashes(null, null, null));
        assertThat(faults.list())
                .extracting(Fault::path)
                .containsExactly(
                        "name",
                        "state",
                        "roles",
                        "roles[0]",
                        "assignedRoleIds[0]",
                        "assignedRoleIds",
                        "expireAt",
                        "hashData.keyIdHash",
                        "hashData.keySecretHash",
                        "hashData.keyIdSuffix",
                        "hashData.keyIdHash",
                        "hashData.keySecretHash",
                        "hashData.keyIdSuffix");
    }

    @Test
    void organizationsAreCheckedAndTheirEndpointsKept() {
        OrganizationRules rules = new OrganizationRules(faults);
        rules.checkName("Acme, Inc.");
        assertThat(rules.tier("SCALE")).isEqualTo(OrganizationTier.SCALE);
        rules.checkByoc(List.of(Organization.Byoc.named("b", "account")));
        PrivateEndpoint known = new PrivateEndpoint("vpce-1", "old", "aws", "us-east-1", false);
        assertThat(rules.change(
                        List.of(known, new PrivateEndpoint("vpce-2", null, null, null, false)),
                        new ListChange<>(
                                List.of(
                                        new PrivateEndpoint("vpce-1", "new", null, null, false),
                                        new PrivateEndpoint("vpce-3", null, "gcp", "us-east1", false)),
                                List.of(new PrivateEndpoint("vpce-2", null, null, null, false)))))
                .containsExactly(
                        new PrivateEndpoint("vpce-1", "new", "aws", "us-east-1", false),
                        new PrivateEndpoint("vpce-3", null, "gcp", "us-east1", false));
        List<PrivateEndpoint> bare =
                new java.util.ArrayList<>(List.of(new PrivateEndpoint("e", "kept", null, null, false)));
        OrganizationRules.register(bare, new PrivateEndpoint("e", null, "aws", "us-east-1", false));
        assertThat(bare).containsExactly(new PrivateEndpoint("e", "kept", "aws", "us-east-1", false));
        assertThat(faults.none()).isTrue();
        rules.checkName("");
        rules.tier("gold");
        rules.checkByoc(java.util.Collections.nCopies(1001, Organization.Byoc.named("b", "account")));
        List<PrivateEndpoint> many = new java.util.ArrayList<>();
        for (int i = 0; i < 1001; i++) {
            many.add(new PrivateEndpoint("vpce-" + i, null, null, null, false));
        }
        rules.change(many, new ListChange<>(List.of(), List.of()));
        assertThat(faults.list())
                .extracting(Fault::path)
                .contains("name", "tier", "byocConfig[1].id", "byocConfig", "privateEndpoints.add");
    }

    @Test
    void secretsAreHashedUnderThePepperAndNeverShown() {
        SecretHash hash = new SecretHash(new byte[32]);
        String kept = hash.of("secret");
        assertThat(hash.matches("secret", kept)).isTrue();
        assertThat(hash.matches("Secret", kept)).isFalse();
        assertThat(hash.ofDigest(SecretHash.sha256("secret"))).isEqualTo(kept);
        byte[] other = new byte[32];
        other[0] = 1;
        assertThat(new SecretHash(other).of("secret")).isNotEqualTo(kept);
        assertThatThrownBy(() -> new SecretHash(new byte[31])).isInstanceOf(IllegalArgumentException.class);
        assertThat(new PasswordHashes("sha", "sha1").toString()).isEqualTo("PasswordHashes[]");
    }

    @Test
    void generatedSecretsHaveTheirLengthsAndAlphabets() {
        SecretText text = new SecretText(new java.security.SecureRandom());
        assertThat(text.keyId()).matches("[A-Za-z0-9]{20}");
        assertThat(text.keySecret()).matches("[A-Za-z0-9]{48}");
        for (int i = 0; i < 200; i++) {
            assertThat(text.password())
                    .hasSizeGreaterThanOrEqualTo(20)
                    .containsPattern("[a-z]")
                    .containsPattern("[A-Z]")
                    .containsPattern("[0-9]")
                    .containsPattern("[^A-Za-z0-9]");
        }
        assertThat(SecretText.hash("password").sha256())
                .isEqualTo("5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8");
        assertThat(SecretText.hash("password").doubleSha1()).isEqualTo("2470c0c06dee42fd1618bb99005adca2ec9d1e19");
    }

    @ParameterizedTest
    @EnumSource(ServiceCommand.class)
    void nothingIsCommandedOfADeletedService(ServiceCommand command) {
        assertThat(command.from(Wish.DELETE)).isEmpty();
        assertThat(ServiceCommand.find(command.name().toLowerCase(java.util.Locale.ROOT)))
                .contains(command);
    }

    @Test
    void commandsAreTakenWhereTheyMakeSense() {
        assertThat(ServiceCommand.START.from(Wish.RUN)).contains(Wish.RUN);
        assertThat(ServiceCommand.START.from(Wish.STOP)).contains(Wish.RUN);
        assertThat(ServiceCommand.START.from(Wish.SLEEP)).contains(Wish.SLEEP);
        assertThat(ServiceCommand.STOP.from(Wish.RUN)).contains(Wish.STOP);
        assertThat(ServiceCommand.STOP.from(Wish.STOP)).contains(Wish.STOP);
        assertThat(ServiceCommand.STOP.from(Wish.SLEEP)).contains(Wish.STOP);
        assertThat(ServiceCommand.AWAKE.from(Wish.SLEEP)).contains(Wish.RUN);
        assertThat(ServiceCommand.AWAKE.from(Wish.RUN)).contains(Wish.RUN);
        assertThat(ServiceCommand.AWAKE.from(Wish.STOP)).isEmpty();
        assertThat(ServiceCommand.find("reboot")).isEmpty();
        assertThat(ServiceCommand.find(null)).isEmpty();
        assertThat(ServiceCommand.AWAKE.activityType()).isEqualTo("service_awaken");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "हिन्दी",
                "ไทยนี้",
                "e\u0301",
                "a\u00a0b",
                "a\u2007b\u202f",
                "a\u2028b",
                "a\u0085b",
                "\u3000a",
                "日本 ١٢ ª",
                "tab\tand\nline"
            })
    void aNameIsOfLettersWithTheirMarksDigitsAndWhatUnicodeCallsWhiteSpace(String name) {
        assertThat(RuleBook.of(Edition.SEED).serviceName().breach(name)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a\u001cb",
                "a\u001fb",
                "a\u200bb",
                "a\u180eb",
                "a\ufeffb",
                "\u0301",
                " \u0301",
                "\u00a0",
                "\u3000\u2028",
                "a-b",
                "🙂",
                "½"
            })
    void aNameIsOfNothingElseAndNotOfWhiteSpaceAlone(String name) {
        assertThat(RuleBook.of(Edition.SEED).serviceName().breach(name)).isPresent();
    }
}
