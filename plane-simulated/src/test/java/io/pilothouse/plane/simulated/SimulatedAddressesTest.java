package io.pilothouse.plane.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.service.Addresses;
import io.pilothouse.core.service.Endpoint;
import io.pilothouse.core.service.Service;
import io.pilothouse.testkit.AddressesContract;
import io.pilothouse.testkit.ServiceSample;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SimulatedAddressesTest extends AddressesContract {
    private static final String HOST = "8000000000000001.us-east-1.aws.services.pilothouse.internal";

    private final Service sample = ServiceSample.wanted(
            UUID.fromString("01234567-89ab-7000-8000-000000000001"), UUID.randomUUID(), Instant.EPOCH);
    private final SimulatedAddresses addresses = new SimulatedAddresses(Optional.empty());

    @Override
    protected Addresses addresses() {
        return addresses;
    }

    @Override
    protected Service placed(Service wanted) {
        return wanted;
    }

    @Test
    void underADomainOfOnesOwnTheHostIsOneLabelWhichAWildcardCovers() {
        SimulatedAddresses named = new SimulatedAddresses(Optional.of("db.example.com"));
        assertThat(named.host(sample)).isEqualTo("8000000000000001.db.example.com");
        assertThat(named.of(sample))
                .first()
                .isEqualTo(new Endpoint("https", "8000000000000001.db.example.com", 8443, "default"));
    }

    @Test
    void hostIsDerivedFromTheServiceAndItsPlacement() {
        assertThat(addresses.host(sample)).isEqualTo(HOST);
        assertThat(addresses.of(sample))
                .containsExactly(
                        new Endpoint("https", HOST, 8443, "default"),
                        new Endpoint("nativesecure", HOST, 9440, "default"));
        assertThat(addresses.of(ServiceSample.withMysql(sample, true)))
                .last()
                .isEqualTo(new Endpoint("mysql", HOST, 3306, "default"));
    }
}
