package io.pilothouse.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Tasks;
import io.pilothouse.core.privateendpoint.PrivateEndpointUse;
import io.pilothouse.core.service.Access;
import io.pilothouse.core.service.Service;
import io.pilothouse.store.rows.EpochNanos;
import io.pilothouse.testkit.ServiceSample;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows of an older store are like any others once this program has opened it. */
class OlderRowsTest {
    private static final String INSERT =
            "INSERT INTO services (id, owner_id, created_at, version, document) VALUES (?, ?, ?, 1, ?)";
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final int MORE_THAN_A_PAGE = 1_100;

    @TempDir
    private Path folder;

    private static void insertAsBefore(Sql sql, Service service) throws SQLException {
        sql.change(
                INSERT,
                service.id().toString(),
                service.organizationId().toString(),
                EpochNanos.of(service.createdAt()),
                DocumentStatements.of(Service.KIND).rows.write(service, 1).document());
    }

    /** A store as a program left it that knew this many steps. */
    private void storeOfTheFirst(int steps, List<Service> services) throws SQLException {
        try (Sql sql = new SqliteFile(folder.resolve("pilothouse.db")).openForWriting()) {
            List<Migrations.Step> all = Migrations.ofThisProgram().missing(sql, new SqliteDialect());
            sql.change("BEGIN IMMEDIATE");
            new Migrations(all.subList(0, steps)).apply(sql);
            for (Service service : services) {
                insertAsBefore(sql, service);
            }
            sql.change("COMMIT");
        }
    }

    @Test
    void rowsThatAreOlderThanLabelsGetThem() throws SQLException {
        UUID organizationId = UUID.randomUUID();
        List<Service> services = Stream.generate(() -> ServiceSample.wanted(UUID.randomUUID(), organizationId, NOW))
                .limit(MORE_THAN_A_PAGE)
                .toList();
        storeOfTheFirst(2, services);

        try (Store store = SqliteStore.open(folder, Threads.PLATFORM, StoreMetrics.NONE)) {
            String label = services.getFirst().label().text();
            assertThat(store.<Long>read(tables -> tables.of(Service.KIND).countByLabel(label)))
                    .isEqualTo(MORE_THAN_A_PAGE);
        }
    }

    @Test
    void servicesThatAreOlderThanBackupsAreLookedAfterByATaskThatIsDue() throws SQLException {
        Service service = ServiceSample.wanted(UUID.randomUUID(), UUID.randomUUID(), NOW);
        storeOfTheFirst(3, List.of(service));

        try (Store store = SqliteStore.open(folder, Threads.PLATFORM, StoreMetrics.NONE)) {
            List<Tasks.Claim> claims =
                    store.write(tables -> tables.tasks().claim("test", NOW, NOW.plusSeconds(60), 10));
            assertThat(claims).singleElement().satisfies(claim -> {
                assertThat(claim.kind()).isEqualTo(Tasks.Kind.BACKUP);
                assertThat(claim.subjectId()).isEqualTo(service.id());
                Tasks.Release nap = new Tasks.Release(NOW.plusSeconds(600), Tasks.Urgency.ROUTINE, 0, true);
                assertThat(store.<Boolean>write(tables -> tables.tasks().release(claim, nap, NOW)))
                        .isTrue();
                assertThat(store.<Optional<Instant>>read(
                                tables -> tables.tasks().nextDue()))
                        .hasValue(NOW.plusSeconds(600));
            });
        }
    }

    @Test
    void servicesThatAreOlderThanTheIndexOfPrivateEndpointsAreFoundByTheirs() throws SQLException {
        UUID organizationId = UUID.randomUUID();
        Service without = ServiceSample.wanted(UUID.randomUUID(), organizationId, NOW);
        Service with = without.withAccess(new Access(List.of(), List.of("vpce-1", "vpce-2"), false));
        storeOfTheFirst(3, List.of(with, ServiceSample.wanted(UUID.randomUUID(), organizationId, NOW)));

        try (Store store = SqliteStore.open(folder, Threads.PLATFORM, StoreMetrics.NONE)) {
            for (String endpointId : List.of("vpce-1", "vpce-2")) {
                assertThat(store.<List<PrivateEndpointUse>>read(tables -> tables.of(PrivateEndpointUse.KIND)
                                .listByReference(PrivateEndpointUse.reference(organizationId, endpointId), 10)))
                        .extracting(PrivateEndpointUse::serviceId)
                        .containsExactly(with.id());
            }
        }
    }
}
