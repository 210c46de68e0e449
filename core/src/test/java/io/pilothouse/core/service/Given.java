package io.pilothouse.core.service;

import io.pilothouse.core.base.Edition;
import io.pilothouse.core.base.EndpointSwitch;
import io.pilothouse.core.base.Fault;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.IpAccessEntry;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.Tag;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.base.Trees;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.organization.OrganizationTier;
import io.pilothouse.core.scaling.ScalingDraft;
import io.pilothouse.core.secret.PasswordHashes;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The material for tests of the rules: organizations, services, and drafts made of a few named fields. */
public final class Given {
    public static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    public static final UUID ORGANIZATION = UUID.fromString("11111111-1111-4111-8111-111111111111");
    public static final UUID SERVICE = UUID.fromString("22222222-2222-4222-8222-222222222222");
    static final PasswordHashes HASHES = new PasswordHashes("aa", "bb");
    public static final RuleBook SEED = RuleBook.of(Edition.SEED);
    static final RuleBook CLOUD = RuleBook.of(Edition.CLOUD);
    static final DataPlane.Database DATABASE = new DataPlane.Database("25.8", RuleBook.PROTOCOLS.words());

    private Given() {}

    static Organization organization(OrganizationTier tier, boolean paid) {
        return new Organization(
                new Head(ORGANIZATION, ORGANIZATION, NOON, 1),
                "Acme",
                tier,
                paid,
                false,
                List.of(),
                List.of(Organization.Byoc.named("byoc-1", "account one")));
    }

    public static Organization enterprise() {
        return organization(OrganizationTier.ENTERPRISE, true);
    }

    public static Service service() {
        return design(Map.of(), enterprise()).service();
    }

    static Service withId(UUID id) {
        ServiceDesign.Setting setting = new ServiceDesign.Setting(enterprise(), null, null, id, HASHES, DATABASE, NOON);
        return new ServiceDesign(SEED, ServiceDefaults.STANDARD, setting, new Faults()).of(draft(Map.of()));
    }

    /** A service that was designed, and what was found wrong on the way. */
    public record Designed(Service service, List<Fault> faults) {}

    public static Designed design(Map<String, Object> fields, Organization organization) {
        return design(fields, organization, SEED, null, null);
    }

    public static Designed design(
            Map<String, Object> fields,
            Organization organization,
            RuleBook rules,
            @Nullable Service warehousePrimary,
            ServiceDesign.@Nullable Origin origin) {
        Faults faults = new Faults();
        ServiceDesign.Setting setting =
                new ServiceDesign.Setting(organization, warehousePrimary, origin, SERVICE, HASHES, DATABASE, NOON);
        Service service = new ServiceDesign(rules, ServiceDefaults.STANDARD, setting, faults).of(draft(fields));
        return new Designed(service, faults.list());
    }

    /** A draft with these fields; numbers may be written as whole numbers. */
    static ServiceDraft draft(Map<String, Object> fields) {
        Fields given = new Fields(fields);
        return new ServiceDraft(
                given.text("name"),
                given.text("provider"),
                given.text("region"),
                given.text("tier"),
                given.list("ipAccessList", IpAccessEntry.class),
                new ScalingDraft(
                        given.number("minTotalMemoryGb"),
                        given.number("maxTotalMemoryGb"),
                        given.number("minReplicaMemoryGb"),
                        given.number("maxReplicaMemoryGb"),
                        given.number("numReplicas"),
                        given.text("autoscalingMode"),
                        given.number("minReplicas"),
                        given.number("maxReplicas"),
                        given.flag("idleScaling"),
                        given.number("idleTimeoutMinutes")),
                given.flag("isReadonly"),
                given.text("dataWarehouseId"),
                given.value("backupId", UUID.class),
                given.text("encryptionKey"),
                given.text("encryptionAssumedRoleIdentifier"),
                given.list("privateEndpointIds", String.class),
                given.flag("privatePreviewTermsChecked"),
                given.text("releaseChannel"),
                given.text("byocId"),
                given.flag("hasTransparentDataEncryption"),
                given.list("endpoints", EndpointSwitch.class),
                given.text("profile"),
                given.text("complianceType"),
                given.list("tags", Tag.class),
                given.tree("enableCoreDumps"));
    }

    /** Named values, each asked for by its type; a name that is never asked for is a mistake in the test. */
    private static final class Fields {
        private final Map<String, Object> values;

        Fields(Map<String, Object> values) {
            this.values = new HashMap<>(values);
        }

        <T> @Nullable T value(String name, Class<T> type) {
            return values.containsKey(name) ? type.cast(values.get(name)) : null;
        }

        @Nullable
        String text(String name) {
            return value(name, String.class);
        }

        Tree.Members tree(String name) {
            return values.containsKey(name) ? Trees.members(Map.of(name, values.get(name))) : Tree.Members.NONE;
        }

        @Nullable
        Boolean flag(String name) {
            return value(name, Boolean.class);
        }

        @Nullable
        Double number(String name) {
            Number number = value(name, Number.class);
            return number == null ? null : number.doubleValue();
        }

        <T> @Nullable List<T> list(String name, Class<T> type) {
            List<?> list = value(name, List.class);
            return list == null ? null : list.stream().map(type::cast).toList();
        }
    }
}
