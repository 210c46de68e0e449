package io.pilothouse.pipes.worker.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import io.pilothouse.pipes.worker.outside.Trouble.SourceAway;
import io.pilothouse.testkit.GoogleAccount;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a service account asks for a token, where, and what it makes of the answer. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GoogleTokensTest {
    private static final String BEFORE = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=";

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final Clock clock = ((InstantSource) () -> this.now).withZone(ZoneOffset.UTC);
    private volatile Instant now = Instant.EPOCH;
    private volatile int status;
    private volatile String answer = "";
    private GoogleAccount account;
    private HttpServer server;

    @BeforeAll
    void start() throws IOException, GeneralSecurityException {
        account = GoogleAccount.make();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterAll
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            asked.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Location", "/elsewhere");
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private GoogleTokens tokens(int nextStatus, String nextAnswer) throws Owner {
        asked.clear();
        status = nextStatus;
        answer = nextAnswer;
        String address = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
        return GoogleTokens.of(account.file(address + "token"), address + "landing/", clock);
    }

    private static Map<String, String> fields(GoogleTokens tokens) throws SourceAway {
        return tokens.sign("GET", URI.create("http://127.0.0.1/"));
    }

    @Test
    void tokenIsAskedForByASignatureAndAnotherOneBeforeItEnds() throws GeneralSecurityException, Owner, SourceAway {
        GoogleTokens tokens = tokens(200, "{\"access_token\":\"ya29.one\",\"expires_in\":3600}");
        assertThat(fields(tokens)).isEqualTo(Map.of("Authorization", "Bearer ya29.one"));
        assertThat(asked).hasSize(1);
        assertThat(asked.getFirst()).startsWith(BEFORE);
        assertThat(account.verified(asked.getFirst().substring(BEFORE.length())))
                .isPresent();

        answer = "{\"access_token\":\"it's-two\",\"expires_in\":999999}";
        now = now.plus(Duration.ofMinutes(44));
        assertThat(fields(tokens)).containsValue("Bearer ya29.one");
        now = now.plus(Duration.ofMinutes(1));
        assertThat(fields(tokens)).containsValue("Bearer it's-two");
        assertThat(tokens.arguments().login()).isEqualTo("NOSIGN");
        assertThat(tokens.arguments().last()).isEqualTo(", headers('Authorization' = 'Bearer it\\'s-two')");
        assertThat(tokens.arguments().toString()).doesNotContain("two");
        assertThat(asked).hasSize(2);
        // Nobody's token is believed to hold for longer than Google's.
        now = now.plus(Duration.ofMinutes(45));
        answer = "{\"access_token\":\"three\",\"expires_in\":60}";
        assertThat(fields(tokens)).containsValue("Bearer three");
        now = now.plusSeconds(45);
        assertThat(fields(tokens)).containsValue("Bearer three");
        assertThat(asked).hasSize(4);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            400 | {"error":"invalid_grant","error_description":"secret"} | refuses its key (400 invalid_grant).
            401 | {"error":"no word"}                                    | refuses its key (401).
            403 | <html>                                                 | refuses its key (403).
            503 | ''                                                     | refuses its key (503).
            302 | ''                                                     | refuses its key (302).
            200 | <html>                                                 | does not answer with JSON.
            200 | {}                                                     | gives no token.
            200 | {"access_token":"a\\r\\nHost: b"}                      | gives no token.
            """)
    void whatIsNoTokenMayBecomeOneLater(int given, String body, String why) throws Owner, SourceAway {
        GoogleTokens tokens = tokens(given, body);
        assertThatThrownBy(() -> fields(tokens))
                .isInstanceOf(SourceAway.class)
                .hasMessage("The token address of the service account " + why);
        assertThat(asked).hasSize(1);
        status = 200;
        answer = "{\"access_token\":\"late\",\"expires_in\":3600}";
        assertThat(fields(tokens)).containsValue("Bearer late");
    }

    @Test
    void tokenThatIsRefusedIsExchangedOnce() throws Owner, SourceAway {
        GoogleTokens tokens = tokens(200, "{\"access_token\":\"one\",\"expires_in\":3600}");
        Map<String, String> first = fields(tokens);
        answer = "{\"access_token\":\"two\",\"expires_in\":3600}";
        assertThat(tokens.renew(first)).isTrue();
        assertThat(fields(tokens)).containsValue("Bearer two");
        // Another request that had the first one finds the second.
        assertThat(tokens.renew(first)).isTrue();
        assertThat(fields(tokens)).containsValue("Bearer two");
        assertThat(asked).hasSize(2);
    }

    @Test
    void answerThatIsTooLargeIsNotReadToItsEnd() throws Owner {
        GoogleTokens tokens = tokens(200, "{\"a\":\"" + "a".repeat(1 << 17) + "\",\"access_token\":\"t\"}");
        assertThatThrownBy(() -> fields(tokens)).isInstanceOf(SourceAway.class).hasMessageContaining("JSON");
    }

    @ParameterizedTest
    @CsvSource({
        "https://oauth2.googleapis.com/token, https://storage.googleapis.com/landing/",
        "https://accounts.google.com/o/oauth2/token, https://landing.storage.googleapis.com/",
        "https://files.example.com:8443/t, https://files.example.com:8443/landing/",
        "http://127.0.0.1:4443/token, http://127.0.0.1:4443/landing/"
    })
    void tokensOfGoogleAreForGoogleAndThoseOfAnotherServerForThat(String giver, String bucket) {
        assertThatCode(() -> GoogleTokens.of(account.file(giver), bucket, clock))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "https://oauth2.googleapis.com/token, https://files.example.com/landing/",
        "https://oauth2.googleapis.com/token, http://storage.googleapis.com/landing/",
        "http://oauth2.googleapis.com/token, http://storage.googleapis.com/landing/",
        "http://oauth2.googleapis.com/token, https://storage.googleapis.com/landing/",
        "https://oauth2.googleapis.com/token, https://storage.googleapis.com.example.com/landing/",
        "https://oauth2.googleapis.com/token, https://storage.googleapis.com@example.com/landing/",
        "https://oauth2.googleapis.com@example.com/token, https://storage.googleapis.com/landing/",
        "https://storage.googleapis.com/token, https://storage.googleapis.com/landing/",
        "http://169.254.169.254/token, https://storage.googleapis.com/landing/",
        "http://127.0.0.1:22/token, http://127.0.0.1:4443/landing/",
        "http://files.example.com/token, https://files.example.com/landing/",
        "file:///etc/passwd, https://files.example.com/landing/",
        "https://oauth2.googleapis.com/token, https://files example.com/landing/"
    })
    void noTokenGoesFromOneToTheOther(String giver, String bucket) {
        assertThatThrownBy(() -> GoogleTokens.of(account.file(giver), bucket, clock))
                .isInstanceOf(Owner.class);
    }
}
