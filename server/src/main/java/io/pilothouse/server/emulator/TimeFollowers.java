package io.pilothouse.server.emulator;

import io.pilothouse.core.emulator.ClockOperations;
import io.pilothouse.core.engine.Dispatcher;
import java.time.Duration;
import java.util.List;

/** What follows a move of time at once: the engine, and what otherwise looks at the time every few seconds. */
final class TimeFollowers implements ClockOperations.Follower {
    private final Runnable gathered;
    private final List<Runnable> looks;
    private final Dispatcher dispatcher;

    /** {@code gathered} puts away what was gathered in memory; {@code looks} are done after each move. */
    TimeFollowers(Runnable gathered, List<Runnable> looks, Dispatcher dispatcher) {
        this.gathered = gathered;
        this.looks = looks;
        this.dispatcher = dispatcher;
    }

    @Override
    public void before() {
        gathered.run();
    }

    @Override
    public void after() {
        dispatcher.nudge();
        looks.forEach(Runnable::run);
    }

    @Override
    public boolean settled(Duration patience) {
        try {
            return dispatcher.awaitIdle(patience);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
