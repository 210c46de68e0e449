package io.pilothouse.bench;

import io.pilothouse.core.base.Edition;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.RowIds;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.key.ApiKey;
import io.pilothouse.core.key.ApiKeyCreated;
import io.pilothouse.core.key.ApiKeyMaker;
import io.pilothouse.core.key.Credentials;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.organization.OrganizationTier;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.right.Role;
import io.pilothouse.core.role.Roles;
import io.pilothouse.core.secret.PasswordHashes;
import io.pilothouse.core.secret.SecretHash;
import io.pilothouse.core.secret.SecretText;
import io.pilothouse.core.service.DataPlane;
import io.pilothouse.core.service.Endpoint;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceDefaults;
import io.pilothouse.core.service.ServiceDesign;
import io.pilothouse.core.service.ServiceDraft;
import io.pilothouse.core.service.ServiceView;
import io.pilothouse.http.api.ServiceJson;
import io.pilothouse.http.api.ServiceRoutes;
import io.pilothouse.http.json.JsonPath;
import io.pilothouse.http.json.JsonReader;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.json.RequestBody;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Authentication;
import io.pilothouse.http.wire.BasicAuthentication;
import io.pilothouse.http.wire.Exchange;
import io.pilothouse.http.wire.RequestField;
import io.pilothouse.http.wire.Verb;
import io.pilothouse.incoming.CalledAddress;
import io.pilothouse.incoming.Guesses;
import io.pilothouse.store.SqliteStore;
import io.pilothouse.store.StoreMetrics;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** The parts that every request of a kind passes, each by itself. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class HotPaths {
    private static final DataPlane.Database DATABASE = new DataPlane.Database("25.8", List.of("https"));
    private static final byte[] BODY = """
        {"name": "orders", "provider": "aws", "region": "us-east-1",
         "ipAccessList": [{"source": "10.0.0.0/8", "description": "office"}, {"source": "192.0.2.7"}],
         "minReplicaMemoryGb": 8, "maxReplicaMemoryGb": 120, "numReplicas": 3, "idleScaling": true,
         "idleTimeoutMinutes": 15, "tags": [{"key": "team", "value": "orders"}]}
        """.getBytes(StandardCharsets.UTF_8);
    private static final int PEPPER_BYTES = 32;

    private final Instant now = Instant.now();
    private final RuleBook rules = RuleBook.of(Edition.CLOUD);
    private final Organization organization = new Organization(
            new Head(RowIds.at(now), RowIds.at(now), now, 1),
            "Measured",
            OrganizationTier.ENTERPRISE,
            true,
            false,
            List.of(),
            List.of());
    private final Path folder = newFolder();
    private final Store store =
            SqliteStore.open(folder, Thread.ofPlatform().daemon().factory(), StoreMetrics.NONE);
    private final SecretHash hash = new SecretHash(new byte[PEPPER_BYTES]);
    private final Authentication authentication = new BasicAuthentication(
            new Credentials(store, Instant::now, hash, new Roles(), (key, cause, client) -> {}),
            new Guesses(60, System::nanoTime, new byte[0]));
    private final Exchange exchange = exchangeOfAKey();
    private final PasswordHashes password = SecretText.hash("measured");
    private final ServiceDraft draft = read();
    private final ServiceView view =
            new ServiceView(design(), List.of(new Endpoint("https", "127.0.0.1", 20_000, "default")), List.of());

    private static Path newFolder() {
        try {
            return Files.createTempDirectory("pilothouse-hot");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Exchange exchangeOfAKey() {
        ApiKeyCreated made = new ApiKeyMaker(new SecretText(new SecureRandom()), hash, Instant::now)
                .make(organization.id(), "Measured", List.of(Role.ADMIN));
        store.write(tables -> tables.of(ApiKey.KIND).insert(made.key()));
        String pair = made.keyId() + ":" + made.keySecret();
        String header = "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
        return new Asking(List.of(header), InetAddress.getLoopbackAddress());
    }

    /** A request of which only the caller matters. */
    private record Asking(List<String> authorization, InetAddress remoteAddress) implements Exchange {
        @Override
        public UUID requestId() {
            throw new UnsupportedOperationException("Not used here");
        }

        @Override
        public Optional<CalledAddress> calledAddress() {
            return Optional.empty();
        }

        @Override
        public Verb verb() {
            return Verb.GET;
        }

        @Override
        public String path() {
            return "/";
        }

        @Override
        public String query() {
            return "";
        }

        @Override
        public List<String> field(RequestField field) {
            return field == RequestField.AUTHORIZATION ? authorization : List.of();
        }

        @Override
        public boolean hasBody() {
            return false;
        }

        @Override
        public byte[] body() {
            return new byte[0];
        }

        @Override
        public void ifLost(Runnable then) {
            throw new UnsupportedOperationException("Not used here");
        }

        @Override
        public boolean gone() {
            return false;
        }

        @Override
        public InputStream stream() {
            return InputStream.nullInputStream();
        }

        @Override
        public void whenGone(Runnable gone) {}

        @Override
        public long answer(Answer answer) {
            throw new UnsupportedOperationException("Not used here");
        }
    }

    @TearDown
    public void close() throws IOException {
        store.close();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    /** From the header to the caller, with a key in a store. */
    @Benchmark
    public Object gate() {
        return authentication.identify(exchange);
    }

    /** From the bytes of a create request to its draft. */
    @Benchmark
    public Object bodyReader() {
        return read();
    }

    private static ServiceDraft read() {
        Faults faults = new Faults();
        return ServiceRoutes.readDraft(new RequestBody(JsonReader.readObject(BODY, faults), JsonPath.ROOT, faults));
    }

    /** Every rule for a create request, from its draft to the service. */
    @Benchmark
    public Object ruleBook() {
        return design();
    }

    private Service design() {
        Faults faults = new Faults();
        ServiceDesign.Setting setting =
                new ServiceDesign.Setting(organization, null, null, organization.id(), password, DATABASE, now);
        Service service = new ServiceDesign(rules, ServiceDefaults.STANDARD, setting, faults).of(draft);
        faults.refuseIfAny();
        return service;
    }

    /** From a service to the bytes of an answer. */
    @Benchmark
    public Object serviceWriter() {
        return JsonWriter.document(out -> ServiceJson.write(out, view));
    }
}
