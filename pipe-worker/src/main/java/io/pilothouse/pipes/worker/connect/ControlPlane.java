package io.pilothouse.pipes.worker.connect;

import io.pilothouse.pipes.wire.KeptAlive;
import io.pilothouse.pipes.wire.TaskHello;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/** The control plane as tasks reach it: over TLS, trusting no authority but its own. Safe for many threads. */
final class ControlPlane {
    private static final int CONNECTS_WITHIN_MILLIS = 5_000;
    private static final int ANSWERS_WITHIN_MILLIS = 10_000;

    private final String host;
    private final int port;
    private final SSLSocketFactory factory;

    ControlPlane(String address, String authority) throws GeneralSecurityException, IOException {
        URI uri = URI.create("https://" + address);
        if (uri.getHost() == null || uri.getPort() < 0) {
            throw new IllegalArgumentException("The address of the control plane is not HOST:PORT");
        }
        this.host = uri.getHost().replaceAll("[\\[\\]]", "");
        this.port = uri.getPort();
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(
                "control plane",
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(authority.getBytes(StandardCharsets.US_ASCII))));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        this.factory = context.getSocketFactory();
    }

    /** A connection on which this was said. */
    Socket connect(TaskHello hello) throws IOException {
        Socket socket = new Socket();
        boolean open = false;
        try {
            socket.connect(new InetSocketAddress(host, port), CONNECTS_WITHIN_MILLIS);
            KeptAlive.keep(socket);
            Socket secured = secure(socket, hello);
            open = true;
            return secured;
        } finally {
            if (!open) {
                socket.close();
            }
        }
    }

    private SSLSocket secure(Socket socket, TaskHello hello) throws IOException {
        SSLSocket secured = (SSLSocket) factory.createSocket(socket, host, port, true);
        SSLParameters parameters = secured.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secured.setSSLParameters(parameters);
        int before = secured.getSoTimeout();
        secured.setSoTimeout(ANSWERS_WITHIN_MILLIS);
        secured.startHandshake();
        hello.send(secured.getOutputStream());
        secured.setSoTimeout(before);
        return secured;
    }

    /** The way to the database of one visit: HTTP over connections on which the visit was named. */
    Rows rows(TaskHello hello) {
        return new Rows(hello);
    }

    /** Sockets of a visit for the HTTP client of the JDK, which keeps those of different visits apart. */
    final class Rows extends SSLSocketFactory {
        private final TaskHello hello;

        private Rows(TaskHello hello) {
            this.hello = hello;
        }

        HttpURLConnection open(URI address) throws IOException {
            HttpsURLConnection connection = (HttpsURLConnection) address.toURL().openConnection(Proxy.NO_PROXY);
            connection.setSSLSocketFactory(this);
            return connection;
        }

        @Override
        public Socket createSocket(Socket socket, String toHost, int toPort, boolean autoClose) throws IOException {
            return secure(socket, hello);
        }

        @Override
        public String[] getDefaultCipherSuites() {
            return factory.getDefaultCipherSuites();
        }

        @Override
        public String[] getSupportedCipherSuites() {
            return factory.getSupportedCipherSuites();
        }

        @Override
        public Socket createSocket(String toHost, int toPort) throws IOException {
            return connect(hello);
        }

        @Override
        public Socket createSocket(String toHost, int toPort, InetAddress from, int fromPort) throws IOException {
            return connect(hello);
        }

        @Override
        public Socket createSocket(InetAddress to, int toPort) throws IOException {
            return connect(hello);
        }

        @Override
        public Socket createSocket(InetAddress to, int toPort, InetAddress from, int fromPort) throws IOException {
            return connect(hello);
        }
    }
}
