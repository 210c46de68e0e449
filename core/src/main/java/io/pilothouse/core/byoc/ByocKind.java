package io.pilothouse.core.byoc;

import io.pilothouse.core.base.FieldShape;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.base.TextRule;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.base.WordRule;
import io.pilothouse.core.item.Item;
import io.pilothouse.core.item.ItemKind;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.organization.Organization.Byoc;
import io.pilothouse.core.organization.OrganizationOperations;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.right.Permit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The regions of an organization's own cloud accounts. Nothing is built in the account, so each is ready at once; what
 * services and the organization need to know of it is in the organization's row, too.
 */
public final class ByocKind implements ItemKind {
    /** The state of all of them. */
    public static final String READY = "infra-ready";

    private static final String REGION = "regionId";
    private static final String ACCOUNT = "accountId";
    private static final String DISPLAY_NAME = "displayName";

    /** An empty one takes it away. */
    private static final TextRule NAME = new TextRule(0, 255, TextRule.Alphabet.WITHOUT_CONTROLS);

    private final RuleBook rules;

    public ByocKind(RuleBook rules) {
        this.rules = rules;
    }

    @Override
    public String name() {
        return "byocInfrastructure";
    }

    @Override
    public String title() {
        return "BYOC infrastructure";
    }

    @Override
    public String activity() {
        return "organization_byoc_infrastructure";
    }

    @Override
    public List<FieldShape> fields(RuleBook book) {
        return shape(book);
    }

    /** What it is made of. */
    public static List<FieldShape> shape(RuleBook book) {
        return List.of(
                FieldShape.word(REGION, book.regions()).needed(),
                FieldShape.text(ACCOUNT, RuleBook.IDENTIFIER).needed(),
                FieldShape.texts("availabilityZoneSuffixes", WordRule.of("a", "b", "c", "d", "e", "f"))
                        .orAbsent(),
                FieldShape.form("vpcCidrRange", RuleBook.VPC_CIDR_RANGE),
                FieldShape.text(DISPLAY_NAME, NAME).changeable());
    }

    private Byoc byoc(Item item, int services) {
        String region = item.fields().text(REGION).orElseThrow();
        return new Byoc(
                item.id().toString(),
                item.fields().text(ACCOUNT).orElseThrow(),
                region,
                // A region that this edition of the rules no longer offers has no provider to show.
                rules.providerOf(region).orElse(null),
                item.fields().text(DISPLAY_NAME).orElse(null),
                services);
    }

    @Override
    public List<Tree.Members> shown(Tables tables, List<Item> items) {
        return items.stream().map(item -> shown(byoc(item, 0))).toList();
    }

    private static Tree.Members shown(Byoc byoc) {
        return Tree.Members.NONE
                .with("id", new Tree.Text(byoc.id()))
                .with("state", new Tree.Text(READY))
                .with("accountName", new Tree.Text(byoc.accountName()))
                .with(REGION, text(byoc.regionId()))
                .with("cloudProvider", text(byoc.cloudProvider()))
                .with(DISPLAY_NAME, text(byoc.displayName()));
    }

    private static Tree.@Nullable Text text(@Nullable String value) {
        return value == null ? null : new Tree.Text(value);
    }

    @Override
    public Item write(
            Tables tables, Permit permit, @Nullable Item before, Item next, Function<Tree.Members, Item> keep) {
        Item kept = keep.apply(next.fields());
        Organization organization = OrganizationOperations.get(tables, kept.organizationId());
        List<Byoc> regions = new ArrayList<>(organization.byocConfig());
        int place = place(regions, kept);
        if (place >= 0) {
            regions.set(place, byoc(kept, regions.get(place).services()));
        } else if (regions.size() < RuleBook.LIST.max()) {
            regions.add(byoc(kept, 0));
        } else {
            throw Refused.tooMany(RuleBook.LIST.max(), name());
        }
        ByocOfService.replace(tables, organization, regions);
        return kept;
    }

    @Override
    public void delete(Tables tables, Permit permit, Item item, Runnable delete) {
        Organization organization = OrganizationOperations.get(tables, item.organizationId());
        List<Byoc> regions = new ArrayList<>(organization.byocConfig());
        int place = place(regions, item);
        int services = regions.get(place).services();
        if (services > 0) {
            throw new Refused(
                    Refused.Reason.CONFLICT,
                    "Services are in this BYOC infrastructure, " + services + " of them: delete them first");
        }
        regions.remove(place);
        ByocOfService.replace(tables, organization, regions);
        delete.run();
    }

    private static int place(List<Byoc> regions, Item item) {
        String id = item.id().toString();
        return regions.stream().map(Byoc::id).toList().indexOf(id);
    }
}
