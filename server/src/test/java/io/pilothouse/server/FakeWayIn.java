package io.pilothouse.server;

import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServicePorts;
import io.pilothouse.core.service.WayIn;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A way in without sockets, which gives out ports one after the other. */
final class FakeWayIn implements WayIn {
    private final Consumer<String> watcher;
    private final AtomicInteger next = new AtomicInteger(1);

    /** {@code watcher} hears of every call before it is done. */
    FakeWayIn(Consumer<String> watcher) {
        this.watcher = watcher;
    }

    @Override
    public Optional<ServicePorts> draw() {
        watcher.accept("draw");
        int first = next.getAndAdd(3);
        return Optional.of(new ServicePorts(first, first + 1, first + 2));
    }

    @Override
    public void follow(Service committed) {
        watcher.accept("follow");
    }

    @Override
    public Optional<String> refusal() {
        return Optional.empty();
    }
}
