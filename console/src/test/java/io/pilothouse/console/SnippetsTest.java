package io.pilothouse.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.service.Endpoint;
import org.junit.jupiter.api.Test;

/** Lines to paste say what they should, whatever is written into them. */
class SnippetsTest {
    @Test
    void aHostAndAUserAreTextsOfPythonAndJavaWhateverTheyHold() {
        Endpoint odd = new Endpoint("https", "a\"b", 8443, "c\\d\n");
        assertThat(Snippets.python(odd)).contains("host=\"a\\\"b\", port=8443, username=\"c\\\\d\\n\"");
        assertThat(Snippets.jdbc(odd))
                .contains("\"jdbc:clickhouse:https://a\\\"b:8443/default?ssl=true\", \"c\\\\d\\n\", \"...\"");
    }
}
