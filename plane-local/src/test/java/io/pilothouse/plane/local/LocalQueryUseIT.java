package io.pilothouse.plane.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.query.QueryDatabases;
import io.pilothouse.core.query.QueryRole;
import io.pilothouse.core.query.QueryStatement;
import io.pilothouse.gateway.GatewayReach;
import io.pilothouse.gateway.GatewayUse;
import io.pilothouse.outgoing.OutgoingHttp;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Queries of the query host against a database that really runs. */
class LocalQueryUseIT {
    @TempDir
    Path folder;

    private final UUID id = UUID.randomUUID();

    @Test
    void queryWaitsForADatabaseThatIsRestartedAfterItWasReady()
            throws IOException, DatabaseFailure, PlaneFault, InterruptedException {
        ClickHouse.Bundled clickhouse = LiveDatabase.require();
        try (LocalDatabases databases = new LocalDatabases(LiveDatabase.setup(clickhouse, folder, false))) {
            DatabaseAddress address = LiveDatabase.started(databases, id, LiveDatabase.settings("secret"));
            GatewayReach ready =
                    new GatewayReach.Ready(new InetSocketAddress(InetAddress.getLoopbackAddress(), address.http()));
            RestartingDoor door = new RestartingDoor(List.of(ready, new GatewayReach.Asleep()), ready);
            OutgoingHttp http = OutgoingHttp.toAddresses(Duration.ofSeconds(3));

            try (LocalQueryUse use = new LocalQueryUse(id, door, databases, http, Runnable::run)) {
                assertThat(use.isReady()).isTrue();
                QueryDatabases.Reply reply = use.run(
                        QueryRole.READ_ONLY,
                        new QueryStatement(
                                new ByteArrayInputStream("SELECT 6 * 7".getBytes(StandardCharsets.US_ASCII)),
                                Optional.empty(),
                                Optional.empty()));
                ByteArrayOutputStream content = new ByteArrayOutputStream();
                reply.writeTo(content);
                assertThat(content.toString(StandardCharsets.US_ASCII)).isEqualTo("42\n");
            }
        }
    }

    /** Says one thing after the other, and the last one once it was waited for. */
    private static final class RestartingDoor implements GatewayUse {
        private final Queue<GatewayReach> before;
        private final GatewayReach after;

        RestartingDoor(List<GatewayReach> before, GatewayReach after) {
            this.before = new ArrayDeque<>(before);
            this.after = after;
        }

        @Override
        public GatewayReach reach() {
            return before.remove();
        }

        @Override
        public GatewayReach awaken() {
            assertThat(before).as("what was known before anybody waited").isEmpty();
            return after;
        }

        @Override
        public void close() {}
    }
}
