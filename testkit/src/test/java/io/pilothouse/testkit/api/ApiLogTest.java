package io.pilothouse.testkit.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A log without a line for a request, with two, or with a secret is found. */
final class ApiLogTest {
    private final ApiLog log = new ApiLog();
    private final ApiSecrets secrets = new ApiSecrets();
    private final UUID id = UUID.randomUUID();

    private void line(String rest) throws IOException {
        String line = "{\"event\": \"request\", \"request_id\": \"" + id + "\"" + rest + "}\n";
        log.write(line.getBytes(StandardCharsets.UTF_8));
    }

    private List<String> faults() {
        return log.faults(Set.of(id), secrets);
    }

    @Test
    void oneWholeLineForEachRequestIsGood() throws IOException {
        line(", \"status\": 200, \"duration_ms\": 0.5");
        log.write("{\"event\": \"other\"}\n".getBytes(StandardCharsets.UTF_8));
        assertThat(faults()).isEmpty();
    }

    @Test
    void aRequestWithoutALineIsFoundAndSoIsOneWithTwo() throws IOException {
        assertThat(faults()).hasSize(1);
        line(", \"status\": 200, \"duration_ms\": 0.5");
        line(", \"status\": 200, \"duration_ms\": 0.5");
        assertThat(faults()).hasSize(1);
    }

    @Test
    void aLineWithoutAStatusOrADurationIsFound() throws IOException {
        line(", \"status\": 200");
        assertThat(faults()).hasSize(1);
    }

    @Test
    void aSecretIsFoundWhereverItStands() throws IOException {
        secrets.learn("password", "correct horse");
        line(", \"status\": 200, \"duration_ms\": 0.5, \"more\": \"xcorrect horsex\"");
        assertThat(faults()).containsExactly("the log shows a password");
    }
}
