package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiJson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** How far pipes are, and how they are sent elsewhere, over HTTP; what workers make of it {@code PipeSeekIT} shows. */
class PipeOffsetsTest {
    @RegisterExtension
    static final House house = House.start();

    private final Tenant tenant = house.tenant();
    private final JsonNode service = tenant.running();

    private ApiAnswer seek(String pipe, String body) {
        return tenant.admin().put(pipe + "/offsets", body);
    }

    @Test
    void pipeThatHasReadNothingHasNoPlaces() {
        String pipe = tenant.pipe(service, PipeBodies.KAFKA);
        assertThat(tenant.admin().get(pipe + "/offsets").ok()).isEqualTo(ApiJson.read("{'partitions': []}"));
    }

    @Test
    void placeIsShownUntilItIsFoundAndAnOffsetNeedsNoFinding() {
        String pipe = tenant.pipe(service, PipeBodies.WAITING_KAFKA);
        seek(pipe, "{'to': 'end'}").ok();
        seek(pipe, "{'to': 'offset', 'offset': 12, 'partitions': ['events:10', 'events:9']}")
                .ok();
        seek(pipe, "{'to': 'time', 'time': '2026-01-01T01:00:00+01:00', 'partitions': ['events:1']}")
                .ok();
        assertThat(tenant.admin().get(pipe + "/offsets").ok()).isEqualTo(ApiJson.read("""
                {'seek': 'end', 'partitions': [
                  {'partition': 'events:1', 'seek': '2026-01-01T00:00:00Z'},
                  {'partition': 'events:9', 'offset': 12},
                  {'partition': 'events:10', 'offset': 12}]}"""));
        assertThat(seek(pipe, "{'to': 'beginning'}").ok().path("partitions")).isEmpty();
    }

    @Test
    void onlyAStoppedPipeIsSentElsewhere() {
        String pipe = tenant.pipe(service, PipeBodies.KAFKA);
        house.settle();
        assertThat(seek(pipe, "{'to': 'end'}")
                        .refused(400, "BAD_REQUEST")
                        .json()
                        .path("error")
                        .asString())
                .contains("must be stopped first");
        tenant.admin().patch(pipe + "/state", "{'command': 'stop'}").ok();
        house.settle();
        seek(pipe, "{'to': 'end'}").ok();
        seek(pipe, "{'to': 'end', 'partitions': ['other:0']}").faultsAt("partitions[0]");
    }

    @Test
    void pipeFromElsewhereHasNoOffsets() {
        String pipe = tenant.pipe(service, PipeBodies.POSTGRES);
        tenant.admin().get(pipe + "/offsets").refused(404, "NOT_FOUND");
        seek(pipe, "{'to': 'end'}").refused(404, "NOT_FOUND");
    }

    @Test
    void historySaysWhereItWasSent() {
        String pipe = tenant.pipe(service, PipeBodies.WAITING_KAFKA);
        seek(pipe, "{'to': 'end', 'partitions': ['events:0']}").ok();
        assertThat(tenant.admin().get(tenant.path() + "/activities").ok().valueStream())
                .filteredOn(line -> line.path("type").asString().equals("clickpipe_seek"))
                .singleElement()
                .satisfies(line -> assertThat(line.path("changes").toString()).contains("\"to\"", "end", "events:0"));
    }
}
