package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.api.ApiJson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** How pipes from Kinesis are sent elsewhere over HTTP; what workers make of it {@code PipeKinesisIT} shows. */
class ShardOffsetsTest {
    private static final String SHARD = "s:shardId-000000000000";

    @RegisterExtension
    static final House house = House.start();

    private final Tenant tenant = house.tenant();
    private final JsonNode service = tenant.running();
    private final String offsets = tenant.pipes(service) + "/"
            + tenant.admin()
                    .post(tenant.pipes(service), PipeBodies.WAITING_KINESIS)
                    .ok()
                    .path("id")
                    .asString()
            + "/offsets";

    private static String to(String number, String... shards) {
        return "{'to': 'sequenceNumber', 'sequenceNumber': '" + number + "', 'partitions': ['"
                + String.join("', '", shards) + "']}";
    }

    @Test
    void placeIsShownUntilAWorkerReadsThere() {
        tenant.admin().put(offsets, "{'to': 'beginning'}").ok();
        tenant.admin().put(offsets, to("4711", SHARD)).ok();
        assertThat(tenant.admin().get(offsets).ok()).isEqualTo(ApiJson.read("""
                {'seek': 'beginning', 'partitions': [{'partition': '%s', 'seek': '4711'}]}""".formatted(SHARD)));
    }

    @Test
    void placeMustBeOneOfItsStream() {
        tenant.admin().put(offsets, to("4711", SHARD, "s:shardId-000000000001")).faultsAt("partitions");
        tenant.admin().put(offsets, to("4711", "other:shardId-000000000000")).faultsAt("partitions[0]");
        tenant.admin().put(offsets, to("here", SHARD)).faultsAt("sequenceNumber");
        tenant.admin()
                .put(offsets, "{'to': 'offset', 'offset': 7, 'partitions': ['%s']}".formatted(SHARD))
                .faultsAt("to");
    }
}
