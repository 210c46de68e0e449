package io.pilothouse.pipes.worker.kafka;

import io.pilothouse.core.base.Tree;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.worker.aws.AwsKeys;
import io.pilothouse.pipes.worker.aws.AwsRegion;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import io.pilothouse.pipes.worker.outside.Trouble.SourceAway;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How the consumer of a worker reaches its brokers and logs in. A login goes over TLS, unless a broker is written
 * as {@code SASL_PLAINTEXT://host:port}.
 */
final class KafkaLogin {
    private static final Pattern BROKER = Pattern.compile("(?:(PLAINTEXT|SSL|SASL_PLAINTEXT|SASL_SSL)://)?([^/,\\s]+)");
    private static final int ANSWERS_WITHIN_MILLIS = 15_000;
    private static final int MAX_PAUSE_MILLIS = 5_000;
    private static final int RECORDS_AT_ONCE = 5_000;
    private static final int FETCH_BYTES_A_GIGABYTE = 8 << 20;
    /** How long a broker waits that has nothing new, which is answered at once when it comes; what stops a pipe waits for it too. */
    private static final int MAX_FETCH_MILLIS = 2_000;

    private static final String PEM = "PEM";

    private final Link link;
    private final Assignment assignment;
    private final Clock clock;
    private final Tree.Members credentials;
    private final String authentication;
    private final Map<String, Object> all = new LinkedHashMap<>();

    private KafkaLogin(Link link, Assignment assignment, Clock clock) {
        this.link = link;
        this.assignment = assignment;
        this.clock = clock;
        this.credentials = assignment.secrets().members("credentials").orElse(Tree.Members.NONE);
        this.authentication = assignment.source().text("authentication").orElse("");
    }

    /** The configuration of a consumer. */
    static Map<String, Object> of(Link link, Assignment assignment, Clock clock) throws Owner, SourceAway {
        KafkaLogin login = new KafkaLogin(link, assignment, clock);
        login.reading();
        login.protocol(login.brokers());
        return login.all;
    }

    private void reading() {
        int fetch = (int) (FETCH_BYTES_A_GIGABYTE * assignment.share().memoryGb());
        all.put(
                "client.id",
                "pilothouse-" + assignment.pipe() + "-" + assignment.share().index());
        all.put(
                "group.id",
                assignment
                        .source()
                        .text("consumerGroup")
                        .filter(group -> !group.isEmpty())
                        .orElse("clickpipes-" + assignment.pipe()));
        // The place in a topic is in the ledger; the group is told of it for those who look there.
        all.put("enable.auto.commit", "false");
        all.put("auto.offset.reset", "none");
        all.put("allow.auto.create.topics", "false");
        all.put(
                "isolation.level",
                assignment.settings().flag("kafka_read_committed") ? "read_committed" : "read_uncommitted");
        all.put("fetch.max.wait.ms", MAX_FETCH_MILLIS);
        all.put("fetch.max.bytes", fetch);
        all.put("max.partition.fetch.bytes", fetch);
        all.put("max.poll.records", RECORDS_AT_ONCE);
        all.put("request.timeout.ms", ANSWERS_WITHIN_MILLIS);
        all.put("default.api.timeout.ms", ANSWERS_WITHIN_MILLIS);
        all.put("reconnect.backoff.max.ms", MAX_PAUSE_MILLIS);
        all.put("metric.reporters", "");
    }

    /** Notes the brokers; returns the protocol that was written before the first of them, empty if there is none. */
    private String brokers() throws Owner {
        String written = "";
        List<String> addresses = new ArrayList<>();
        for (String broker : assignment.source().text("brokers").orElse("").split(",", -1)) {
            Matcher matcher = BROKER.matcher(broker.strip());
            if (!matcher.matches()) {
                throw new Owner("The brokers of the source must be host:port, with commas between them.");
            }
            String before = matcher.group(1);
            written = written.isEmpty() && before != null ? before : written;
            addresses.add(matcher.group(2));
        }
        all.put("bootstrap.servers", String.join(",", addresses));
        return written;
    }

    private void protocol(String written) throws Owner, SourceAway {
        String certificates = assignment.source().text("caCertificate").orElse("");
        if (!certificates.isEmpty()) {
            all.put("ssl.truststore.type", PEM);
            all.put("ssl.truststore.certificates", certificates);
        }
        switch (authentication) {
            case "" -> all.put("security.protocol", tls(written, !certificates.isEmpty()) ? "SSL" : "PLAINTEXT");
            case "MUTUAL_TLS" -> {
                all.put("security.protocol", "SSL");
                all.put("ssl.keystore.type", PEM);
                all.put("ssl.keystore.certificate.chain", text("certificate"));
                all.put("ssl.keystore.key", text("privateKey"));
            }
            case "PLAIN" -> {
                boolean hub = credentials.has("connectionString");
                sasl(
                        written,
                        "plain.Plain",
                        hub ? "$ConnectionString" : text("username"),
                        text(hub ? "connectionString" : "password"));
            }
            case "SCRAM-SHA-256", "SCRAM-SHA-512" -> sasl(written, "scram.Scram", text("username"), text("password"));
            case "IAM_ROLE", "IAM_USER" -> iam(written);
            default -> throw new Owner("No worker of this server logs in with " + authentication + ".");
        }
    }

    private void iam(String written) throws Owner, SourceAway {
        String host = String.valueOf(all.get("bootstrap.servers")).replaceAll(":.*", "");
        String region = assignment
                .source()
                .text("region")
                .filter(named -> !named.isEmpty())
                .or(() -> AwsRegion.of(host))
                .orElseThrow(() -> new Owner("The name of the broker " + host
                        + " does not say which region of AWS it is in: add a region to the source."));
        if (!AwsRegion.isOne(region)) {
            throw new Owner("There is no such region of AWS as the source names.");
        }
        AwsKeys keys = AwsKeys.of(link, assignment, clock)
                .orElseThrow(() -> new Owner(authentication + " needs an access key or a role."));
        IamLogin.Tokens tokens = IamLogin.tokens(keys, region, clock);
        // A role that is refused is said before the library tries, which would say less.
        tokens.now();
        all.put("security.protocol", tls(written, true) ? "SASL_SSL" : "SASL_PLAINTEXT");
        all.put("sasl.mechanism", "OAUTHBEARER");
        all.put("sasl.login.callback.handler.class", IamLogin.class);
        all.put(IamLogin.TOKENS, tokens);
        // Logins whose texts are the same are one login to the library, also those of two pipes in one process.
        all.put(
                "sasl.jaas.config",
                "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required login="
                        + quoted(UUID.randomUUID().toString()) + ";");
    }

    private static boolean tls(String written, boolean usually) {
        return written.isEmpty() ? usually : written.endsWith("SSL");
    }

    private void sasl(String written, String module, String user, String password) {
        all.put("security.protocol", tls(written, true) ? "SASL_SSL" : "SASL_PLAINTEXT");
        all.put("sasl.mechanism", authentication);
        all.put(
                "sasl.jaas.config",
                "org.apache.kafka.common.security." + module + "LoginModule required username=" + quoted(user)
                        + " password=" + quoted(password) + ";");
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    private String text(String name) {
        return credentials.text(name).orElse("");
    }
}
