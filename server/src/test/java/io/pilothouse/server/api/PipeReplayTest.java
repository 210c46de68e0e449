package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiJson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** How pipes are asked over HTTP to read their errors again; what workers make of it {@code PipeReplayIT} shows. */
class PipeReplayTest {
    @RegisterExtension
    static final House house = House.start();

    private final Tenant tenant = house.tenant();
    private final JsonNode service = tenant.running();

    private ApiAnswer replay(String pipe) {
        return tenant.admin().post(pipe + "/errors/replay", "");
    }

    @Test
    void replayHasANumberAndOneThatHasNotBegunIsEnough() {
        String pipe = tenant.pipe(service, PipeBodies.KAFKA);
        house.settle();
        assertThat(tenant.admin().get(pipe + "/errors/replay").ok())
                .isEqualTo(ApiJson.read("{'replay': 0, 'done': 0}"));
        assertThat(replay(pipe).ok()).isEqualTo(ApiJson.read("{'replay': 1, 'done': 0}"));
        assertThat(replay(pipe).ok()).isEqualTo(ApiJson.read("{'replay': 1, 'done': 0}"));
        house.settle();
        assertThat(tenant.admin().get(pipe).ok().path("state").asString()).isEqualTo("Running");
    }

    @Test
    void pipeThatIsStoppedIsStartedFirst() {
        String pipe = tenant.pipe(service, PipeBodies.WAITING_KAFKA);
        assertThat(replay(pipe).refused(400, "BAD_REQUEST").json().path("error").asString())
                .contains("must be started first");
        tenant.admin().patch(pipe + "/state", "{'command': 'start'}").ok();
        replay(pipe).ok();
    }

    @Test
    void pipeFromADatabaseIsSentToItsSourceInstead() {
        String pipe = tenant.pipe(service, PipeBodies.POSTGRES);
        assertThat(replay(pipe).refused(400, "BAD_REQUEST").json().path("error").asString())
                .contains("the command resync with its targetTable");
        tenant.admin().get(pipe + "/errors/replay").refused(400, "BAD_REQUEST");
    }

    @Test
    void historySaysWhoAskedForIt() {
        String pipe = tenant.pipe(service, PipeBodies.KAFKA);
        replay(pipe).ok();
        assertThat(tenant.admin().get(tenant.path() + "/activities").ok().valueStream())
                .filteredOn(line -> line.path("type").asString().equals("clickpipe_replay"))
                .singleElement()
                .satisfies(line -> assertThat(line.path("changes").toString()).contains("\"replay\"", "1"));
    }
}
