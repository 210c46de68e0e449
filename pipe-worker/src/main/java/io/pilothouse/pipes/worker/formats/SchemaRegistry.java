package io.pilothouse.pipes.worker.formats;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.pilothouse.core.base.Tree;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.BadData;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import io.pilothouse.pipes.worker.outside.Trouble.SourceAway;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * A schema registry that speaks the API of Confluent's. The pipe's URL is its root, or that of a schema in it: then
 * that schema is for messages that name none.
 */
final class SchemaRegistry {
    private static final int TIMEOUT_MILLIS = 15_000;
    private static final int MAX_BYTES = 4 << 20;
    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    /** No such subject, no such version, no such schema; any other 404 is not the registry's. */
    private static final List<Integer> MISSING = List.of(40401, 40402, 40403);

    private static final Pattern ADDRESS =
            Pattern.compile("(.+?)(/schemas/ids/\\d+|/subjects/[^/]+(?:/versions/[^/]+)?)?/*");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String root;
    private final @Nullable String named;
    private final String query;
    private final @Nullable String authorization;
    private final @Nullable SSLSocketFactory trust;

    /** A schema as the registry has it. */
    record Written(String type, String text, List<Reference> references) {}

    /** Another schema that a schema needs; {@code name} is what it calls it. */
    record Reference(String name, String subject, int version) {}

    private SchemaRegistry(String url, String query, @Nullable String authorization, @Nullable SSLSocketFactory trust) {
        Matcher matcher = ADDRESS.matcher(url);
        boolean whole = matcher.matches();
        this.root = whole ? matcher.group(1) : url;
        this.named = whole ? matcher.group(2) : null;
        this.query = query;
        this.authorization = authorization;
        this.trust = trust;
    }

    /** The one that the pipe names; {@code query} says in which form it is to answer with schemas. */
    static SchemaRegistry of(Assignment assignment, String query) throws Owner {
        Tree.Members source = assignment.source().members("schemaRegistry").orElse(Tree.Members.NONE);
        Tree.Members login = assignment
                .secrets()
                .members("schemaRegistry")
                .flatMap(secrets -> secrets.members("credentials"))
                .orElse(Tree.Members.NONE);
        String authorization = login.text("username")
                .map(user -> basic(user, login.text("password").orElse("")))
                .orElse(null);
        String certificates = source.text("caCertificate").orElse("");
        return new SchemaRegistry(
                source.text("url").orElse(""),
                query,
                authorization,
                certificates.isBlank() ? null : trust(certificates));
    }

    private static String basic(String user, String password) {
        byte[] login = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(login);
    }

    private static SSLSocketFactory trust(String certificates) throws Owner {
        try {
            KeyStore authorities = KeyStore.getInstance(KeyStore.getDefaultType());
            authorities.load(null, null);
            for (Certificate one : CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(certificates.getBytes(StandardCharsets.UTF_8)))) {
                authorities.setCertificateEntry(Integer.toString(authorities.size()), one);
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(authorities);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, factory.getTrustManagers(), null);
            return context.getSocketFactory();
        } catch (GeneralSecurityException | IOException _) {
            throw new Owner("The caCertificate of the schema registry cannot be used as it is.");
        }
    }

    /** Whether the pipe's URL names a schema. */
    boolean namesOne() {
        return named != null;
    }

    /** The schema that the pipe's URL names. */
    Optional<Written> findNamed() throws Trouble {
        String path = String.valueOf(named);
        boolean latest = path.startsWith("/subjects/") && !path.contains("/versions/");
        return get(latest ? path + "/versions/latest" : path);
    }

    Optional<Written> find(int id) throws Trouble {
        return get("/schemas/ids/" + Integer.toUnsignedString(id));
    }

    /** What a schema refers to; BadData if it is not there. */
    Written find(Reference reference) throws Trouble {
        String subject =
                URLEncoder.encode(reference.subject(), StandardCharsets.UTF_8).replace("+", "%20");
        return get("/subjects/" + subject + "/versions/" + reference.version())
                .orElseThrow(() -> new BadData("It refers to " + reference.name() + ", which is not in the registry."));
    }

    private Optional<Written> get(String path) throws Trouble {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) URI.create(root + path + query).toURL().openConnection();
            connection.setConnectTimeout(TIMEOUT_MILLIS);
            connection.setReadTimeout(TIMEOUT_MILLIS);
            // The credentials are for this server and no other.
            connection.setInstanceFollowRedirects(false);
            if (authorization != null) {
                connection.setRequestProperty("Authorization", authorization);
            }
            if (trust != null && connection instanceof HttpsURLConnection secured) {
                secured.setSSLSocketFactory(trust);
            }
            int status = connection.getResponseCode();
            return status == OK ? Optional.of(written(connection)) : missing(status, connection);
        } catch (JacksonException _) {
            throw new SourceAway("The schema registry does not answer with a schema.");
        } catch (IOException gone) {
            throw new SourceAway("The schema registry cannot be reached: " + gone.getMessage());
        } catch (IllegalArgumentException _) {
            throw new Owner("The URL of the schema registry cannot be used as it is.");
        }
    }

    private static Written written(HttpURLConnection connection) throws IOException, SourceAway {
        JsonNode body;
        try (InputStream in = connection.getInputStream()) {
            body = body(in);
        }
        if (!body.path("schema").isTextual()) {
            throw new SourceAway("The schema registry does not answer with a schema.");
        }
        List<Reference> references = new ArrayList<>();
        for (JsonNode one : body.path("references")) {
            references.add(new Reference(
                    one.path("name").asText(""),
                    one.path("subject").asText(""),
                    one.path("version").asInt()));
        }
        return new Written(
                body.path("schemaType").asText("AVRO"), body.path("schema").asText(), references);
    }

    private static Optional<Written> missing(int status, HttpURLConnection connection) throws IOException, Trouble {
        int code = 0;
        try (InputStream in = connection.getErrorStream()) {
            if (status == NOT_FOUND && in != null) {
                code = body(in).path("error_code").asInt();
            }
        } catch (JacksonException notOurs) {
            code = 0;
        }
        if (MISSING.contains(code)) {
            return Optional.empty();
        }
        if (status == UNAUTHORIZED || status == FORBIDDEN) {
            throw new Owner("The schema registry refuses the credentials (" + status + ").");
        }
        throw new SourceAway("The schema registry answers " + status + ".");
    }

    private static JsonNode body(InputStream in) throws IOException {
        byte[] bytes = in.readNBytes(MAX_BYTES + 1);
        if (bytes.length > MAX_BYTES) {
            throw new IOException("its answer is larger than " + MAX_BYTES + " bytes");
        }
        return JSON.readTree(bytes);
    }
}
