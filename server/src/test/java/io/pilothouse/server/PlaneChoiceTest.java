package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The outcome of a start on a machine that has no ClickHouse, no npm and nothing in its cache. */
class PlaneChoiceTest {
    private static final List<String> NO_NPM = List.of("/no/such/npm");

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private Map<String, String> environment = Map.of();

    @BeforeEach
    void emptyMachine() {
        environment = Map.of(
                "PATH", folder.resolve("bin").toString(),
                "HOME", folder.toString(),
                "XDG_CACHE_HOME", folder.resolve("cache").toString());
    }

    private TestProgram start(String... flags) throws StartRefused {
        Surroundings surroundings = new Surroundings(
                Instant::now, new SecureRandom(), new PlaneChoice(environment, NO_NPM), log, request -> {});
        return TestProgram.startAsGiven(folder.resolve("data"), surroundings, log, flags);
    }

    @Test
    void servicesAreSimulatedAndEveryPlaceSaysSo() throws IOException, InterruptedException, StartRefused {
        String sentence = "There is no npm on this machine (/no/such/npm cannot be started), so the bundled ClickHouse"
                + " cannot be fetched. Services are only simulated: there is no database behind them.";
        try (TestProgram program = start()) {
            assertThat(program.running().welcome()).contains("No ClickHouse was found", sentence);
            assertThat(program.get(program.running().urls().admin() + "/readyz").body())
                    .contains("\"plane\":\"simulated\"");
            HttpResponse<String> created = program.createService("{}");
            assertThat(created.headers().firstValue("X-Pilothouse-Plane")).contains("simulated");
        }
        assertThat(log.toString(StandardCharsets.UTF_8)).contains("level=warning", sentence);
    }

    @Test
    void aStartThatNeedsRealDatabasesIsRefused() {
        assertThatThrownBy(() -> start("--plane", "local"))
                .isInstanceOf(StartRefused.class)
                .hasMessageStartingWith(
                        "No ClickHouse was found and the bundled ClickHouse is not installed. There is no npm");
        assertThatThrownBy(() -> start("--engine", folder.resolve("clickhouse").toString()))
                .isInstanceOf(StartRefused.class)
                .hasMessage("There is no ClickHouse program at " + folder.resolve("clickhouse")
                        + ", which was configured.");
    }

    @Test
    void databasesThatAreThereAreNotSimulatedUnlessThatIsAskedFor() throws IOException, StartRefused {
        Files.createDirectories(
                folder.resolve("data/services").resolve(UUID.randomUUID().toString()));
        assertThatThrownBy(this::start)
                .isInstanceOf(StartRefused.class)
                .hasMessageContaining("There are databases in the data folder");
        start("--plane", "simulated").close();
    }

    private int engine(String... arguments) {
        return new BundledCommand(
                        environment,
                        NO_NPM,
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run(List.of(arguments));
    }

    @Test
    void engineThatCannotBeFetchedIsASentence() {
        assertThat(engine("install")).isEqualTo(Main.REFUSED);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualTo("There is no npm on this machine (/no/such/npm cannot be started), so the bundled ClickHouse"
                        + " cannot be fetched.\n");
    }

    @Test
    void engineThatIsThereIsNotFetchedAgain() throws IOException {
        String version = PlaneChoice.offered().orElseThrow().version();
        Path cache = Files.createDirectories(folder.resolve("elsewhere/engine-" + version));
        Path library = Files.createFile(cache.resolve("libchdb.so"));
        assertThat(engine(
                        "install", "--engine-cache", folder.resolve("elsewhere").toString()))
                .isEqualTo(Main.FINE);
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("ClickHouse is at " + library + ".\n");
    }

    @Test
    void engineCommandExplainsItselfAndItsMisuse() {
        assertThat(engine("--help")).isEqualTo(Main.FINE);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("--engine-cache")
                .doesNotContain("--listen");
        assertThat(engine()).isEqualTo(Main.MISUSED);
        assertThat(engine("remove")).isEqualTo(Main.MISUSED);
        assertThat(engine("install", "--listen", "127.0.0.1:0")).isEqualTo(Main.MISUSED);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("engine takes one word, install", "--listen is no option of engine.");
        environment = Map.of("PILOTHOUSE_RULES", "none");
        assertThat(engine("install")).isEqualTo(Main.REFUSED);
    }
}
