package io.pilothouse.core.alert;

import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.organization.OrganizationFollower;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.port.Tasks;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Gives every organization the built-in alerts, including organizations that are older than they are; may be repeated.
 */
public final class AlertSetup implements OrganizationFollower {
    private static final int PAGE = 100;

    private final Store store;
    private final Clock clock;

    public AlertSetup(Store store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    /** Runs in the transaction that creates an organization. */
    public static void of(Tables tables, UUID organizationId, Instant now) {
        for (Alert alert : AlertBuiltIns.all(organizationId, now)) {
            if (tables.of(Alert.KIND).find(alert.id()).isEmpty()) {
                tables.of(Alert.KIND).insert(alert);
                tables.tasks().wake(Tasks.Kind.ALERT, alert.id(), Tasks.Urgency.ROUTINE, now);
            }
        }
    }

    @Override
    public void made(Tables tables, Organization organization, Instant now) {
        of(tables, organization.id(), now);
    }

    /** For all organizations that lack one, a few at a time; once at the program's start. */
    public void everywhere() {
        UUID last = null;
        List<Organization> page = after(null);
        while (!page.isEmpty()) {
            for (Organization organization : page) {
                complete(organization);
                last = organization.id();
            }
            page = after(last);
        }
    }

    private List<Organization> after(@Nullable UUID id) {
        return store.read(tables -> tables.of(Organization.KIND).all(id, PAGE));
    }

    private void complete(Organization organization) {
        Instant now = clock.now();
        boolean complete = store.read(tables -> AlertBuiltIns.all(organization.id(), now).stream()
                .allMatch(alert -> tables.of(Alert.KIND).find(alert.id()).isPresent()));
        if (!complete) {
            store.change(tables -> of(tables, organization.id(), now));
        }
    }
}
