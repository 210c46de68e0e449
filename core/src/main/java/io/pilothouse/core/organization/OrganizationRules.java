package io.pilothouse.core.organization;

import io.pilothouse.core.base.AccessRules;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.ListChange;
import io.pilothouse.core.base.RuleBook;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The rules about organizations: names, tiers and the list of private endpoints; pure. */
public record OrganizationRules(Faults faults) {

    public void checkName(String name) {
        RuleBook.DISPLAY_NAME.check("name", name, faults);
    }

    public OrganizationTier tier(String word) {
        for (OrganizationTier tier : OrganizationTier.values()) {
            if (tier.name().equals(word)) {
                return tier;
            }
        }
        OrganizationTier.WORDS.check("tier", word, faults);
        return OrganizationTier.BASIC;
    }

    public void checkByoc(List<Organization.Byoc> byocConfig) {
        AccessRules identifiers = new AccessRules(faults);
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < byocConfig.size(); i++) {
            String at = "byocConfig[" + i + "]";
            identifiers.checkIdentifier(at + ".id", byocConfig.get(i).id());
            identifiers.checkIdentifier(at + ".accountName", byocConfig.get(i).accountName());
            if (!ids.add(byocConfig.get(i).id())) {
                faults.add(at + ".id", "is named twice");
            }
        }
        RuleBook.LIST.check("byocConfig", byocConfig.size(), faults);
    }

    /** Takes endpoints out by id, then registers the new ones. */
    public List<PrivateEndpoint> change(List<PrivateEndpoint> current, ListChange<PrivateEndpoint> change) {
        AccessRules identifiers = new AccessRules(faults);
        List<PrivateEndpoint> added = change.add();
        for (int i = 0; i < added.size(); i++) {
            String at = "privateEndpoints.add[" + i + "]";
            identifiers.checkIdentifier(at + ".id", added.get(i).id());
            identifiers.checkDescription(at + ".description", added.get(i).description());
        }
        Set<String> leaving = new HashSet<>();
        change.remove().forEach(endpoint -> leaving.add(endpoint.id()));
        List<PrivateEndpoint> next = new ArrayList<>(current);
        next.removeIf(endpoint -> leaving.contains(endpoint.id()));
        added.forEach(endpoint -> register(next, endpoint));
        if (next.size() > RuleBook.LIST.max()) {
            faults.add("privateEndpoints.add", "would make more than " + RuleBook.LIST.max() + " entries");
        }
        return next;
    }

    /** Adds one; an existing one keeps its place and every value that the new registration does not give. */
    public static void register(List<PrivateEndpoint> endpoints, PrivateEndpoint added) {
        for (int i = 0; i < endpoints.size(); i++) {
            PrivateEndpoint known = endpoints.get(i);
            if (known.id().equals(added.id())) {
                endpoints.set(
                        i,
                        new PrivateEndpoint(
                                known.id(),
                                added.description() == null ? known.description() : added.description(),
                                known.cloudProvider() == null ? added.cloudProvider() : known.cloudProvider(),
                                known.region() == null ? added.region() : known.region(),
                                known.byUse() && added.byUse()));
                return;
            }
        }
        endpoints.add(added);
    }
}
