package io.pilothouse.plane.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.injection.Injection;
import io.pilothouse.core.injection.Injections;
import io.pilothouse.core.injection.ServiceTrouble;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.Wish;
import io.pilothouse.testkit.FakePlane;
import io.pilothouse.testkit.ServiceSample;
import io.pilothouse.testkit.SimTime;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class InjectedPlaneTest {
    private final SimTime time = new SimTime();
    private final FakePlane behind = new FakePlane(time, Duration.ofSeconds(1), Duration.ofSeconds(1));
    private final Injections injections = new Injections(1);
    private final InjectedPlane plane = new InjectedPlane(behind, injections);
    private final Service service = ServiceSample.wanted(
            UUID.fromString("01234567-89ab-cdef-0123-456789abcdef"), UUID.randomUUID(), time.now());

    private void set(ServiceTrouble trouble) {
        injections.begin(
                1,
                List.of(new Injection(
                        "one", new Injection.Scope(List.of(), null, null, null), trouble, Injection.Frequency.ALWAYS)));
    }

    private Service wishing(Wish wish) {
        return service.withWish(wish, time.now());
    }

    @Test
    void withNoFaultItIsThePlaneBehindIt() throws PlaneFault {
        assertThat(plane.observe(service)).isEqualTo(behind.observe(service));
        plane.start(service);
        assertThat(plane.observe(service).condition()).isEqualTo(Condition.STARTING);
        assertThat(plane.name()).isEqualTo(behind.name());
        assertThat(plane.offers()).isEqualTo(behind.offers());
        assertThat(plane.database()).isEqualTo(behind.database());
    }

    @Test
    void serviceThatIsHeldIsNotStartedBehindItAndBeginsOnceItIsLetGo() throws PlaneFault {
        set(ServiceTrouble.PROVISIONING);
        assertThat(plane.observe(service).condition()).isEqualTo(Condition.STARTING);
        plane.start(service);
        assertThat(behind.observe(service).condition()).isEqualTo(Condition.ABSENT);
        injections.remove("one");
        assertThat(plane.observe(service).condition()).isEqualTo(Condition.ABSENT);
        plane.start(service);
        assertThat(behind.observe(service).condition()).isEqualTo(Condition.STARTING);
    }

    @Test
    void serviceThatFailedIsStoppedAndErasedForAllThat() throws PlaneFault {
        plane.start(service);
        time.advance(Duration.ofSeconds(2));
        assertThat(plane.observe(service).condition()).isEqualTo(Condition.RUNNING);
        set(ServiceTrouble.FAILED);
        assertThat(plane.observe(service).condition()).isEqualTo(Condition.LOST);
        assertThat(plane.observe(wishing(Wish.STOP)).condition()).isEqualTo(Condition.RUNNING);
        plane.stop(service);
        assertThat(plane.observe(wishing(Wish.SLEEP)).condition()).isEqualTo(Condition.STOPPING);
        plane.erase(service);
        time.advance(Duration.ofSeconds(2));
        assertThat(plane.observe(wishing(Wish.DELETE)).condition()).isEqualTo(Condition.ABSENT);
    }
}
