package io.pilothouse.server.webhook;

import static org.assertj.core.api.Assertions.assertThatIOException;

import io.pilothouse.outgoing.OutgoingHttp;
import io.pilothouse.outgoing.OutgoingHttp.Limits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Requests that end by their deadline, wherever they are by then. */
class OutgoingDeadlineTest {
    private static final int TRIES = 1_000;

    @Test
    void requestEndsByItsDeadlineInTheSameWayWhereverItIs() throws IOException {
        InetAddress here = InetAddress.getLoopbackAddress();
        OutgoingHttp http = OutgoingHttp.toAddresses(Duration.ofSeconds(10));
        try (ServerSocket silent = new ServerSocket(0, TRIES, here)) {
            URI url = URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/");
            for (int tried = 0; tried < TRIES; tried++) {
                Duration total = Duration.ofNanos(tried * 2_000L);
                assertThatIOException()
                        .as("%s", total)
                        .isThrownBy(() -> http.send("GET", url, Map.of(), new byte[0], new Limits(total, total, 1)));
            }
        }
    }
}
