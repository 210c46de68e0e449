package io.pilothouse.http.helidon;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Enveloped;
import io.pilothouse.http.wire.Gate;
import io.pilothouse.http.wire.PublicRoute;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConnectionLimitTest {
    @Test
    void oneTooManyWaitsUntilAnotherEnds() throws IOException {
        ListenerLimits two = new ListenerLimits(
                8192,
                8192,
                2,
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                Duration.ofMinutes(1),
                Duration.ofSeconds(5));
        PublicRoute hello = TestHouse.open("/hello", exchange -> Answer.text(200, "text/plain", "hello"));
        Gate gate = Gate.open(List.of(hello), new Enveloped(), seen -> {}, (id, operation, cause) -> {});
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (Listener listener = Listener.start("two", anyPort, two, gate);
                RawClient first = new RawClient(listener.port());
                RawClient second = new RawClient(listener.port())) {
            assertThat(first.ask("GET /hello").status()).isEqualTo(200);
            assertThat(second.ask("GET /hello").status()).isEqualTo(200);
            try (RawClient third = new RawClient(listener.port())) {
                third.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n");
                third.patience(300);
                org.assertj.core.api.Assertions.assertThatThrownBy(third::read)
                        .isInstanceOf(java.net.SocketTimeoutException.class);
                first.hangUp();
                third.patience(10_000);
                assertThat(third.read().body()).isEqualTo("hello");
            }
        }
    }
}
