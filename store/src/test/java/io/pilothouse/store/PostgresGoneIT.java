package io.pilothouse.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.StoreUnavailable;
import java.io.IOException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** A PostgreSQL server that stops under a running store. */
class PostgresGoneIT {
    @Test
    void storeIsUnavailableOnceItsServerHasGone() throws IOException, SQLException {
        Postgres postgres = new Postgres();
        try (Store store = Postgres.open(postgres.emptySchema())) {
            assertThat(store.reachable()).isTrue();
            postgres.close();
            assertThat(store.reachable()).isFalse();
            assertThatExceptionOfType(StoreUnavailable.class).isThrownBy(() -> Samples.insert(store, Samples.row()));
        } finally {
            postgres.close();
        }
    }
}
