package io.pilothouse.testkit.store;

import io.pilothouse.core.port.Store;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The contract of every store, run for each database against an empty store of its own. */
public abstract class StoreContract
        implements StoreContractTables,
                StoreContractPages,
                StoreContractTransactions,
                StoreContractCrowds,
                StoreContractClaims,
                StoreContractReleases,
                StoreContractKeepings,
                StoreContractPorts,
                StoreContractBelongings,
                StoreContractAlerts {
    private @Nullable Store store;

    /** An empty store, open. */
    protected abstract Store openEmpty() throws Exception;

    @Override
    public final Store store() {
        return Objects.requireNonNull(store, "no test has begun");
    }

    @BeforeEach
    final void openTheStore() throws Exception {
        store = openEmpty();
    }

    @AfterEach
    final void closeTheStore() {
        store().close();
    }
}
