package io.pilothouse.core.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.service.Service.Pin;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** When a service that was tried on another version counts as running on it. */
class ServicePinTest {
    private static final Instant NOW = PlanScene.WISHED;

    private final Service none =
            PlanScene.of(Wish.RUN, Condition.RUNNING, Condition.RUNNING).ran().service();

    @Test
    void onlyOneThatIsTriedAndIsStillToRunWhereItWasSeenSettles() {
        Pin tried = Pin.on("26.5.3", NOW).to("26.7.3", NOW);
        Service service = none.withPin(tried);
        assertThat(service.settledAs(service).want().pin()).isEqualTo(Pin.on("26.7.3", NOW));
        assertThat(service.settledAs(none)).as("another one was seen").isSameAs(service);

        Service settled = none.withPin(tried.settled());
        assertThat(settled.settledAs(settled)).isSameAs(settled);
        assertThat(none.settledAs(none)).isSameAs(none);
    }
}
