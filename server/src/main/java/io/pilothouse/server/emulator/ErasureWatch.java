package io.pilothouse.server.emulator;

import io.pilothouse.core.base.Rounds;
import io.pilothouse.core.emulator.TenantOperations;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * Looks every half second whether the last databases of erased organizations have ended, and removes what is left;
 * until its thread is interrupted.
 */
final class ErasureWatch {
    private static final Logger LOG = System.getLogger(ErasureWatch.class.getName());
    private static final Duration PERIOD = Duration.ofMillis(500);

    private final TenantOperations tenants;
    private final Set<UUID> unfinished = ConcurrentHashMap.newKeySet();

    private ErasureWatch(TenantOperations tenants) {
        this.tenants = tenants;
    }

    /** Begins with what an earlier start of the program left unfinished. */
    static ErasureWatch over(TenantOperations tenants, Executor threads) {
        ErasureWatch watch = new ErasureWatch(tenants);
        watch.unfinished.addAll(tenants.erasing());
        threads.execute(() -> new Rounds().run(PERIOD, watch::look));
        return watch;
    }

    void add(UUID organizationId) {
        unfinished.add(organizationId);
    }

    private void look() {
        try {
            unfinished.removeIf(tenants::finish);
        } catch (RuntimeException failure) {
            LOG.log(Level.WARNING, "Erased organizations could not be looked over", failure);
        }
    }
}
