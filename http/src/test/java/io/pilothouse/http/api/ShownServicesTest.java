package io.pilothouse.http.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.service.Endpoint;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceView;
import io.pilothouse.core.service.Wish;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.wire.Envelope;
import io.pilothouse.testkit.ServiceSample;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ShownServicesTest {
    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");

    private final ShownServices shown = new ShownServices();
    private final Service service = ServiceSample.wanted(UUID.randomUUID(), UUID.randomUUID(), NOW);

    private static ServiceView view(Service service) {
        return new ServiceView(service, List.of(new Endpoint("https", "127.0.0.1", 20_000, "default")), List.of());
    }

    private static String text(UUID requestId, byte[] json) {
        return new String(Envelope.of(requestId, json), StandardCharsets.UTF_8);
    }

    @Test
    void anEqualViewIsWrittenOnce() {
        assertThat(shown.of(view(service)).json())
                .isSameAs(shown.of(view(service)).json());
    }

    @Test
    void whateverDiffersIsWrittenAnew() {
        ServiceView before = view(service);
        ServiceView after = view(service.withWish(Wish.STOP, NOW.plusSeconds(1)));
        ServiceView reached = new ServiceView(service, before.endpoints(), List.of("vpce-1"));
        for (ServiceView view : List.of(before, after, reached, before)) {
            assertThat(shown.of(view).entityTag()).isEqualTo(view.entityTag());
            assertThat(shown.of(view).json()).isEqualTo(JsonWriter.document(out -> ServiceJson.write(out, view)));
        }
    }

    @Test
    void aResultThatIsWrittenAlreadyGetsTheSameEnvelope() {
        UUID requestId = UUID.randomUUID();
        byte[] whole = Envelope.of(requestId, out -> ServiceJson.write(out, view(service)));
        assertThat(text(requestId, shown.of(view(service)).json()))
                .isEqualTo(new String(whole, StandardCharsets.UTF_8));
    }
}
