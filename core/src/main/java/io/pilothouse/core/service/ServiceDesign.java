package io.pilothouse.core.service;

import io.pilothouse.core.base.AccessRules;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.IpAccessEntry;
import io.pilothouse.core.base.RowIds;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.Tag;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.organization.OrganizationTier;
import io.pilothouse.core.scaling.Scaling;
import io.pilothouse.core.scaling.ScalingRules;
import io.pilothouse.core.secret.PasswordHashes;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Decides what service a create request asks for: every rule of the contract's table and the defaults for what was not
 * given. Pure; what it finds wrong is in the faults, and its answer counts only when there are none.
 */
public final class ServiceDesign {
    /**
     * The things that the request refers to, and the time and identity of the new service; {@code database} is what
     * the plane will start.
     */
    public record Setting(
            Organization organization,
            @Nullable Service warehousePrimary,
            @Nullable Origin origin,
            UUID id,
            PasswordHashes password,
            DataPlane.Database database,
            Instant now) {}

    /** The finished backup that the request names, and where and as what its service was made. */
    public record Origin(
            BackupOrigin backup, String region, @Nullable String tier) {}

    private final RuleBook rules;
    private final ServiceDefaults defaults;
    private final Setting setting;
    private final Faults faults;

    public ServiceDesign(RuleBook rules, ServiceDefaults defaults, Setting setting, Faults faults) {
        this.rules = rules;
        this.defaults = defaults;
        this.setting = setting;
        this.faults = faults;
    }

    public Service of(ServiceDraft draft) {
        Organization organization = setting.organization();
        Placement placement = placement(draft);
        boolean development = placement.development();
        Warehouse warehouse = warehouse(draft, placement);
        ScalingRules.Setting around =
                new ScalingRules.Setting(organization, warehouse.primary(), development, draft.byocId());
        Scaling scaling = new ScalingRules(rules, around, faults).create(draft.scaling());
        return new Service(
                Head.of(setting.id(), organization.id(), setting.now()),
                new Service.Fixed(placement, warehouse, origin(draft, placement)),
                details(draft, development),
                scaling,
                access(draft),
                setting.password(),
                BackupConfiguration.STANDARD,
                Service.Want.run(setting.now()),
                nothingYet());
    }

    private Seen nothingYet() {
        return Seen.nothingYet(setting.now()).withDatabase(setting.database());
    }

    private Service.Details details(ServiceDraft draft, boolean development) {
        return new Service.Details(
                name(draft.name()),
                encryption(draft),
                releaseChannel(draft.releaseChannel(), development),
                tags(draft.tags()),
                ServiceFields.create(draft.fields(), setting.organization(), faults));
    }

    private String name(@Nullable String given) {
        if (given == null) {
            return "Service " + RowIds.lastDigits(setting.id(), 8);
        }
        rules.serviceName().check("name", given, faults);
        return given;
    }

    private Placement placement(ServiceDraft draft) {
        String provider = provider(draft);
        String region = draft.region();
        if (region == null) {
            region = homeRegion(draft)
                    .orElseGet(() -> defaults.regionByProvider().getOrDefault(provider, ""));
        } else {
            checkRegion(region, draft.provider() != null && !faults.has("provider") ? provider : null);
        }
        RuleBook.TIERS.check("tier", draft.tier(), faults);
        if (Placement.DEVELOPMENT.equals(draft.tier()) && provider.equals("azure")) {
            faults.add("tier", "development is not offered on azure");
        }
        RuleBook.PROFILES.check("profile", draft.profile(), faults);
        if (draft.profile() != null) {
            requireEnterprise("profile");
        }
        RuleBook.COMPLIANCE_TYPES.check("complianceType", draft.complianceType(), faults);
        if (draft.byocId() != null) {
            checkByoc(draft.byocId(), region);
        }
        Origin origin = setting.origin();
        String tier = draft.tier() == null && origin != null ? origin.tier() : draft.tier();
        return new Placement(provider, region, tier, draft.byocId(), draft.profile(), draft.complianceType());
    }

    private void checkByoc(String byocId, String region) {
        Optional<Organization.Byoc> byoc = setting.organization().byoc(byocId);
        if (byoc.isEmpty()) {
            faults.add("byocId", "is not set up in this organization");
        }
        byoc.map(Organization.Byoc::regionId)
                .filter(its -> !its.equals(region) && !faults.has("region"))
                .ifPresent(its -> faults.add("byocId", "is in " + its + ", and the service must be there too"));
    }

    private @Nullable BackupOrigin origin(ServiceDraft draft, Placement placement) {
        if (draft.backupId() == null) {
            return null;
        }
        Origin origin = setting.origin();
        if (origin == null) {
            faults.add("backupId", "is not a finished backup of this organization");
            return null;
        }
        if (draft.dataWarehouseId() != null) {
            faults.add("backupId", "cannot be given together with dataWarehouseId, whose data is there already");
            return null;
        }
        boolean samePlace = origin.region().equals(placement.region())
                && rules.providerOf(origin.region())
                        .filter(provider -> !provider.equals(placement.provider()))
                        .isEmpty();
        if (!samePlace && !faults.has("provider") && !faults.has("region")) {
            faults.add("backupId", "is a backup in " + origin.region() + ", and the service must be there too");
        }
        if (!Objects.equals(origin.tier(), placement.tier()) && !faults.has("tier")) {
            String tier = origin.tier() == null ? "without a tier" : "of the tier " + origin.tier();
            faults.add("backupId", "is a backup of a service " + tier + ", and the new one must be so too");
        }
        return origin.backup();
    }

    private String provider(ServiceDraft draft) {
        if (draft.provider() != null) {
            RuleBook.PROVIDERS.check("provider", draft.provider(), faults);
            return draft.provider();
        }
        if (draft.region() != null) {
            return rules.providerOf(draft.region()).orElse(defaults.provider());
        }
        return setting.warehousePrimary() != null
                ? setting.warehousePrimary().placement().provider()
                : homeRegion(draft).flatMap(rules::providerOf).orElse(defaults.provider());
    }

    /** Where its data is, if it is not to begin with none, or the infrastructure of its own. */
    private Optional<String> homeRegion(ServiceDraft draft) {
        return Optional.ofNullable(setting.warehousePrimary())
                .map(primary -> primary.placement().region())
                .or(() -> Optional.ofNullable(setting.origin()).map(Origin::region))
                .or(() -> setting.organization().byoc(draft.byocId()).map(Organization.Byoc::regionId));
    }

    private void checkRegion(String region, @Nullable String provider) {
        Optional<String> owner = rules.providerOf(region);
        if (owner.isEmpty()) {
            rules.regions().check("region", region, faults);
        } else if (provider != null && !owner.get().equals(provider)) {
            List<String> offered = rules.regionsOf(provider).words();
            faults.add("region", "is not one of " + provider + ": " + String.join(", ", offered));
        }
    }

    private Warehouse warehouse(ServiceDraft draft, Placement placement) {
        boolean readonly = Boolean.TRUE.equals(draft.isReadonly());
        if (draft.dataWarehouseId() == null) {
            if (readonly && !faults.has("dataWarehouseId")) {
                faults.add("isReadonly", "may be true only with dataWarehouseId");
            }
            return new Warehouse(setting.id(), true, false);
        }
        Service primary = setting.warehousePrimary();
        Optional<String> closed = closed(primary);
        closed.ifPresent(why -> faults.add("dataWarehouseId", why));
        if (primary == null || closed.isPresent()) {
            return new Warehouse(setting.id(), false, readonly);
        }
        boolean samePlace = primary.placement().provider().equals(placement.provider())
                && primary.placement().region().equals(placement.region());
        if (!samePlace && !faults.has("provider") && !faults.has("region")) {
            faults.add(
                    "dataWarehouseId",
                    "is a warehouse in " + primary.placement().provider() + " "
                            + primary.placement().region() + ", and a service must be where its warehouse is");
        }
        return new Warehouse(primary.warehouse().id(), false, readonly);
    }

    /** Why nobody can join the warehouse of this primary service, if nobody can. */
    static Optional<String> closed(@Nullable Service primary) {
        if (primary == null) {
            return Optional.of("is not a warehouse of this organization");
        }
        return primary.wish() == Wish.DELETE
                ? Optional.of("is a warehouse whose primary service is being deleted")
                : Optional.empty();
    }

    private Access access(ServiceDraft draft) {
        AccessRules accessRules = new AccessRules(faults);
        List<IpAccessEntry> entries = draft.ipAccessList() == null ? List.of() : draft.ipAccessList();
        accessRules.checkEntries("ipAccessList", entries);
        boolean mysql = accessRules.mysql(draft.endpoints(), false, nothingYet().speaks(RuleBook.SWITCHED_PROTOCOL));
        return new Access(AccessRules.distinct(entries), List.of(), mysql);
    }

    private Encryption encryption(ServiceDraft draft) {
        RuleBook.ENCRYPTION_IDENTIFIER.check("encryptionKey", draft.encryptionKey(), faults);
        RuleBook.ENCRYPTION_IDENTIFIER.check(
                "encryptionAssumedRoleIdentifier", draft.encryptionAssumedRoleIdentifier(), faults);
        boolean transparent = Boolean.TRUE.equals(draft.hasTransparentDataEncryption());
        if (transparent) {
            requireEnterprise("hasTransparentDataEncryption");
        }
        return new Encryption(draft.encryptionKey(), draft.encryptionAssumedRoleIdentifier(), transparent, null);
    }

    private String releaseChannel(@Nullable String given, boolean development) {
        if (given == null) {
            return "default";
        }
        RuleBook.RELEASE_CHANNELS.check("releaseChannel", given, faults);
        if (development) {
            faults.add("releaseChannel", "cannot be set for a development service");
        }
        return given;
    }

    private List<Tag> tags(@Nullable List<Tag> given) {
        List<Tag> tags = given == null ? List.of() : given;
        new AccessRules(faults).checkTags("tags", tags);
        return tags;
    }

    private void requireEnterprise(String path) {
        if (rules.organizationTiersLimit() && setting.organization().tier() != OrganizationTier.ENTERPRISE) {
            faults.add(path, "is offered in organizations of the ENTERPRISE tier only");
        }
    }
}
