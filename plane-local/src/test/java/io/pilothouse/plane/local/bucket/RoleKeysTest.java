package io.pilothouse.plane.local.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.pilothouse.core.backup.BucketAccess.Login;
import io.pilothouse.outgoing.OutgoingHttp;
import io.pilothouse.testkit.SimTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The role of a bucket is taken on with the control plane's own identity, asked of a server that speaks STS. */
class RoleKeysTest {
    private static final String GIVEN = """
            <AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>
              <AccessKeyId>ASIA%1$d</AccessKeyId>
              <SecretAccessKey>a/secret+%1$d</SecretAccessKey>
              <SessionToken>token%1$d==</SessionToken>
              <Expiration>2026-01-01T01:00:00Z</Expiration>
            </Credentials></AssumeRoleResult></AssumeRoleResponse>""";

    private record Asked(String authorization, String body) {}

    private final SimTime time = new SimTime();
    private final List<Asked> asked = new CopyOnWriteArrayList<>();
    private volatile int status = 200;
    private volatile String answer = GIVEN;
    private HttpServer server;
    private RoleKeys keys;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            asked.add(new Asked(exchange.getRequestHeaders().getFirst("Authorization"), body));
            byte[] bytes = answer.formatted(asked.size()).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        URI roles = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
        Roles taken = new Roles(
                StoreClient.over(OutgoingHttp.toAddresses(Duration.ofSeconds(30)), time, List.of(), 1 << 20),
                new Buckets.Identity(new Login.Key("OURS", "our secret", null), roles));
        keys = new RoleKeys(
                taken,
                time,
                new Login.Role("arn:aws:iam::123456789012:role/backups", "nightly", "pilothouse:a:service/b"));
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void theRoleIsAskedForWithTheIdentityOfTheControlPlane() throws BucketFault {
        assertThat(keys.now()).isEqualTo(new Login.Key("ASIA1", "a/secret+1", "token1=="));
        assertThat(asked).singleElement().satisfies(one -> {
            assertThat(one.authorization()).contains("Credential=OURS/20260101/us-east-1/sts/aws4_request");
            assertThat(one.body())
                    .isEqualTo("Action=AssumeRole&Version=2011-06-15"
                            + "&RoleArn=arn%3Aaws%3Aiam%3A%3A123456789012%3Arole%2Fbackups&RoleSessionName=nightly"
                            + "&ExternalId=pilothouse%3Aa%3Aservice%2Fb");
        });
    }

    @Test
    void regionalAddressIsAskedWithASignatureOfItsRegion() {
        assertThat(Stream.of(
                                "https://sts.amazonaws.com",
                                "https://sts.eu-west-1.amazonaws.com",
                                "http://sts.local:9000")
                        .map(URI::create)
                        .map(Roles::region))
                .containsExactly("us-east-1", "eu-west-1", "us-east-1");
        assertThat(Roles.region(URI.create("https://sts.cn-north-1.amazonaws.com.cn/")))
                .isEqualTo("cn-north-1");
    }

    @Test
    void itsKeysAreUsedUntilTheyAreTakenAgainInTime() throws BucketFault {
        Login.Key first = keys.now();
        time.advance(Duration.ofMinutes(44));
        assertThat(keys.now()).isEqualTo(first);
        time.advance(Duration.ofMinutes(1));
        assertThat(keys.now().id()).isEqualTo("ASIA2");
        assertThat(asked).hasSize(2);
    }

    @Test
    void aRoleThatIsRefusedIsASentenceWithoutASecret() {
        status = 403;
        answer =
                "<ErrorResponse><Error><Code>AccessDenied</Code><Message>OURS may not</Message></Error></ErrorResponse>";
        assertThatThrownBy(keys::now)
                .isInstanceOf(BucketFault.class)
                .hasMessage("the role cannot be taken on (AccessDenied)");
        answer = "nothing that it should be";
        assertThatThrownBy(keys::now).hasMessage("the role cannot be taken on");
    }

    @Test
    void anAnswerWithoutKeysIsASentenceToo() {
        answer = "<AssumeRoleResponse><AccessKeyId>ASIA</AccessKeyId></AssumeRoleResponse>";
        assertThatThrownBy(keys::now).hasMessage("the role cannot be taken on: the answer holds no key");
    }
}
