package io.pilothouse.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.domain.MetricLabel;
import io.pilothouse.core.domain.Service;
import io.pilothouse.core.port.Store;
import io.pilothouse.testkit.ServiceSample;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows of a store that is older than labels are counted like any other once this program has opened it. */
class LabelsTest {
    private static final String INSERT =
            "INSERT INTO services (id, owner_id, created_at, version, document) VALUES (?, ?, ?, 1, ?)";
    private static final int MORE_THAN_A_PAGE = 1_100;

    @TempDir
    private Path folder;

    private static void insertAsBefore(Sql sql, Service service) throws SQLException {
        sql.change(
                INSERT,
                service.id().toString(),
                service.organizationId().toString(),
                EpochNanos.of(service.createdAt()),
                DocumentOut.of(document -> new ServiceRows().write(service, document)));
    }

    @Test
    void rowsThatAreOlderThanLabelsGetThem() throws SQLException {
        UUID organizationId = UUID.randomUUID();
        List<Service> services = Stream.generate(() ->
                        ServiceSample.wanted(UUID.randomUUID(), organizationId, Instant.parse("2026-01-01T00:00:00Z")))
                .limit(MORE_THAN_A_PAGE)
                .toList();
        try (Sql sql = new SqliteFile(folder.resolve("pilothouse.db")).openForWriting()) {
            List<Migrations.Step> all = Migrations.ofThisProgram().missing(sql, new SqliteDialect());
            sql.change("BEGIN IMMEDIATE");
            new Migrations(all.subList(0, 2)).apply(sql);
            for (Service service : services) {
                insertAsBefore(sql, service);
            }
            sql.change("COMMIT");
        }

        try (Store store = SqliteStore.open(folder, Threads.PLATFORM, StoreMetrics.NONE)) {
            String label = MetricLabel.of(services.getFirst()).text();
            assertThat(store.<Long>read(tables -> tables.services().countByLabel(label)))
                    .isEqualTo(MORE_THAN_A_PAGE);
        }
    }
}
