package io.pilothouse.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a query costs in memory that is thrown away: the same at each, whatever else a machine does meanwhile. */
class GatewayAllocationTest {
    private static final int ROUNDS = 5;
    private static final int QUERIES = 100;

    /** The client and the database of the test are in it; a buffer for a long body would be half of it more. */
    private static final long BYTES_OF_A_QUERY = 40_000;

    private static final String QUERY = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 8\r\n\r\nSELECT 1";
    private static final String ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n";

    private final GatewayFixture fixture;
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    GatewayAllocationTest(@TempDir Path folder) throws IOException, GeneralSecurityException {
        fixture = new GatewayFixture(folder);
    }

    @Test
    void smallQueryAsksForNoMemoryOfALargeOne() throws IOException {
        try (GatewayRecordingDatabase database = new GatewayRecordingDatabase(fixture.threads, visit -> {
            for (String head = visit.readHead(); !head.isEmpty(); head = visit.readHead()) {
                for (int byteOfBody = 0; byteOfBody < 8; byteOfBody++) {
                    visit.readByte();
                }
                visit.say(ANSWER + "1\n");
            }
        })) {
            fixture.serve(GatewaySwitch.awake(database.address()));
            try (GatewayRawClient client = fixture.plain(GatewayProtocol.HTTPS)) {
                long least = Long.MAX_VALUE;
                for (int round = 0; round < ROUNDS; round++) {
                    long before = threads.getTotalThreadAllocatedBytes();
                    for (int query = 0; query < QUERIES; query++) {
                        assertThat(client.say(QUERY).readHead()).startsWith("HTTP/1.1 200 ");
                        client.read(2);
                    }
                    least = Math.min(least, (threads.getTotalThreadAllocatedBytes() - before) / QUERIES);
                }
                System.out.printf("GatewayAllocationTest: %d bytes for a query%n", least);
                assertThat(least).isBetween(BYTES_OF_A_QUERY / 8, BYTES_OF_A_QUERY);
            }
        } finally {
            fixture.close();
        }
    }
}
