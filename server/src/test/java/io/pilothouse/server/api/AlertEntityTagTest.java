package io.pilothouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.api.ApiAnswer;
import io.pilothouse.testkit.api.ApiCaller;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every thing of the alerts interface has an entity tag too. */
class AlertEntityTagTest {
    @RegisterExtension
    static final House house = House.start();

    private final Tenant tenant = house.tenant();
    private final ApiCaller caller = tenant.alerts();

    @ParameterizedTest
    @ValueSource(strings = {AlertExamples.ALERTS, AlertExamples.WEBHOOKS, AlertExamples.DASHBOARDS})
    void aClientWithTheNewestVersionGetsNoBody(String things) {
        String path = path(things);
        String tag = caller.get(path).need("etag");
        ApiAnswer known = caller.with("If-None-Match", tag).get(path);
        assertThat(known.status()).isEqualTo(304);
        assertThat(known.text()).isEmpty();
        assertThat(known.need("etag")).isEqualTo(tag);
        assertThat(caller.with("If-None-Match", "\"other\"").get(path).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {AlertExamples.ALERTS, AlertExamples.WEBHOOKS, AlertExamples.DASHBOARDS})
    void aWriteAppliesToTheVersionThatWasReadOnly(String things) {
        String path = path(things);
        String read = caller.get(path).need("etag");
        ApiCaller late = caller.with("If-Match", read);
        String written = late.put(path, body(things, "First")).need("etag");
        assertThat(written).isNotEqualTo(read).isEqualTo(caller.get(path).need("etag"));
        assertThat(late.put(path, body(things, "Second")).message(412)).contains("changed since it was read");
        assertThat(late.delete(path).message(412)).contains("changed since it was read");
        assertThat(caller.get(path).data().path("name").asString()).isEqualTo("First");
        assertThat(caller.with("If-Match", written).delete(path).status()).isEqualTo(200);
    }

    private String path(String things) {
        String id =
                caller.post(things, body(things, "Before")).data().path("id").asString();
        return things + "/" + id;
    }

    private static String body(String things, String name) {
        return switch (things) {
            case AlertExamples.ALERTS -> AlertExamples.ALERT.replace("Too many", name);
            case AlertExamples.DASHBOARDS -> AlertExamples.DASHBOARD.replace("Mine", name);
            default -> "{'name': '%s', 'service': 'generic', 'url': 'https://hooks.example.com/'}".formatted(name);
        };
    }
}
