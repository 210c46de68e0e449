package io.pilothouse.http.helidon;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Edition;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.core.right.Caller;
import io.pilothouse.core.right.Permission;
import io.pilothouse.http.api.Operation;
import io.pilothouse.http.document.DocumentRoutes;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.AnyRoute;
import io.pilothouse.http.wire.Authentication;
import io.pilothouse.http.wire.BearerAuthentication;
import io.pilothouse.http.wire.Gate;
import io.pilothouse.http.wire.Plain;
import io.pilothouse.http.wire.Range;
import io.pilothouse.http.wire.RateLimit;
import io.pilothouse.http.wire.Request;
import io.pilothouse.http.wire.Route;
import io.pilothouse.http.wire.RouteTable;
import io.pilothouse.http.wire.Verb;
import io.pilothouse.incoming.Guesses;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AlertsInterfaceTest {
    private static final int TOTAL = 3;
    private final Listener listener;

    AlertsInterfaceTest() throws IOException {
        List<AnyRoute> routes = new ArrayList<>(List.of(new Route(
                "alertGetList", Verb.GET, "/api/v2/alerts", Permission.ALERT_READ, AlertsInterfaceTest::page)));
        routes.add(Operation.openapiGet.open(DocumentRoutes.ofAlerts(RuleBook.of(Edition.SEED))::get));
        Authentication bearer = new BearerAuthentication(
                token -> {
                    if (!token.equals("good")) {
                        throw new Refused(Refused.Reason.UNAUTHORIZED, "Unknown, disabled or expired credentials");
                    }
                    return new Caller(TestHouse.ORGANIZATION, TestHouse.KEY, "good", Set.of(Permission.ALERT_READ));
                },
                new Guesses(0, System::nanoTime, new byte[0]));
        Gate gate = new Gate(
                new RouteTable(routes),
                bearer,
                RateLimit.perMinute(0),
                new Plain(),
                seen -> {},
                (id, operation, cause) -> {});
        listener = Listener.start(
                "alerts",
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                ListenerLimits.standard(),
                gate,
                TestHouse.entrance());
    }

    @AfterEach
    void stop() {
        listener.close();
    }

    private static Answer page(Request request) {
        Range range = Range.of(request);
        request.checkedPermit();
        return range.of(IntStream.range(0, TOTAL).boxed().toList(), (out, number) -> {
            out.startObject();
            out.whole("id", number);
            out.endObject();
        });
    }

    private RawClient.Reply ask(String path, String headers) throws IOException {
        try (RawClient client = new RawClient(listener.port())) {
            return client.send("GET " + path + " HTTP/1.1\r\nHost: a\r\n" + headers + "\r\n")
                    .read();
        }
    }

    private RawClient.Reply list(String query) throws IOException {
        return ask("/api/v2/alerts" + query, "Authorization: Bearer good\r\n");
    }

    @Test
    void theListHasNoEnvelope() throws IOException {
        RawClient.Reply reply = list("");
        assertThat(reply.body())
                .isEqualTo("{\"data\":[{\"id\":0},{\"id\":1},{\"id\":2}],"
                        + "\"meta\":{\"total\":3,\"limit\":1000,\"offset\":0}}");
        assertThat(reply.header("X-Total-Count")).isEqualTo("3");
        assertThat(reply.header("X-Request-Id")).isNotNull();
    }

    @Test
    void limitAndOffsetCutAPieceOut() throws IOException {
        assertThat(list("?limit=1&offset=1&unknown=x").body())
                .isEqualTo("{\"data\":[{\"id\":1}],\"meta\":{\"total\":3,\"limit\":1,\"offset\":1}}");
        assertThat(list("?offset=2147483647").body()).startsWith("{\"data\":[],");
    }

    @Test
    void everyFaultIsInTheOneSentence() throws IOException {
        RawClient.Reply reply = list("?limit=0&offset=x");
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.body())
                .isEqualTo("{\"message\":\"limit: must be a whole number from 1 to 1000; "
                        + "offset: must be a whole number of at least 0\"}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Authorization: Bearer\r\n",
                "Authorization: Bearer wrong\r\n",
                "Authorization: Basic good\r\n",
                "Authorization: Bearer good good\r\n",
                "Authorization: Bearer good\r\nAuthorization: Bearer good\r\n"
            })
    void aTokenIsNeeded(String headers) throws IOException {
        RawClient.Reply reply = ask("/api/v2/alerts", headers);
        assertThat(reply.status()).isEqualTo(401);
        assertThat(reply.body()).isEqualTo("{\"message\":\"Unknown, disabled or expired credentials\"}");
        assertThat(reply.header("WWW-Authenticate")).isEqualTo("Bearer realm=\"pilothouse\"");
    }

    @Test
    void otherPathsAndBrokenRequestsHaveTheSameShape() throws IOException {
        assertThat(ask("/nowhere", "").body()).isEqualTo("{\"message\":\"Path not found\"}");
        assertThat(ask("/api/v2/alerts", "Bad header\r\n").body())
                .isEqualTo("{\"message\":\"The request is not well-formed HTTP/1.1\"}");
    }

    @Test
    void theDocumentIsThereForAnybodyAndKnownByItsTag() throws IOException {
        RawClient.Reply document = ask("/openapi.json", "");
        assertThat(document.status()).isEqualTo(200);
        assertThat(document.body()).startsWith("{").contains("/api/v2/alerts");
        String tag = String.valueOf(document.header("ETag"));
        assertThat(tag).matches("\"[0-9a-f]{32}\"");
        assertThat(ask("/openapi.json", "If-None-Match: " + tag + "\r\n").status())
                .isEqualTo(304);
        assertThat(ask("/openapi.json", "If-None-Match: \"other\"\r\n").status())
                .isEqualTo(200);
    }
}
