package io.pilothouse.outgoing;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiPredicate;

/** Looks up names in time, and gives no address of a name that leads anywhere forbidden. */
public final class CheckedNames implements OutgoingHttp.Resolver, AutoCloseable {
    private final OutgoingHttp.Resolver resolver;
    private final BiPredicate<String, InetAddress> allowed;
    private final Duration patience;
    private final ExecutorService lookups;

    /** A name leads to an address that may not be reached. */
    public static final class Forbidden extends UnknownHostException {
        private static final long serialVersionUID = 1;

        private Forbidden(String host) {
            super(host);
        }
    }

    /** @param lookups threads that a lookup may block; closed with this */
    public CheckedNames(
            OutgoingHttp.Resolver resolver,
            BiPredicate<String, InetAddress> allowed,
            Duration patience,
            ExecutorService lookups) {
        this.resolver = resolver;
        this.allowed = allowed;
        this.patience = patience;
        this.lookups = lookups;
    }

    @Override
    public List<InetAddress> resolve(String host) throws UnknownHostException {
        List<InetAddress> found = lookUp(host);
        for (InetAddress address : found) {
            if (!allowed.test(host, address)) {
                throw new Forbidden(host);
            }
        }
        return found;
    }

    private List<InetAddress> lookUp(String host) throws UnknownHostException {
        try {
            Future<List<InetAddress>> lookup = lookups.submit(() -> resolver.resolve(host));
            try {
                return lookup.get(patience.toNanos(), TimeUnit.NANOSECONDS);
            } finally {
                lookup.cancel(true);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unknown(host, e);
        } catch (ExecutionException | TimeoutException | RejectedExecutionException e) {
            throw unknown(host, e);
        }
    }

    private static UnknownHostException unknown(String host, Exception cause) {
        UnknownHostException unknown = new UnknownHostException(host);
        unknown.initCause(cause);
        return unknown;
    }

    @Override
    public void close() {
        lookups.shutdownNow();
    }
}
