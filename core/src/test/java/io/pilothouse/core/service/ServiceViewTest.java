package io.pilothouse.core.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Tag;
import io.pilothouse.core.secret.PasswordHashes;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tag of a service moves with what is shown of it and stays with everything else. */
class ServiceViewTest {
    private static final List<String> OFFERED = List.of("vpce-1");
    private static final List<Endpoint> ENDPOINTS = List.of(new Endpoint("https", "host", 8443, "default"));
    private final Service service = Given.service();
    private final String tag = tag(service);

    private static String tag(Service service) {
        return new ServiceView(service, ENDPOINTS, OFFERED).entityTag();
    }

    private static Seen seen(Condition condition, boolean everRan, String version) {
        return new Seen(condition, everRan, version, null, Given.NOON);
    }

    @Test
    void whatClientsDoNotSeeLeavesTheTag() {
        assertThat(tag).matches("[0-9a-f]{32}");
        Stream<Service> unseen = Stream.of(
                service.withPassword(new PasswordHashes("cc", "dd")),
                service.withBackups(new BackupConfiguration(24, 48, "2:00")),
                service.withSeen(new Seen(Condition.STARTING, false, null, null, Given.NOON.plusSeconds(1))),
                service.withWish(Wish.RUN, Given.NOON.plusSeconds(1)));
        assertThat(unseen.map(ServiceViewTest::tag)).containsOnly(tag);
    }

    @Test
    void whatClientsSeeMovesTheTag() {
        Access access = service.access();
        Encryption encryption = service.encryption();
        Stream<Service> seen = Stream.of(
                service.withDetails("New", access, encryption, "default", List.of(), false),
                service.withDetails(service.name(), access, encryption, "fast", List.of(), false),
                service.withDetails(service.name(), access, encryption, "default", List.of(new Tag("k", null)), false),
                service.withDetails(service.name(), access, encryption, "default", List.of(), true),
                service.withAccess(new Access(List.of(), List.of(), true)),
                service.withScaling(new Scaling(8, 16, 3, null, true, 15)),
                service.withWish(Wish.STOP, Given.NOON),
                service.withSeen(service.seen().withTrouble("It hangs")),
                service.withSeen(service.seen().withTrouble("It still hangs")),
                service.withSeen(seen(Condition.RUNNING, true, "25.8")),
                service.withSeen(seen(Condition.RUNNING, true, "25.9")));
        assertThat(seen.map(ServiceViewTest::tag)).doesNotHaveDuplicates().doesNotContain(tag);
        assertThat(new ServiceView(service, ENDPOINTS, List.of()).entityTag()).isNotEqualTo(tag);
        assertThat(new ServiceView(service, List.of(), OFFERED).entityTag()).isNotEqualTo(tag);
    }
}
