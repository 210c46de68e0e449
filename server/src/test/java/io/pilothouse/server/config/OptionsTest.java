package io.pilothouse.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Edition;
import io.pilothouse.core.base.RuleBook;
import io.pilothouse.http.emulator.EmulatorOperation;
import io.pilothouse.server.config.ConfigSources.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class OptionsTest {
    @TempDir
    private Path folder;

    @Test
    void everyOptionHasExactlyOneSample() {
        assertThat(OptionSample.ALL.stream().map(OptionSample::option).toList()).containsExactlyElementsOf(Options.ALL);
    }

    @Test
    void theEmulatorsHelpNamesEachOfItsControls() {
        assertThat(Arrays.stream(EmulatorOperation.values())
                        .map(operation -> Path.of(operation.path()).getName(1).toString())
                        .filter(control -> !control.equals("openapi.json")))
                .contains("clock", "snapshots")
                .allSatisfy(control -> assertThat(Options.EMULATOR.help()).contains(control));
    }

    @Test
    void keysFlagsAndVariablesAreUnlikeEachOther() {
        assertThat(Options.ALL).extracting(Option::key).doesNotHaveDuplicates();
        assertThat(Options.ALL).extracting(Option::variable).doesNotHaveDuplicates();
        assertThat(Options.ALL).allSatisfy(option -> {
            assertThat(option.key()).matches("[a-z]+(-[a-z]+)*");
            assertThat(option.help()).isNotBlank();
        });
    }

    @Test
    void firstStartVariablesHaveTheNamesThatAutomationUses() {
        assertThat(Options.BOOTSTRAP_KEY_ID.variable()).isEqualTo("PILOTHOUSE_BOOTSTRAP_KEY_ID");
        assertThat(Options.BOOTSTRAP_KEY_SECRET.variable()).isEqualTo("PILOTHOUSE_BOOTSTRAP_KEY_SECRET");
        assertThat(Options.BOOTSTRAP_ALERTS_TOKEN.variable()).isEqualTo("PILOTHOUSE_BOOTSTRAP_ALERTS_TOKEN");
        assertThat(Options.BOOTSTRAP_ORGANIZATION_ID.variable()).isEqualTo("PILOTHOUSE_BOOTSTRAP_ORGANIZATION_ID");
    }

    @Test
    void everyProviderOfTheRulesHasARegionOption() {
        for (Edition edition : Edition.values()) {
            assertThat(RuleBook.of(edition).regionsByProvider().keySet()).isEqualTo(Options.DEFAULT_REGIONS.keySet());
        }
    }

    @ParameterizedTest
    @FieldSource("io.pilothouse.server.config.OptionSample#ALL")
    void hasItsDefault(OptionSample sample) {
        Outcome outcome = ConfigSources.read("up", List.of(), Map.of());
        assertThat(outcome.mistakes()).isEmpty();
        assertThat(valueOf(outcome, sample.option())).isEqualTo(sample.fallback());
    }

    @ParameterizedTest
    @FieldSource("io.pilothouse.server.config.OptionSample#ALL")
    void isTakenAsAFlagUnlessFlagsWouldShowIt(OptionSample sample) throws IOException {
        Option<?> option = sample.option();
        Outcome outcome = ConfigSources.read(command(sample.option()), flag(sample, sample.good()), Map.of());
        if (option.kind() == Option.Kind.UNATTENDED || option.kind() == Option.Kind.SECRET) {
            assertThat(outcome.misuses())
                    .singleElement()
                    .asString()
                    .contains(option.flag(), option.variable())
                    .doesNotContain(sample.good());
            assertThat(valueOf(outcome, option)).isNull();
        } else {
            assertThat(outcome.misuses()).isEmpty();
            assertThat(otherMistakes(outcome)).isEmpty();
            assertThat(valueOf(outcome, option)).isEqualTo(sample.value());
        }
    }

    @ParameterizedTest
    @FieldSource("io.pilothouse.server.config.OptionSample#ALL")
    void isTakenFromTheEnvironment(OptionSample sample) {
        Outcome outcome = ConfigSources.read("up", List.of(), variables(sample, sample.good()));
        assertThat(otherMistakes(outcome)).isEmpty();
        assertThat(valueOf(outcome, sample.option())).isEqualTo(sample.value());
    }

    @ParameterizedTest
    @FieldSource("io.pilothouse.server.config.OptionSample#ALL")
    void isTakenFromTheFileUnlessItNamesTheFile(OptionSample sample) throws IOException {
        Option<?> option = sample.option();
        Outcome outcome = read(lines(sample, sample.good()));
        if (option.kind() == Option.Kind.FINDS_FILE) {
            assertThat(outcome.mistakes()).singleElement().asString().contains("line 1", option.key());
        } else {
            assertThat(outcome.mistakes()).isEmpty();
            assertThat(valueOf(outcome, option)).isEqualTo(sample.value());
        }
    }

    @ParameterizedTest
    @FieldSource("io.pilothouse.server.config.OptionSample#ALL")
    void aBadValueNamesItsSourceAndWhatItMustBe(OptionSample sample) throws IOException {
        Option<?> option = sample.option();
        List<Outcome> outcomes = new ArrayList<>();
        List<String> sources = new ArrayList<>();
        if (option.isFlag()) {
            outcomes.add(ConfigSources.read(command(sample.option()), flag(sample, sample.bad()), Map.of()));
            sources.add(option.flag());
        }
        outcomes.add(ConfigSources.read("up", List.of(), variables(sample, sample.bad())));
        sources.add(option.variable());
        if (option.isInFile()) {
            outcomes.add(read(lines(sample, sample.bad())));
            sources.add("line 1: " + option.key());
        }
        for (int at = 0; at < outcomes.size(); at++) {
            assertThat(outcomes.get(at).misuses()).isEmpty();
            assertThat(outcomes.get(at).mistakes())
                    .singleElement()
                    .asString()
                    .contains(sources.get(at), "must be", sample.requirement());
            if (option.isSecret()) {
                assertThat(outcomes.get(at).mistakes()).noneMatch(mistake -> mistake.contains(sample.bad()));
            }
        }
    }

    @ParameterizedTest
    @FieldSource("io.pilothouse.server.config.OptionSample#ALL")
    void helpNamesIt(OptionSample sample) {
        Option<?> option = sample.option();
        assertThat(OptionList.of(command(option)).lines())
                .anyMatch(line -> line.contains(option.isFlag() ? option.flag() : option.variable())
                        && line.contains(option.help()));
    }

    /** A command that takes the option. */
    private static String command(Option<?> option) {
        return option.commands().contains("up")
                ? "up"
                : option.commands().iterator().next();
    }

    private static List<String> flag(OptionSample sample, String text) {
        return List.of(sample.option().flag() + "=" + text);
    }

    private static Map<String, String> variables(OptionSample sample, String text) {
        Map<String, String> variables = new HashMap<>();
        partner(sample).forEach((option, value) -> variables.put(option.variable(), value));
        variables.put(sample.option().variable(), text);
        return variables;
    }

    private static List<String> lines(OptionSample sample, String text) {
        List<String> lines = new ArrayList<>();
        lines.add(sample.option().key() + " = " + text);
        partner(sample).forEach((option, value) -> lines.add(option.key() + " = " + value));
        return lines;
    }

    /** A key's id and its secret are given together. */
    private static Map<Option<?>, String> partner(OptionSample sample) {
        if (sample.option().equals(Options.BOOTSTRAP_KEY_ID)) {
            return Map.of(Options.BOOTSTRAP_KEY_SECRET, "p".repeat(48));
        }
        return sample.option().equals(Options.BOOTSTRAP_KEY_SECRET)
                ? Map.of(Options.BOOTSTRAP_KEY_ID, "p".repeat(20))
                : Map.of();
    }

    private Outcome read(List<String> lines) throws IOException {
        Path file = folder.resolve("pilothouse.conf");
        Files.write(file, lines);
        return ConfigSources.read("up", List.of("--config", file.toString()), Map.of());
    }

    /** The sample of the option that names a file names one that is not there. */
    private static List<String> otherMistakes(Outcome outcome) {
        return outcome.mistakes().stream()
                .filter(mistake -> !mistake.equals("The config file pilothouse.conf does not exist"))
                .toList();
    }

    private static @Nullable Object valueOf(Outcome outcome, Option<?> option) {
        return outcome.config().find(option).orElse(null);
    }
}
