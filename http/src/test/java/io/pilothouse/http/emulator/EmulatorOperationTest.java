package io.pilothouse.http.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Tree;
import io.pilothouse.http.json.JsonReader;
import io.pilothouse.http.wire.Verb;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A request of the controls as the command that asks for it. */
class EmulatorOperationTest {
    private static Optional<List<String>> command(Verb verb, String path, String body) {
        Tree.Members read = JsonReader.readObject(body.getBytes(StandardCharsets.UTF_8), new Faults());
        return EmulatorOperation.command(verb, EmulatorOperation.ROOT + path, read);
    }

    private static void says(Verb verb, String path, String body, String... words) {
        assertThat(command(verb, path, body)).as("%s %s %s", verb, path, body).contains(List.of(words));
    }

    private static void saysNothing(Verb verb, String path, String body) {
        assertThat(command(verb, path, body)).as("%s %s %s", verb, path, body).isEmpty();
    }

    @Test
    void everyCommandIsTheOneOfTheRequestThatItBecomes() throws CommandLine.Misread {
        for (EmulatorOperation operation : EmulatorOperation.values()) {
            for (CommandLine line : operation.lines()) {
                List<String> typed = line.arguments().stream()
                        .map(argument -> switch (argument.type()) {
                            case PATH, TEXT -> "some-name";
                            case NUMBER -> "2.5";
                            case SECONDS -> "90s";
                            case FILE -> "FILE";
                        })
                        .toList();
                CommandLine.Asked asked = line.asked(operation.path(), typed);
                List<String> words = EmulatorOperation.command(operation.verb(), asked.path(), asked.body())
                        .orElseThrow();
                assertThat(words.getFirst()).isEqualTo(line.word());
                assertThat(words.subList(1, words.size())).isEqualTo(typed);
            }
        }
    }

    @Test
    void theClockHasACommandForEachChange() {
        says(Verb.PUT, "/clock", "{\"rate\": 0}", "clock-stop");
        says(Verb.PUT, "/clock", "{\"rate\": 60}", "clock-run", "60");
        says(Verb.PUT, "/clock", "{\"forwardSeconds\": 3600}", "clock-forward", "3600s");
        saysNothing(Verb.PUT, "/clock", "{\"forwardSeconds\": 0.5}");
        saysNothing(Verb.PUT, "/clock", "{\"forwardSeconds\": 1e12}");
        saysNothing(Verb.PUT, "/clock", "{\"forwardSeconds\": -60}");
        saysNothing(Verb.PUT, "/clock", "{\"rate\": 0, \"forwardSeconds\": 60}");
        saysNothing(Verb.PUT, "/clock", "{}");
    }

    @Test
    void whatMayBeLeftOutIsLeftOutFromTheEndOnly() {
        says(Verb.POST, "/snapshots/a/fork", "{}", "snapshot-fork", "a");
        says(Verb.POST, "/snapshots/a/fork", "{\"name\": \"It\"}", "snapshot-fork", "a", "It");
        saysNothing(Verb.POST, "/snapshots/a/fork", "{\"organizationId\": \"4711\"}");
    }

    @Test
    void whatNoCommandSaysHasNone() {
        saysNothing(Verb.POST, "/snapshots/a%20b", "{}");
        saysNothing(Verb.POST, "/organizations", "{\"name\": \"--data\"}");
        saysNothing(Verb.POST, "/organizations", "{\"unknown\": 1}");
        saysNothing(Verb.GET, "/openapi.json", "{}");
        saysNothing(Verb.GET, "/nothing", "{}");
        assertThat(EmulatorOperation.command(Verb.DELETE, "/v1/organizations", Tree.Members.NONE))
                .isEmpty();
    }
}
