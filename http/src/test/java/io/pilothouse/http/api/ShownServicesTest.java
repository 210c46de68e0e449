package io.pilothouse.http.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Tag;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.scaling.Scaling;
import io.pilothouse.core.secret.PasswordHashes;
import io.pilothouse.core.service.Access;
import io.pilothouse.core.service.BackupConfiguration;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.Encryption;
import io.pilothouse.core.service.Endpoint;
import io.pilothouse.core.service.Seen;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceFields;
import io.pilothouse.core.service.ServiceView;
import io.pilothouse.core.service.Wish;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.wire.Shown;
import io.pilothouse.testkit.ServiceSample;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ShownServicesTest {
    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");

    private final ShownServices shown = new ShownServices();
    private final Service service = ServiceSample.wanted(UUID.randomUUID(), UUID.randomUUID(), NOW);

    private static ServiceView view(Service service) {
        return new ServiceView(service, List.of(new Endpoint("https", "127.0.0.1", 20_000, "default")), List.of());
    }

    @Test
    void anEqualViewIsWrittenOnce() {
        assertThat(shown.of(view(service)).json())
                .isSameAs(shown.of(view(service)).json());
    }

    @Test
    void aServiceThatDiffersIsWrittenAgain() {
        ServiceView before = view(service);
        ServiceView after = view(service.withWish(Wish.STOP, NOW.plusSeconds(1)));
        ServiceView reached = new ServiceView(service, before.endpoints(), List.of("vpce-1"));
        for (ServiceView view : List.of(before, after, reached, before)) {
            assertThat(shown.of(view).entityTag())
                    .isEqualTo(Shown.of(view, ServiceJson::write).entityTag());
            assertThat(shown.of(view).json()).isEqualTo(JsonWriter.document(out -> ServiceJson.write(out, view)));
        }
    }

    private String tag(Service one) {
        return shown.of(view(one)).entityTag();
    }

    private static Seen seen(Condition condition, boolean everRan, @Nullable String version) {
        return new Seen(condition, everRan, version, null, NOW);
    }

    @Test
    void hiddenFieldsDoNotMoveTheTag() {
        Stream<Service> unseen = Stream.of(
                service.withPassword(new PasswordHashes("cc", "dd")),
                service.withBackups(new BackupConfiguration(24, 48, "2:00")),
                service.withSeen(new Seen(Condition.STARTING, false, null, null, NOW.plusSeconds(1))),
                service.withWish(Wish.RUN, NOW.plusSeconds(1)));
        assertThat(unseen.map(this::tag)).containsOnly(tag(service));
    }

    @Test
    void shownFieldsMoveTheTag() {
        Encryption encryption = service.details().encryption();
        Stream<Service> visible = Stream.of(
                service.withDetails(
                        new Service.Details("New", encryption, "default", List.of(), ServiceFields.DEFAULTS)),
                service.withDetails(
                        new Service.Details(service.name(), encryption, "fast", List.of(), ServiceFields.DEFAULTS)),
                service.withDetails(new Service.Details(
                        service.name(), encryption, "default", List.of(new Tag("k", null)), ServiceFields.DEFAULTS)),
                service.withDetails(new Service.Details(
                        service.name(),
                        encryption,
                        "default",
                        List.of(),
                        ServiceFields.DEFAULTS.with("enableCoreDumps", new Tree.Flag(true)))),
                service.withAccess(new Access(List.of(), List.of(), true)),
                service.withScaling(new Scaling(8, 16, 3, null, true, 15)),
                service.withWish(Wish.STOP, NOW),
                service.withSeen(service.seen().withTrouble("It hangs")),
                service.withSeen(service.seen().withTrouble("It still hangs")),
                service.withSeen(seen(Condition.RUNNING, true, "25.8")),
                service.withSeen(seen(Condition.RUNNING, true, "25.9")));
        assertThat(visible.map(this::tag)).doesNotHaveDuplicates().doesNotContain(tag(service));
        List<Endpoint> endpoints = view(service).endpoints();
        assertThat(shown.of(new ServiceView(service, endpoints, List.of("vpce-1")))
                        .entityTag())
                .isNotEqualTo(tag(service));
        assertThat(shown.of(new ServiceView(service, List.of(), List.of())).entityTag())
                .isNotEqualTo(tag(service));
    }
}
