package io.pilothouse.console.screen;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.http.wire.Verb;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a form sends for what was typed. */
class FormBodyTest {
    private static final Form FORM = Form.of("change", "Change", Verb.PATCH, "/v1", Input.removable("At", "startTime"));

    @Test
    void whatIsEmptiedIsTakenAwayAndWhatWasNotShownStays() {
        assertThat(FormBody.of(FORM, Map.of("startTime", ""))).isEqualTo("{\"startTime\":null}");
        assertThat(FormBody.of(FORM, Map.of("startTime", "02:00"))).isEqualTo("{\"startTime\":\"02:00\"}");
        assertThat(FormBody.of(FORM, Map.of())).isEqualTo("{}");
    }
}
