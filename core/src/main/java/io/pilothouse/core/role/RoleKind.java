package io.pilothouse.core.role;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.FieldShape;
import io.pilothouse.core.base.PatternRule;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.item.Item;
import io.pilothouse.core.item.ItemKind;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.right.Permission;
import io.pilothouse.core.right.Permit;
import io.pilothouse.core.right.Role;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The roles of an organization. Who has one is kept with keys and members, and shown and changed here as its actors. */
public final class RoleKind implements ItemKind {
    static final String NAME = "roles";

    private static final String ACTORS = "actors";
    private static final PatternRule ACTOR = PatternRule.of(
            "(user|apiKey)/" + RolePolicies.UUID_FORM, "must be user/<id of a member> or apiKey/<id of a key>");

    private final Admins admins;
    private final Services services;

    /** Whether an organization has a service. */
    @FunctionalInterface
    public interface Services {
        boolean has(Tables tables, UUID organizationId, UUID serviceId);
    }

    public RoleKind(Admins admins, Services services) {
        this.admins = admins;
        this.services = services;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String title() {
        return "Role";
    }

    @Override
    public String activity() {
        return "role";
    }

    @Override
    public List<FieldShape> fields(RuleBook rules) {
        return shape();
    }

    /** What a role is made of. */
    public static List<FieldShape> shape() {
        return List.of(
                FieldShape.text("name", RuleBook.DISPLAY_NAME).needed().changeable(),
                FieldShape.texts(ACTORS, ACTOR).changeable(),
                RolePolicies.SHAPE.changeable());
    }

    @Override
    public void check(Tree.Members given, Tree.Members fields, RuleBook rules, Faults faults) {
        RolePolicies.check(fields, faults);
    }

    @Override
    public @Nullable String unique(Tree.Members fields) {
        return fields.text("name").orElse(null);
    }

    @Override
    public List<Item> builtIn(UUID organizationId) {
        return Stream.of(Role.values())
                .map(role -> Item.of(
                        role.id(),
                        organizationId,
                        this,
                        Tree.Members.NONE
                                .with("name", new Tree.Text(role.title()))
                                .with("policies", RolePolicies.shown(role.grants(), organizationId)),
                        Instant.EPOCH))
                .toList();
    }

    @Override
    public List<Tree.Members> shown(Tables tables, List<Item> items) {
        Map<UUID, List<String>> actors = new HashMap<>();
        if (!items.isEmpty()) {
            UUID organizationId = items.getFirst().organizationId();
            for (RoleHolders sort : admins.holders()) {
                for (RoleHolders.Holder holder : sort.all(tables, organizationId)) {
                    holder.roles()
                            .ids()
                            .forEach(id -> actors.computeIfAbsent(id, _ -> new ArrayList<>())
                                    .add(sort.word() + "/" + holder.id()));
                }
            }
        }
        return items.stream()
                .map(item -> shown(item, actors.getOrDefault(item.id(), List.of())))
                .toList();
    }

    private static Tree.Members shown(Item role, List<String> actors) {
        Tree.Text tenant = new Tree.Text("organization/" + role.organizationId());
        Tree.Text id = new Tree.Text(role.id().toString());
        List<Tree> policies = new ArrayList<>();
        for (Tree.Members policy : role.fields().objects("policies")) {
            String place = role.id() + " " + policies.size();
            UUID policyId = UUID.nameUUIDFromBytes(place.getBytes(StandardCharsets.UTF_8));
            policies.add(Tree.Members.NONE
                    .with("id", new Tree.Text(policyId.toString()))
                    .with("roleId", id)
                    .with("tenantId", tenant)
                    .over(policy));
        }
        return Tree.Members.NONE
                .with("id", id)
                .with("tenantId", tenant)
                .with("ownerId", tenant)
                .with("name", new Tree.Text(role.fields().text("name").orElse("")))
                .with("type", new Tree.Text(role.isBuiltIn() ? "system" : "custom"))
                .with(ACTORS, Tree.Items.texts(actors))
                .with("policies", new Tree.Items(policies))
                .with("createdAt", new Tree.Text(role.createdAt().toString()))
                .with("updatedAt", new Tree.Text(role.updatedAt().toString()));
    }

    @Override
    public Item write(
            Tables tables, Permit permit, @Nullable Item before, Item next, Function<Tree.Members, Item> keep) {
        Tree.Members fields = next.fields().with(ACTORS, null);
        Tree.Members known = before == null ? Tree.Members.NONE : before.fields();
        if (!fields.equals(known)) {
            if (before != null && before.isBuiltIn()) {
                throw Refused.badRequest("path.roleId", "is a system role, of which only the actors can be changed");
            }
            checkNames(tables, permit, known, fields);
            if (!fields.find("policies").equals(known.find("policies"))) {
                Roles.requireReach(permit, RolePolicies.of(known));
                Roles.requireReach(permit, RolePolicies.of(fields));
            }
        }
        return admins.kept(tables, permit.organizationId(), () -> {
            Item kept = keep.apply(fields);
            if (next.fields().has(ACTORS)) {
                assign(tables, permit, kept.id(), next.fields().texts(ACTORS));
            }
            return kept;
        });
    }

    /** A service that the role named before may have been deleted since. */
    private void checkNames(Tables tables, Permit permit, Tree.Members known, Tree.Members fields) {
        Set<UUID> before = RolePolicies.services(known);
        Faults faults = new Faults();
        RolePolicies.checkNames(
                fields,
                permit.organizationId(),
                service -> before.contains(service)
                        || (permit.allows(Permission.SERVICE_READ, service)
                                && services.has(tables, permit.organizationId(), service)),
                faults);
        faults.refuseIfAny();
    }

    /** Lets these have the role and nobody else. */
    private void assign(Tables tables, Permit permit, UUID roleId, List<String> actors) {
        Set<String> missing = new HashSet<>();
        actors.forEach(actor -> missing.add(lower(actor)));
        Set<String> wanted = Set.copyOf(missing);
        for (RoleHolders sort : admins.holders()) {
            for (RoleHolders.Holder holder : sort.all(tables, permit.organizationId())) {
                String actor = lower(sort.word() + "/" + holder.id());
                missing.remove(actor);
                boolean has = holder.roles().ids().contains(roleId);
                if (has != wanted.contains(actor)) {
                    Roles.requireReach(permit, Roles.policies(tables, permit.organizationId(), roleId));
                    sort.give(
                            tables,
                            permit,
                            holder.id(),
                            has
                                    ? holder.roles().without(roleId)
                                    : holder.roles().with(roleId));
                }
            }
        }
        Faults faults = new Faults();
        for (int i = 0; i < actors.size(); i++) {
            if (missing.contains(lower(actors.get(i)))) {
                faults.add("actors[" + i + "]", "is nobody of this organization");
            }
        }
        faults.refuseIfAny();
    }

    private static String lower(String actor) {
        return actor.toLowerCase(Locale.ROOT);
    }

    @Override
    public void delete(Tables tables, Permit permit, Item item, Runnable delete) {
        Roles.requireReach(permit, RolePolicies.of(item.fields()));
        admins.kept(tables, permit.organizationId(), () -> {
            assign(tables, permit, item.id(), List.of());
            delete.run();
            return item;
        });
    }
}
