package io.pilothouse.server.upgrade;

import io.pilothouse.core.base.Rounds;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.Wake;
import io.pilothouse.core.service.DataPlane.Offer;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceFollower;
import io.pilothouse.core.upgrade.UpgradeRound;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Goes over the versions of all services at the start, and again and again until it is closed. */
public final class UpgradeWatch implements AutoCloseable {
    private static final Logger LOG = System.getLogger(UpgradeWatch.class.getName());
    private static final Duration PERIOD = Duration.ofSeconds(15);

    private final UpgradeRound round;
    private final Rounds rounds = new Rounds();

    private UpgradeWatch(UpgradeRound round) {
        this.round = round;
    }

    /** The first round is over when this returns, so that no database is started on a version that is gone. */
    public static UpgradeWatch over(
            Store store,
            Clock clock,
            Supplier<List<Offer>> offers,
            ServiceFollower followers,
            Wake wake,
            Predicate<Service> here,
            Executor threads) {
        UpgradeWatch watch =
                new UpgradeWatch(new UpgradeRound(store.forTheEngine(), clock, offers, followers, wake, here));
        watch.round.run();
        threads.execute(() -> watch.rounds.run(PERIOD, watch::look));
        return watch;
    }

    /** Looks over all services now. */
    public void look() {
        try {
            round.run();
        } catch (RuntimeException failure) {
            LOG.log(Level.WARNING, "The versions of services could not be looked over", failure);
        }
    }

    @Override
    public void close() {
        rounds.close();
    }
}
