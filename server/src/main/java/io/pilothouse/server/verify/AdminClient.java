package io.pilothouse.server.verify;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.Tree;
import io.pilothouse.http.json.JsonReader;
import io.pilothouse.outgoing.OutgoingHttp;
import io.pilothouse.server.config.Config;
import io.pilothouse.server.config.HostPort;
import io.pilothouse.server.config.Options;
import io.pilothouse.server.log.Escaped;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/** Asks the program that runs with these settings on this machine, at its admin address. */
public final class AdminClient {
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration ANSWER = Duration.ofMinutes(1);
    private static final int MAX_ANSWER_BYTES = 4 << 20;
    private static final int DNS_NAME = 2;

    private final String base;
    private final Optional<String> token;
    private final OutgoingHttp http;

    private AdminClient(String base, Optional<String> token, OutgoingHttp http) {
        this.base = base;
        this.token = token;
        this.http = http;
    }

    /** An answer: its status, and its document; empty if the body is not JSON. */
    record Said(int status, Tree.Members document) {
        boolean isFine() {
            return status / 100 == 2;
        }

        /** What an error says, fit for a terminal. */
        String message() {
            return Escaped.text(document.text("message").orElse("The program answers " + status));
        }
    }

    /** {@code authority} is the certificate of the program's own, by which it speaks TLS where {@code tls-names} is set. */
    public static AdminClient of(Config config, Path authority) throws VerifyRefused {
        HostPort listens = config.get(Options.ADMIN_LISTEN);
        Optional<Path> trusted = config.find(Options.TLS_CERT)
                .or(() -> config.find(Options.TLS_NAMES).map(_ -> authority));
        try {
            InetAddress address = listens.address();
            InetAddress reachable = address.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : address;
            Optional<String> token = config.find(Options.ADMIN_TOKEN);
            if (trusted.isEmpty()) {
                return new AdminClient(
                        listens.url(false, address, listens.port()), token, OutgoingHttp.toAddresses(CONNECT));
            }
            List<X509Certificate> certificates = certificates(trusted.get());
            SSLSocketFactory tls = trusting(certificates);
            HostPort named =
                    config.find(Options.TLS_CERT).isPresent() ? named(certificates.getFirst(), listens) : listens;
            OutgoingHttp http = new OutgoingHttp(_ -> List.of(reachable), () -> tls, CONNECT);
            return new AdminClient(named.url(true, address, listens.port()), token, http);
        } catch (UnknownHostException e) {
            throw new VerifyRefused(listens + " names a host that cannot be looked up.", e);
        } catch (IOException | GeneralSecurityException e) {
            throw new VerifyRefused("The certificate " + trusted.orElse(authority) + " cannot be read.", e);
        }
    }

    private static List<X509Certificate> certificates(Path file) throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(file)) {
            List<X509Certificate> chain = CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
                    .map(X509Certificate.class::cast)
                    .toList();
            if (chain.isEmpty()) {
                throw new GeneralSecurityException(file + " holds no certificate");
            }
            return chain;
        }
    }

    /** The certificate is for the name by which others know the program, and not for an address of this machine. */
    private static HostPort named(X509Certificate certificate, HostPort listens) throws GeneralSecurityException {
        Collection<List<?>> names = certificate.getSubjectAlternativeNames();
        return names == null
                ? listens
                : names.stream()
                        .filter(name -> name.getFirst().equals(DNS_NAME))
                        .map(name -> String.valueOf(name.get(1)).replaceFirst("^\\*", "pilothouse"))
                        .findFirst()
                        .map(name -> new HostPort(name, listens.port()))
                        .orElse(listens);
    }

    private static SSLSocketFactory trusting(List<X509Certificate> certificates)
            throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        for (int i = 0; i < certificates.size(); i++) {
            store.setCertificateEntry("certificate " + i, certificates.get(i));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context.getSocketFactory();
    }

    Said ask(String method, String target) throws VerifyRefused {
        Map<String, String> fields =
                token.map(secret -> Map.of("Authorization", "Bearer " + secret)).orElse(Map.of());
        try {
            OutgoingHttp.Reply reply = http.send(
                    method,
                    URI.create(base + target),
                    fields,
                    new byte[0],
                    new OutgoingHttp.Limits(ANSWER, ANSWER, MAX_ANSWER_BYTES));
            if (reply.status() == 401) {
                throw new VerifyRefused(base + " asks for its token: set " + Options.ADMIN_TOKEN.variable() + ".");
            }
            return new Said(reply.status(), document(reply.bytes()));
        } catch (SSLException e) {
            throw new VerifyRefused(
                    base + " shows a certificate that is not the one of these settings: give --data, tls-cert and"
                            + " tls-names as for the program that runs.",
                    e);
        } catch (IOException e) {
            throw new VerifyRefused(
                    "No program answers at " + base + ": " + Options.ADMIN_LISTEN.flag()
                            + " names where the one that runs has its admin address.",
                    e);
        }
    }

    private static Tree.Members document(byte[] body) {
        try {
            return JsonReader.readObject(body, new Faults());
        } catch (Refused noDocument) {
            return Tree.Members.NONE;
        }
    }
}
