package io.pilothouse.http.emulator;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.emulator.TenantOperations;
import io.pilothouse.core.organization.NewOrganization;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.organization.OrganizationDraft;
import io.pilothouse.core.organization.OrganizationOperations;
import io.pilothouse.core.port.Store;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Listing;
import io.pilothouse.http.wire.Request;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** An organization for each test: made, listed and erased. */
public record TenantRoutes(
        Store store, OrganizationOperations organizations, TenantOperations tenants, Consumer<UUID> unfinished) {
    private static final String USUAL_NAME = "Test organization";
    private static final double NANOS_OF_MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);

    public Answer list(Request request) {
        request.checkedPermit();
        return Listing.answer(request, after -> tenants.page(after, Listing.PAGE), (out, tenant) -> {
            out.startObject();
            write(out, tenant.organization());
            out.flag("erasing", tenant.erasing());
            out.endObject();
        });
    }

    /** Makes an organization as the API does; its key is shown this once. */
    public Answer create(Request request) {
        long began = System.nanoTime();
        String name = request.objectIfAny().text("name");
        Faults faults = request.faults();
        OrganizationDraft draft = new OrganizationDraft(name == null ? USUAL_NAME : name, null, null, null);
        NewOrganization made = store.write(organizations.create(request.permit(), draft, faults)::write);
        return request.untagged(made, (out, each) -> writeNew(out, each, began)).unstored();
    }

    /** Erases an organization; what has a database behind it ends after the answer, which says how much that is. */
    public Answer erase(Request request) {
        long began = System.nanoTime();
        UUID id = request.id("tenantId");
        TenantOperations.Erased erased = tenants.erase(request.checkedPermit(), id);
        if (erased.left() > 0) {
            unfinished.accept(id);
        }
        return request.untagged(erased, (out, each) -> {
            out.startObject();
            out.id("id", each.id());
            out.flag("erased", each.left() == 0);
            out.whole("left", each.left());
            out.number("milliseconds", since(began));
            out.endObject();
        });
    }

    private static void writeNew(JsonWriter out, NewOrganization made, long began) {
        out.startObject();
        out.startObject("organization");
        write(out, made.organization());
        out.endObject();
        out.startObject("key");
        out.text("keyId", made.key().keyId());
        out.text("keySecret", made.key().keySecret());
        out.endObject();
        out.number("milliseconds", since(began));
        out.endObject();
    }

    private static void write(JsonWriter out, Organization organization) {
        out.id("id", organization.id());
        out.text("name", organization.name());
        out.time("createdAt", organization.createdAt());
    }

    static double since(long began) {
        return (System.nanoTime() - began) / NANOS_OF_MILLISECOND;
    }
}
