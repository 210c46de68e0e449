package io.pilothouse.server.host;

import io.pilothouse.core.base.Rounds;
import io.pilothouse.core.host.HostMoves;
import io.pilothouse.core.host.HostWatch;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.gateway.door.Signposts;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * Says again and again that this host is there, and looks after the others and after services that leave it, until it is
 * closed.
 */
public final class HostRounds implements AutoCloseable {
    private static final Logger LOG = System.getLogger(HostRounds.class.getName());

    /** Of four beats in a lease, three may fail. */
    private static final Duration PERIOD = Duration.ofSeconds(2);

    private final HostWatch watch;
    private final HostMoves moves;
    private final Signposts signposts;
    private final Rounds rounds = new Rounds();
    private final Rounds ofMoves = new Rounds();
    private final Rounds ofSigns = new Rounds();

    public HostRounds(HostWatch watch, HostMoves moves, Signposts signposts) {
        this.watch = watch;
        this.moves = moves;
        this.signposts = signposts;
    }

    /** It has been said once when this returns. */
    public void start(Executor threads) {
        watch.beat();
        threads.execute(() -> rounds.run(PERIOD, this::turn));
        // On a thread of their own: a database that ends slowly must not make this host seem gone.
        threads.execute(() -> ofMoves.run(PERIOD, this::move));
        threads.execute(() -> {
            sign(signposts::begin);
            ofSigns.run(PERIOD, () -> sign(signposts::round));
        });
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

    private void move() {
        try {
            moves.turn();
        } catch (StoreUnavailable unavailable) {
            LOG.log(Level.DEBUG, "Services of this host could not be looked at", unavailable);
        } catch (PlaneFault | RuntimeException failure) {
            LOG.log(Level.WARNING, "A service that leaves this host could not go on", failure);
        }
    }

    private void sign(Runnable step) {
        try {
            step.run();
        } catch (StoreUnavailable unavailable) {
            LOG.log(Level.DEBUG, "Services of other hosts could not be looked at", unavailable);
        } catch (RuntimeException unexpected) {
            LOG.log(Level.WARNING, "Clients of services of other hosts may not hear where those are", unexpected);
        }
    }

    @Override
    public void close() {
        ofSigns.close();
        ofMoves.close();
        rounds.close();
    }
}
