package io.pilothouse.server.webhook;

import io.pilothouse.core.alert.DeliveryRequest;
import io.pilothouse.core.alert.DeliverySender;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.webhook.WebhookAddresses;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Sends messages over sockets of its own, because only so the address that was checked is the one that is connected to:
 * a name is looked up once, every address of it is checked, and the name is not asked again. Safe for many threads.
 */
public final class WebhookSender implements DeliverySender, AutoCloseable {
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;
    private static final int MOST_LOOKUPS = 16;

    private final WebhookAddresses addresses;
    private final WebhookResolver resolver;
    private final Supplier<SSLSocketFactory> tls;
    private final Clock clock;
    private final Times times;
    private final ThreadPoolExecutor lookups;
    private final ScheduledExecutorService watchdog;

    /** How long a try may take: the lookup and the connection each, and everything together. */
    public record Times(Duration connect, Duration total) {
        public static final Times USUAL = new Times(Duration.ofSeconds(5), Duration.ofSeconds(30));
    }

    /** {@code tls} is asked for when it is needed first: reading the authorities of the machine takes its time. */
    public WebhookSender(
            WebhookAddresses addresses,
            WebhookResolver resolver,
            Supplier<SSLSocketFactory> tls,
            Clock clock,
            Times times) {
        this.addresses = addresses;
        this.resolver = resolver;
        this.tls = tls;
        this.clock = clock;
        this.times = times;
        // A lookup cannot be interrupted and would hold the carrier of a virtual thread, so it has threads to block.
        this.lookups = new ThreadPoolExecutor(
                0,
                MOST_LOOKUPS,
                10,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                Thread.ofPlatform().daemon().name("webhook-lookup-", 0).factory());
        this.watchdog = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("webhook-watchdog").factory());
    }

    @Override
    public Outcome send(DeliveryRequest request) {
        URI url = request.url();
        String host = url.getHost().startsWith("[")
                ? url.getHost().substring(1, url.getHost().length() - 1)
                : url.getHost();
        try {
            List<InetAddress> found = lookUp(host);
            for (InetAddress address : found) {
                if (!addresses.allow(host, address)) {
                    return new Forbidden("The webhook leads to a private, local or reserved address");
                }
            }
            return exchange(request, host, found);
        } catch (UnknownHostException e) {
            return new Unanswered("The name of the webhook cannot be looked up");
        } catch (SSLException e) {
            return new Unanswered("The webhook has no TLS that can be trusted");
        } catch (IOException e) {
            return new Unanswered("The webhook did not answer");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Unanswered("The sender is stopping");
        }
    }

    private List<InetAddress> lookUp(String host) throws UnknownHostException, InterruptedException {
        Future<List<InetAddress>> lookup;
        try {
            lookup = lookups.submit(() -> resolver.resolve(host));
        } catch (RejectedExecutionException e) {
            throw unknown(host, e);
        }
        try {
            return lookup.get(times.connect().toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            lookup.cancel(true);
            throw unknown(host, e);
        }
    }

    private static UnknownHostException unknown(String host, Exception cause) {
        UnknownHostException unknown = new UnknownHostException(host);
        unknown.initCause(cause);
        return unknown;
    }

    private Outcome exchange(DeliveryRequest request, String host, List<InetAddress> found) throws IOException {
        boolean secure = request.url().getScheme().toLowerCase(Locale.ROOT).equals("https");
        int given = request.url().getPort();
        int port = given > 0 ? given : secure ? HTTPS_PORT : HTTP_PORT;
        try (Socket socket = connect(found, port)) {
            // Closing the socket is the one thing that ends a handshake or an answer which never stops coming.
            ScheduledFuture<?> end =
                    watchdog.schedule(() -> cut(socket), times.total().toNanos(), TimeUnit.NANOSECONDS);
            try {
                socket.setSoTimeout(Math.toIntExact(times.total().toMillis()));
                Socket spoken = secure ? secured(socket, host, port) : socket;
                return new WebhookExchange(spoken, clock).run(request);
            } finally {
                end.cancel(false);
            }
        }
    }

    private static boolean cut(Socket socket) throws IOException {
        socket.close();
        return true;
    }

    private Socket connect(List<InetAddress> found, int port) throws IOException {
        IOException failure = new UnknownHostException("no address");
        long end = System.nanoTime() + times.connect().toNanos();
        for (InetAddress address : found) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                break;
            }
            Socket socket = new Socket();
            try {
                socket.connect(new InetSocketAddress(address, port), Math.toIntExact(left));
                return socket;
            } catch (IOException e) {
                socket.close();
                failure = e;
            }
        }
        throw failure;
    }

    private Socket secured(Socket socket, String host, int port) throws IOException {
        SSLSocket secured = (SSLSocket) tls.get().createSocket(socket, host, port, true);
        SSLParameters parameters = secured.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        if (!isLiteral(host)) {
            parameters.setServerNames(List.of(new SNIHostName(host)));
        }
        secured.setSSLParameters(parameters);
        secured.startHandshake();
        return secured;
    }

    private static boolean isLiteral(String host) {
        return host.indexOf(':') >= 0 || host.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
    }

    @Override
    public void close() {
        watchdog.shutdownNow();
        lookups.shutdownNow();
    }
}
