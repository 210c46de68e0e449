package io.pilothouse.core.host;

import static io.pilothouse.core.service.Given.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.service.Given;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.Service.Departure;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostTest {
    private static final UUID ID = new UUID(0, 1);
    private static final Host HOST = new Host(
            new Head(ID, ID, NOON, 1), "alpha", "alpha.lan", new Host.Room(4, 100, 200), NOON, NOON, false, false);

    @ParameterizedTest
    @CsvSource({"99, false", "100, true", "150, true", "200, true", "201, false"})
    void itsServicesMayHaveItsPortsBothEndsIncluded(int port, boolean may) {
        assertThat(HOST.room().mayHave(port)).isEqualTo(may);
    }

    @Test
    void aServiceThatIsLeavingStaysSoAndOneOfAnotherHostIsNot() {
        Departure departure = new Departure(Departure.Stage.CLOSING, NOON, null);
        Service here = Given.service().withHost(HOST.ofService()).withDeparture(departure);
        assertThat(HOST.of(here)).isEqualTo(new Service.Host(ID, "alpha.lan", departure));
        Service elsewhere = here.withHost(new Service.Host(new UUID(0, 2), "beta", departure));
        assertThat(HOST.of(elsewhere)).isEqualTo(HOST.ofService());
    }
}
