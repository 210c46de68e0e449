package io.pilothouse.store;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.organization.OrganizationTier;
import io.pilothouse.core.port.Store;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Rows for tests that care about the store and not about the row. */
final class Samples {
    private Samples() {}

    static Organization row() {
        return named("an organization");
    }

    static Organization named(String name) {
        return new Organization(
                Head.own(UUID.randomUUID(), Instant.parse("2026-03-01T10:00:00Z")),
                name,
                OrganizationTier.BASIC,
                false,
                false,
                List.of(),
                List.of());
    }

    static Organization named(Organization row, String name) {
        return new Organization(
                row.head(),
                name,
                row.tier(),
                row.paid(),
                row.enableCoreDumps(),
                row.privateEndpoints(),
                row.byocConfig());
    }

    static Organization insert(Store store, Organization row) {
        return store.write(tables -> tables.of(Organization.KIND).insert(row));
    }

    static boolean isThere(Store store, Organization row) {
        return store.read(tables -> tables.of(Organization.KIND).find(row.id())).isPresent();
    }
}
