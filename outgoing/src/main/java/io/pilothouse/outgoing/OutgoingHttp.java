package io.pilothouse.outgoing;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.classic.HttpClient;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.io.HttpClientConnectionManager;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.config.CharCodingConfig;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.io.Closer;
import org.apache.hc.core5.pool.PoolConcurrencyPolicy;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Asks other servers over HTTP/1.1. Each request has a connection of its own, to an address that the resolver gave. No
 * redirect is followed, nothing is tried again or remembered, and every request ends by its deadline. Safe for many
 * threads.
 */
public final class OutgoingHttp {
    private static final int MAX_LINE_BYTES = 8 * 1024;
    private static final int MAX_FIELDS = 100;

    private final Resolver resolver;
    private final Supplier<SSLSocketFactory> tls;
    private final Duration connect;
    private @Nullable HttpClient client;

    /** Finds the addresses of a name; asked once for each request, and only these addresses are connected to. */
    @FunctionalInterface
    public interface Resolver {
        List<InetAddress> resolve(String host) throws UnknownHostException;

        /** The way of this machine. */
        static Resolver ofMachine() {
            return host -> List.of(InetAddress.getAllByName(host));
        }
    }

    /** How long a request may take, how long of that an answer's body, and how much of a body is read. */
    public record Limits(Duration total, Duration body, int bodyBytes) {}

    /** The answer of a server; {@code whole} is false where its body broke off or was cut at a limit. */
    public record Reply(int status, String reason, Map<String, String> fields, ByteBuffer content, boolean whole) {
        public byte[] bytes() {
            byte[] bytes = new byte[content.remaining()];
            content.duplicate().get(bytes);
            return bytes;
        }

        public String body() {
            return new String(bytes(), StandardCharsets.UTF_8);
        }
    }

    /** {@code tls} is asked for when it is first needed: reading the authorities of the machine takes its time. */
    public OutgoingHttp(Resolver resolver, Supplier<SSLSocketFactory> tls, Duration connect) {
        this.resolver = resolver;
        this.tls = tls;
        this.connect = connect;
    }

    /** For servers that are named by their address, so that no resolver has to be asked. */
    public static OutgoingHttp toAddresses(Duration connect) {
        return new OutgoingHttp(
                host -> List.of(InetAddress.ofLiteral(host)),
                () -> (SSLSocketFactory) SSLSocketFactory.getDefault(),
                connect);
    }

    /** Made when it is first needed, because loading the library would be a fifth of a start. */
    private synchronized HttpClient client() {
        if (client == null) {
            client = HttpClients.custom()
                    .setConnectionManager(connections())
                    .setConnectionReuseStrategy((_, _, _) -> false)
                    .setDefaultRequestConfig(RequestConfig.custom()
                            .setProtocolUpgradeEnabled(false)
                            .setAuthenticationEnabled(false)
                            .build())
                    .setUserAgent("Pilothouse")
                    .disableAutomaticRetries()
                    .disableRedirectHandling()
                    .disableCookieManagement()
                    .disableAuthCaching()
                    .disableContentCompression()
                    .build();
        }
        return client;
    }

    private HttpClientConnectionManager connections() {
        Http1Config http1 = Http1Config.custom()
                .setMaxLineLength(MAX_LINE_BYTES)
                .setMaxHeaderCount(MAX_FIELDS)
                .build();
        CharCodingConfig utf8 =
                CharCodingConfig.custom().setCharset(StandardCharsets.UTF_8).build();
        return PoolingHttpClientConnectionManagerBuilder.create()
                .setConnectionFactory(ManagedHttpClientConnectionFactory.builder()
                        .http1Config(http1)
                        .charCodingConfig(utf8)
                        .responseParserFactory(_ -> new ReplyHeads(http1))
                        .build())
                .setDnsResolver(new Names(resolver))
                .setTlsSocketStrategy((socket, host, port, _, _) -> secured(tls.get(), socket, host, port))
                .setPoolConcurrencyPolicy(PoolConcurrencyPolicy.LAX)
                .setMaxConnPerRoute(Integer.MAX_VALUE)
                .setDefaultConnectionConfig(ConnectionConfig.custom()
                        .setConnectTimeout(Timeout.of(connect))
                        .build())
                .build();
    }

    private static SSLSocket secured(SSLSocketFactory tls, Socket socket, String host, int port) throws IOException {
        SSLSocket secured = (SSLSocket) tls.createSocket(socket, host, port, true);
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

    private record Names(Resolver resolver) implements DnsResolver {
        @Override
        public InetAddress[] resolve(String host) throws UnknownHostException {
            return resolver.resolve(host).toArray(InetAddress[]::new);
        }

        @Override
        public String resolveCanonicalHostname(String host) {
            return host;
        }
    }

    /**
     * Sends one request and reads its answer.
     *
     * @throws SocketTimeoutException if there is no answer in time
     * @throws IOException if there is no answer for another reason
     */
    public Reply send(String method, URI url, Map<String, String> fields, byte[] body, Limits limits)
            throws IOException {
        HttpUriRequestBase request = new HttpUriRequestBase(method, url);
        fields.forEach(request::setHeader);
        request.setHeader(HttpHeaders.CONNECTION, "close");
        if (body.length > 0) {
            request.setEntity(new ByteArrayEntity(body, null));
        }
        // Closing the socket is the one thing that ends a handshake or an answer which never stops coming.
        CompletableFuture<Void> end = cancelAfter(limits.total(), request);
        try {
            return read(begin(client(), request), request, limits);
        } catch (IOException e) {
            if (request.isCancelled()) {
                SocketTimeoutException late = new SocketTimeoutException("No answer within " + limits.total());
                late.initCause(e);
                throw late;
            }
            throw e;
        } finally {
            end.cancel(false);
        }
    }

    /** A request whose body is read while it is sent, and whose answer is read while it comes; it ends by its deadline. */
    public OutgoingStream stream(String method, URI url, Map<String, String> fields, Duration total) {
        HttpUriRequestBase request = new HttpUriRequestBase(method, url);
        fields.forEach(request::setHeader);
        // Not told that the connection ends, a server reads a body to its end even after it has said no.
        return new OutgoingStream(client(), request, cancelAfter(total, request));
    }

    /** Sends it, and returns when its answer begins. */
    static ClassicHttpResponse begin(HttpClient client, HttpUriRequestBase request) throws IOException {
        try {
            return client.executeOpen(null, request, null);
        } catch (RuntimeException e) {
            // Cancelled between two of its steps, the library misses the connection that the first one got.
            if (request.isCancelled()) {
                throw new IOException("Cancelled", e);
            }
            throw e;
        }
    }

    private static CompletableFuture<Void> cancelAfter(Duration time, HttpUriRequestBase request) {
        return CompletableFuture.runAsync(
                request::cancel, CompletableFuture.delayedExecutor(time.toNanos(), TimeUnit.NANOSECONDS));
    }

    private static Reply read(ClassicHttpResponse response, HttpUriRequestBase request, Limits limits) {
        CompletableFuture<Void> end = cancelAfter(limits.body(), request);
        byte[] body = {};
        boolean whole = true;
        try {
            HttpEntity entity = response.getEntity();
            if (entity != null) {
                InputStream in = entity.getContent();
                body = in.readNBytes(limits.bodyBytes());
                whole = in.read() < 0;
            }
        } catch (IOException brokenOff) {
            whole = false;
        } finally {
            end.cancel(false);
        }
        if (!whole) {
            // Before it closes a connection, the library reads all that still comes.
            request.cancel();
        }
        Closer.closeQuietly(response);
        return new Reply(
                response.getCode(),
                Objects.requireNonNullElse(response.getReasonPhrase(), ""),
                fields(response),
                ByteBuffer.wrap(body),
                whole);
    }

    /** By name, whatever its case; the first one counts. */
    static Map<String, String> fields(ClassicHttpResponse response) {
        Map<String, String> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (Header field : response.getHeaders()) {
            fields.putIfAbsent(field.getName(), Objects.requireNonNullElse(field.getValue(), ""));
        }
        return Collections.unmodifiableMap(fields);
    }
}
