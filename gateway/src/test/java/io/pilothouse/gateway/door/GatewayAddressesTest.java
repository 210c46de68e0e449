package io.pilothouse.gateway.door;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.service.Addresses;
import io.pilothouse.core.service.DataPlane.Database;
import io.pilothouse.core.service.Endpoint;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServicePorts;
import io.pilothouse.core.service.Wish;
import io.pilothouse.gateway.GatewayProtocol;
import io.pilothouse.gateway.name.SharedPorts;
import io.pilothouse.testkit.AddressesContract;
import io.pilothouse.testkit.ServiceSample;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class GatewayAddressesTest extends AddressesContract {
    private final GatewayAddresses addresses = new GatewayAddresses("db.example.org", Optional.empty());
    private final Service bare = ServiceSample.wanted(UUID.randomUUID(), UUID.randomUUID(), Instant.EPOCH);
    private final Service service = bare.withAccess(bare.access().withPorts(new ServicePorts(20_000, 20_001, 20_002)));

    private int nextPort = 20_000;

    @Override
    protected Addresses addresses() {
        return addresses;
    }

    @Override
    protected Service placed(Service wanted) {
        ServicePorts reserved = new ServicePorts(nextPort, nextPort + 1, nextPort + 2);
        nextPort += 3;
        return wanted.withAccess(wanted.access().withPorts(reserved));
    }

    @Test
    void endpointsAreThePortsOfTheRow() {
        List<Endpoint> endpoints = List.of(
                new Endpoint("https", "db.example.org", 20_000, "default"),
                new Endpoint("nativesecure", "db.example.org", 20_001, "default"));
        assertThat(addresses.of(service)).isEqualTo(endpoints);
        assertThat(addresses.of(service.withWish(Wish.STOP, Instant.EPOCH))).isEqualTo(endpoints);
        assertThat(addresses.of(service.withWish(Wish.DELETE, Instant.EPOCH))).isEqualTo(endpoints);
        assertThat(addresses.of(ServiceSample.withMysql(service, true)))
                .hasSize(3)
                .startsWith(endpoints.toArray(Endpoint[]::new))
                .endsWith(new Endpoint("mysql", "db.example.org", 20_002, "default"));
    }

    @Test
    void underADomainServicesShareTwoPortsByNameAndKeepTheirOwnForMysql() {
        GatewayAddresses named =
                new GatewayAddresses("db.example.org", Optional.of(new SharedPorts("s.example.org", 8443, 9440)));
        Service known = ServiceSample.withMysql(
                ServiceSample.wanted(
                        UUID.fromString("01234567-89ab-7000-8000-000000000001"), UUID.randomUUID(), Instant.EPOCH),
                true);
        Service placed = known.withAccess(known.access().withPorts(new ServicePorts(20_000, 20_001, 20_002)));
        String host = "8000000000000001.s.example.org";
        assertThat(named.host(placed)).isEqualTo(host);
        assertThat(named.of(placed))
                .containsExactlyInAnyOrder(
                        new Endpoint("https", host, 8443, "default"),
                        new Endpoint("nativesecure", host, 9440, "default"),
                        new Endpoint("mysql", host, 20_002, "default"));
        assertThat(named.ports(placed.access())).isEqualTo(Map.of(GatewayProtocol.MYSQL, 20_002));
        assertThat(named.of(known)).hasSize(2);
    }

    @Test
    void onlyWhatTheDatabaseSpeaksIsShown() {
        Service mute = service.withSeen(service.seen().withDatabase(new Database("26.7", List.of("https"))));
        assertThat(addresses.of(ServiceSample.withMysql(mute, true)))
                .containsExactly(new Endpoint("https", "db.example.org", 20_000, "default"));
    }

    @Test
    void serviceThatWaitsForPortsHasAHostAndNoEndpoints() {
        assertThat(addresses.of(bare)).isEmpty();
        assertThat(addresses.host(bare)).isEqualTo("db.example.org");
    }
}
