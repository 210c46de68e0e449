package io.pilothouse.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.service.Endpoint;
import org.junit.jupiter.api.Test;

/** Lines to paste say what they should, whatever is written into them. */
class SnippetsTest {
    @Test
    void aHostAndAUserAreTextsOfPythonWhateverTheyHold() {
        assertThat(Snippets.python(new Endpoint("https", "a\"b", 8443, "c\\d\n")))
                .contains("host=\"a\\\"b\", port=8443, username=\"c\\\\d\\n\"");
    }
}
