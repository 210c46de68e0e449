package io.pilothouse.core.role;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.FieldShape;
import io.pilothouse.core.base.PatternRule;
import io.pilothouse.core.base.SizeRule;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.base.WordRule;
import io.pilothouse.core.right.Grant;
import io.pilothouse.core.right.Permission;
import io.pilothouse.core.right.Policy;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;

/** The policies of a role in the form that clients send and see, and what they mean. */
final class RolePolicies {
    static final String UUID_FORM = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";

    static final int MAX_POLICIES = 100;

    private static final String ALLOW = "ALLOW";
    private static final String ORGANIZATION = "organization/";
    private static final String SERVICE = "instance/";
    private static final String EVERY_SERVICE = SERVICE + "*";
    private static final PatternRule RESOURCE = PatternRule.of(
            ORGANIZATION + UUID_FORM + "|" + SERVICE + "(" + UUID_FORM + "|\\*)",
            "must be organization/<id>, instance/<id> or instance/*");

    static final FieldShape SHAPE = FieldShape.objects(
            "policies",
            SizeRule.atMost(MAX_POLICIES),
            FieldShape.word("allowDeny", WordRule.of(ALLOW, "DENY")).needed(),
            FieldShape.texts("permissions", Grant.WORDS).needed(),
            FieldShape.texts("resources", RESOURCE).needed(),
            FieldShape.object(
                            "tags",
                            FieldShape.texts("grants").orAbsent(),
                            FieldShape.word("roleV2", "sql-console-readonly", "sql-console-admin"))
                    .orAbsent());

    private RolePolicies() {}

    /** A policy is about the organization or about services, and its resources are of that sort. */
    static void check(Tree.Members fields, Faults faults) {
        List<Tree.Members> policies = fields.objects("policies");
        for (int i = 0; i < policies.size(); i++) {
            String at = "policies[" + i + "]";
            List<Grant> grants = grants(policies.get(i));
            long onServices = grants.stream().filter(Grant::isOnServices).count();
            if (onServices > 0 && onServices < grants.size()) {
                faults.add(at + ".permissions", "must all be about the organization or all about services");
                continue;
            }
            List<String> resources = policies.get(i).texts("resources");
            for (int j = 0; j < resources.size(); j++) {
                boolean fits = resources.get(j).startsWith(onServices > 0 ? SERVICE : ORGANIZATION);
                if (!fits && !grants.isEmpty()) {
                    faults.add(
                            at + ".resources[" + j + "]",
                            "must be "
                                    + (onServices > 0
                                            ? "instance/<id> or instance/*, because the permissions are about services"
                                            : "organization/<id>, because the permissions are about the organization"));
                }
            }
        }
    }

    /** Adds a fault for every resource that names another organization, or a service that is not among these. */
    static void checkNames(Tree.Members fields, UUID organizationId, Predicate<UUID> isThere, Faults faults) {
        List<Tree.Members> policies = fields.objects("policies");
        for (int i = 0; i < policies.size(); i++) {
            List<String> resources = policies.get(i).texts("resources");
            for (int j = 0; j < resources.size(); j++) {
                String at = "policies[" + i + "].resources[" + j + "]";
                String resource = resources.get(j);
                if (resource.startsWith(ORGANIZATION) && !id(resource).equals(organizationId)) {
                    faults.add(at, "must be the role's own organization, " + ORGANIZATION + organizationId);
                } else if (resource.startsWith(SERVICE)
                        && !resource.equals(EVERY_SERVICE)
                        && !isThere.test(id(resource))) {
                    faults.add(at, "is no service of this organization");
                }
            }
        }
    }

    private static UUID id(String resource) {
        return UUID.fromString(resource.substring(resource.indexOf('/') + 1));
    }

    private static List<Grant> grants(Tree.Members policy) {
        return policy.texts("permissions").stream()
                .flatMap(word -> Grant.find(word).stream())
                .toList();
    }

    /** What the policies of these fields mean. */
    static List<Policy> of(Tree.Members fields) {
        return fields.objects("policies").stream().map(RolePolicies::one).toList();
    }

    private static Policy one(Tree.Members policy) {
        boolean allows = policy.text("allowDeny").filter(ALLOW::equals).isPresent();
        Set<Permission> permissions = EnumSet.noneOf(Permission.class);
        grants(policy).forEach(grant -> permissions.addAll(grant.permissions(allows)));
        Set<UUID> services = new HashSet<>();
        boolean everywhere = false;
        for (String resource : policy.texts("resources")) {
            if (resource.startsWith(ORGANIZATION) || resource.equals(EVERY_SERVICE)) {
                everywhere = true;
            } else {
                services.add(id(resource));
            }
        }
        return new Policy(allows, permissions, everywhere, services);
    }

    /** The services that the policies of these fields name. */
    static Set<UUID> services(Tree.Members fields) {
        Set<UUID> named = new HashSet<>();
        of(fields).forEach(policy -> named.addAll(policy.services()));
        return named;
    }

    /** The policies that say what a role of every organization may do, as far as there are words for it. */
    static Tree.Items shown(List<Grant> grants, UUID organizationId) {
        List<Tree> policies = new ArrayList<>();
        List<String> ofOrganization = words(grants, false);
        List<String> ofServices = words(grants, true);
        if (!ofOrganization.isEmpty()) {
            policies.add(allow(ofOrganization, ORGANIZATION + organizationId));
        }
        if (!ofServices.isEmpty()) {
            policies.add(allow(ofServices, EVERY_SERVICE));
        }
        return new Tree.Items(policies);
    }

    private static List<String> words(List<Grant> grants, boolean onServices) {
        return grants.stream()
                .filter(grant -> grant.isOnServices() == onServices)
                .map(Grant::word)
                .toList();
    }

    private static Tree.Members allow(List<String> words, String resource) {
        return Tree.Members.NONE
                .with("allowDeny", new Tree.Text(ALLOW))
                .with("permissions", Tree.Items.texts(words))
                .with("resources", Tree.Items.texts(List.of(resource)));
    }
}
