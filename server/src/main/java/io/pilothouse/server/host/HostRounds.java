package io.pilothouse.server.host;

import io.pilothouse.core.base.Rounds;
import io.pilothouse.core.host.HostWatch;
import io.pilothouse.core.port.StoreUnavailable;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Executor;

/** Says again and again that this host is there, and looks after the others, until it is closed. */
public final class HostRounds implements AutoCloseable {
    private static final Logger LOG = System.getLogger(HostRounds.class.getName());

    /** Of four beats in a lease, three may fail. */
    private static final Duration PERIOD = Duration.ofSeconds(2);

    private final HostWatch watch;
    private final Rounds rounds = new Rounds();

    public HostRounds(HostWatch watch) {
        this.watch = watch;
    }

    /** It has been said once when this returns. */
    public void start(Executor threads) {
        watch.beat();
        threads.execute(() -> rounds.run(PERIOD, this::turn));
    }

    private void turn() {
        try {
            watch.beat();
            watch.look();
        } catch (StoreUnavailable unavailable) {
            // The engine logs an outage of the store.
            LOG.log(Level.DEBUG, "This host could not say that it is there", unavailable);
        } catch (RuntimeException unexpected) {
            LOG.log(Level.WARNING, "This host could not say that it is there", unexpected);
        }
    }

    @Override
    public void close() {
        rounds.close();
    }
}
