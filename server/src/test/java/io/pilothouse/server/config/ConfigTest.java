package io.pilothouse.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.server.config.ConfigSources.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigTest {
    @TempDir
    private Path folder;

    private static Outcome flags(String... arguments) {
        return ConfigSources.read("up", List.of(arguments), Map.of());
    }

    private static Outcome variables(Map<String, String> environment) {
        return ConfigSources.read("up", List.of(), environment);
    }

    private String file(String... lines) throws IOException {
        return Files.write(folder.resolve("pilothouse.conf"), List.of(lines)).toString();
    }

    @Test
    void flagsWinOverVariablesAndVariablesOverTheFile() throws IOException {
        String file = file("listen = 127.0.0.1:1", "alerts-listen = 127.0.0.1:1", "admin-listen = 127.0.0.1:1");
        Outcome outcome = ConfigSources.read(
                "up",
                List.of("--listen", "127.0.0.1:3"),
                Map.of(
                        "PILOTHOUSE_CONFIG", file,
                        "PILOTHOUSE_LISTEN", "127.0.0.1:2",
                        "PILOTHOUSE_ALERTS_LISTEN", "127.0.0.1:2"));
        assertThat(outcome.mistakes()).isEmpty();
        assertThat(outcome.config().get(Options.LISTEN).port()).isEqualTo(3);
        assertThat(outcome.config().get(Options.ALERTS_LISTEN).port()).isEqualTo(2);
        assertThat(outcome.config().get(Options.ADMIN_LISTEN).port()).isEqualTo(1);
    }

    @Test
    void aValueThatLosesIsNotReadAtAll() throws IOException {
        String file = file("listen = nonsense");
        assertThat(flags("--config", file, "--listen", "127.0.0.1:3").mistakes())
                .isEmpty();
    }

    @Test
    void everyMistakeIsReportedAtOnce() throws IOException {
        String file = file("colour = red", "rules = blue");
        Outcome outcome = ConfigSources.read(
                "up",
                List.of("--config", file, "--log-level", "loud", "--what"),
                Map.of("PILOTHOUSE_PLANES", "two", "PILOTHOUSE_DEFAULT_PROVIDER", "ibm"));
        assertThat(outcome.misuses()).containsExactly("--what is no option of up");
        assertThat(outcome.mistakes())
                .containsExactly(
                        "The environment variable PILOTHOUSE_PLANES is no setting",
                        file + " line 1: colour is no setting",
                        file + " line 2: rules \"blue\" must be one of seed, cloud",
                        "PILOTHOUSE_DEFAULT_PROVIDER \"ibm\" must be one of aws, gcp, azure",
                        "--log-level \"loud\" must be one of error, warning, info, debug");
    }

    @Test
    void flagsTakeTheirValueAfterABlankOrAnEqualsSign() {
        assertThat(flags("--data", "a b").config().get(Options.DATA)).isEqualTo(Path.of("a b"));
        assertThat(flags("--data=a=b").config().get(Options.DATA)).isEqualTo(Path.of("a=b"));
    }

    @Test
    void aSwitchNeedsNoValueAndMayHaveOne() {
        assertThat(flags("--insecure-listen").config().get(Options.INSECURE_LISTEN))
                .isTrue();
        assertThat(flags("--insecure-listen=false").config().get(Options.INSECURE_LISTEN))
                .isFalse();
        assertThat(flags("--insecure-listen", "--data", "x").config().get(Options.DATA))
                .isEqualTo(Path.of("x"));
    }

    @Test
    void aFlagWithoutItsValueIsAMisuse() {
        assertThat(flags("--data").misuses()).containsExactly("--data needs a value: --data DIR");
        assertThat(flags("--data", "--listen", "127.0.0.1:1").misuses())
                .containsExactly("--data needs a value: --data DIR");
    }

    @Test
    void aFlagGivenTwiceIsAMisuse() {
        assertThat(flags("--data", "a", "--data=b").misuses()).containsExactly("--data is given twice");
    }

    @Test
    void wordsThatAreNoFlagsAreMisuses() {
        assertThat(flags("now", "-d").misuses()).containsExactly("now is no option of up", "-d is no option of up");
    }

    @Test
    void theValueOfAnUnknownFlagIsNoSecondMistakeAndIsNotRepeated() {
        assertThat(flags("--bootstrap-key-secrt", "hush", "--data", "x").misuses())
                .containsExactly("--bootstrap-key-secrt is no option of up");
        assertThat(flags("--bootstrap-key-secret", "hush", "--data", "x").misuses())
                .singleElement()
                .asString()
                .doesNotContain("hush");
        assertThat(flags("--bootstrap-key-secret=hush", "--data", "x").misuses())
                .singleElement()
                .asString()
                .doesNotContain("hush");
    }

    @Test
    void variablesOfOthersAndOfTheScriptAreLeftAlone() {
        assertThat(variables(Map.of(
                                "PATH", "/bin",
                                "PILOTHOUSE", "x",
                                "PILOTHOUSE_JAVA_HOME", "/jdk",
                                "PILOTHOUSE_JAVA_OPTS", "-Xmx1g"))
                        .mistakes())
                .isEmpty();
    }

    @Test
    void anEmptyVariableCountsAsNotGiven() {
        Outcome outcome = variables(Map.of("PILOTHOUSE_LISTEN", ""));
        assertThat(outcome.mistakes()).isEmpty();
        assertThat(outcome.config().get(Options.LISTEN).port()).isEqualTo(8080);
    }

    @Test
    void theFileHasCommentsBlankLinesAndRoomAroundTheEqualsSign() throws IOException {
        String file = file("# where", "", "  listen=127.0.0.1:7  ", "data   =   a b # c");
        Config config = flags("--config", file).config();
        assertThat(config.get(Options.LISTEN).port()).isEqualTo(7);
        assertThat(config.get(Options.DATA)).isEqualTo(Path.of("a b # c"));
    }

    @Test
    void aLineThatIsNoSettingIsNamedByItsNumber() throws IOException {
        String file = file("# fine", "data", "= x", "data = a", "data = b");
        assertThat(flags("--config", file).mistakes())
                .containsExactly(
                        file + " line 2 is not of the form key = value",
                        file + " line 3 is not of the form key = value",
                        file + " line 5: data is given twice");
    }

    @Test
    void aFileThatCannotBeReadIsAMistake() throws IOException {
        Path missing = folder.resolve("none");
        Path binary = Files.write(folder.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe});
        assertThat(flags("--config", missing.toString()).mistakes())
                .containsExactly("The config file " + missing + " does not exist");
        assertThat(flags("--config", binary.toString()).mistakes())
                .containsExactly("The config file " + binary + " is not UTF-8 text");
        assertThat(flags("--config", folder.toString()).mistakes())
                .containsExactly("The config file " + folder + " cannot be read");
    }

    @Test
    void textFromOutsideCannotMoveTheCursorOfATerminal() {
        String hostile = "--\u001b[2J\u202e" + "x".repeat(300);
        assertThat(flags(hostile).misuses())
                .singleElement()
                .asString()
                .contains("\\u001b[2J\\u202e")
                .contains("...")
                .hasSizeLessThan(250);
    }

    @Test
    void listeningWhereOthersCanReachNeedsAWordOfConsent() {
        for (Option<HostPort> option : List.of(
                Options.LISTEN,
                Options.CONSOLE_LISTEN,
                Options.ALERTS_LISTEN,
                Options.QUERY_LISTEN,
                Options.ADMIN_LISTEN)) {
            for (String open : List.of("0.0.0.0:0", "[::]:0", "192.0.2.1:80")) {
                assertThat(flags(option.flag(), open).mistakes())
                        .singleElement()
                        .asString()
                        .startsWith(option.flag() + " \"" + open + "\" would send secrets without TLS")
                        .contains("--insecure-listen");
                assertThat(flags(option.flag(), open, "--insecure-listen").mistakes())
                        .isEmpty();
            }
            assertThat(flags(option.flag(), "[::1]:0").mistakes()).isEmpty();
            assertThat(flags(option.flag(), "127.3.2.1:0").mistakes()).isEmpty();
        }
    }

    @Test
    void anUnknownHostIsAMistake() {
        assertThat(flags("--listen", "no-such-host.invalid:80").mistakes())
                .containsExactly("--listen \"no-such-host.invalid:80\" names a host that cannot be looked up");
    }

    @Test
    void aDefaultRegionMustBelongToTheEditionThatIsChosen() {
        assertThat(flags("--default-region-aws", "ca-central-1").mistakes())
                .containsExactly("--default-region-aws \"ca-central-1\" is not a region of the seed rules");
        Outcome cloud = flags("--default-region-aws", "ca-central-1", "--rules", "cloud", "--default-provider", "gcp");
        assertThat(cloud.mistakes()).isEmpty();
        assertThat(cloud.config().serviceDefaults().provider()).isEqualTo("gcp");
        assertThat(cloud.config().serviceDefaults().regionByProvider())
                .containsEntry("aws", "ca-central-1")
                .containsEntry("gcp", "us-central1")
                .containsEntry("azure", "eastus2");
    }

    @Test
    void halfAFirstKeyIsAMistake() {
        assertThat(variables(Map.of("PILOTHOUSE_BOOTSTRAP_KEY_ID", "a".repeat(20)))
                        .mistakes())
                .singleElement()
                .asString()
                .startsWith("PILOTHOUSE_BOOTSTRAP_KEY_SECRET is missing");
        assertThat(variables(Map.of("PILOTHOUSE_BOOTSTRAP_KEY_SECRET", "a".repeat(48)))
                        .mistakes())
                .singleElement()
                .asString()
                .startsWith("PILOTHOUSE_BOOTSTRAP_KEY_ID is missing");
    }

    @Test
    void nothingShowsTheSecretsOfAConfiguration() {
        String secret = "topsecret".repeat(6).substring(0, 48);
        Config config = variables(Map.of(
                        "PILOTHOUSE_BOOTSTRAP_KEY_ID", "a".repeat(20), "PILOTHOUSE_BOOTSTRAP_KEY_SECRET", secret))
                .config();
        assertThat(config.toString()).contains("bootstrap-key-secret").doesNotContain(secret);
        assertThat(new Config.SourcedText(secret, "here").toString()).doesNotContain(secret);
    }

    @Test
    void askingForWhatHasNoDefaultIsABug() {
        Config config = flags().config();
        assertThatThrownBy(() -> config.get(Options.CONFIG)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void filesAreUtf8() throws IOException {
        Path file = Files.write(folder.resolve("f"), "data = dätä".getBytes(StandardCharsets.UTF_8));
        assertThat(flags("--config", file.toString()).config().get(Options.DATA))
                .isEqualTo(Path.of("dätä"));
    }
}
