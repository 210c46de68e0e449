package io.pilothouse.server.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The clock of the emulator over HTTP. */
class ClockTest {
    private static final String CLOCK = "/_pilothouse/clock";

    @RegisterExtension
    static final EmulatorHouse house = EmulatorHouse.start();

    private static Instant now(JsonNode clock) {
        return Instant.parse(clock.path("now").asString());
    }

    private static JsonNode put(String body) {
        return house.controls().put(CLOCK, body).ok();
    }

    @Test
    void itGoesAsFastAsItIsTold() {
        Instant before = now(put("{'rate': 60}"));
        house.machine.advance(Duration.ofSeconds(2));
        assertThat(now(house.controls().get(CLOCK).ok())).isEqualTo(before.plusSeconds(120));
        assertThat(put("{'rate': 0}").path("rate").asInt()).isZero();
        house.machine.advance(Duration.ofSeconds(2));
        assertThat(now(house.controls().get(CLOCK).ok())).isEqualTo(before.plusSeconds(120));
    }

    @Test
    void itIsSetToAMomentOrMovedOn() {
        Instant before = now(put("{'rate': 0}"));
        assertThat(now(put("{'forwardSeconds': 1.5}"))).isEqualTo(before.plusMillis(1_500));
        Instant later = before.plus(Duration.ofDays(400));
        assertThat(now(put("{'now': '" + later + "'}"))).isEqualTo(later);
    }

    @Test
    void itNeverGoesBackwards() {
        Instant before = now(put("{'rate': 0}"));
        house.controls()
                .put(CLOCK, "{'now': '" + before.minusSeconds(1) + "', 'rate': 5}")
                .refused(409, "CONFLICT");
        house.controls().put(CLOCK, "{'now': '2201-01-01T00:00:00Z'}").refused(409, "CONFLICT");
        JsonNode clock = house.controls().get(CLOCK).ok();
        assertThat(now(clock)).isEqualTo(before);
        assertThat(clock.path("rate").asInt()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'rate': -1}",
                "{'rate': 1001}",
                "{'rate': 'fast'}",
                "{'forwardSeconds': -0.1}",
                "{'forwardSeconds': 1e300}",
                "{'now': 'tomorrow'}",
                "{'settleSeconds': 61}",
                "{'now': '2100-01-01T00:00:00Z', 'forwardSeconds': 1}"
            })
    void whatIsNoTimeIsRefused(String body) {
        assertThat(house.controls().put(CLOCK, body).status()).isEqualTo(400);
    }
}
