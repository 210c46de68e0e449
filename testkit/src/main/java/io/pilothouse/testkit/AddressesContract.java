package io.pilothouse.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.RowIds;
import io.pilothouse.core.service.Addresses;
import io.pilothouse.core.service.Endpoint;
import io.pilothouse.core.service.Service;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The contract of every plane's addresses: each leads to one service and to no other. */
public abstract class AddressesContract {
    private static final UUID ORGANIZATION = UUID.fromString("0f2d9c1e-6c3b-4b43-9a53-6d6f6a1d7f11");
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final int MADE_AT_ONCE = 2_000;

    protected abstract Addresses addresses();

    /** This service with all that it needs to have addresses. */
    protected abstract Service placed(Service wanted);

    private record Address(String host, int port) {}

    @Test
    void noTwoLivingServicesShareAnAddress() {
        Map<Address, UUID> owners = new HashMap<>();
        for (int i = 0; i < MADE_AT_ONCE; i++) {
            Service wanted = ServiceSample.wanted(RowIds.at(NOW), ORGANIZATION, NOW);
            Service service = placed(ServiceSample.withMysql(wanted, true));
            assertThat(addresses().of(service)).isNotEmpty();
            for (Endpoint endpoint : addresses().of(service)) {
                UUID other = owners.put(new Address(endpoint.host(), endpoint.port()), service.id());
                assertThat(other).as("who else is at %s", endpoint).isNull();
            }
        }
    }
}
