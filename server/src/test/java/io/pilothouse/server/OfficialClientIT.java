package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * ClickHouse's own client works here as people use it, unmodified: docs/cli.md shows every command, and is made by this
 * run. One that is new there is one line.
 */
class OfficialClientIT {
    private static final Path PAGE = Clone.root().resolve("docs").resolve("cli.md");
    private static final Path MADE = Path.of("target", "cli.md");
    private static final String[] FLAGS = {"--rules", "cloud", "--quota-services", "20"};
    private static final Pattern ASSIGNMENT = Pattern.compile("([A-Z]+)=\\$\\(.*\\)");
    private static final Pattern SERVICE = Pattern.compile("\"dataWarehouseId\":\"([^\"]+)\"");
    private static final Pattern MOVING =
            Pattern.compile("\"(?:state|status)\":\"(?:provisioning|starting|stopping|awaking"
                    + "|terminating|in_progress|Provisioning|Setup|Snapshot|Pausing|Stopping|Modifying|Resync)\"");

    @TempDir
    Path folder;

    private final Map<String, String> variables = new HashMap<>();
    private CliPage page;
    private OfficialClient client;

    @BeforeEach
    void open() throws IOException, InterruptedException {
        client = OfficialClient.in(folder);
        page = new CliPage(Files.readString(PAGE));
        for (Map.Entry<String, String> file : page.files().entrySet()) {
            Files.writeString(folder.resolve(file.getKey()), file.getValue());
        }
    }

    @Test
    void thePageShowsWhatEveryCommandPrints() throws IOException, InterruptedException, StartRefused {
        try (TestProgram program = TestProgram.start(folder.resolve(".pilothouse"), FLAGS)) {
            String made = page.filledBy(command -> run(program, command).printed());
            Files.createDirectories(MADE.toAbsolutePath().getParent());
            Files.writeString(MADE, made);
            assertThat(made.equals(Files.readString(PAGE)))
                    .as(
                            "docs/cli.md is out of date: cp server/target/cli.md docs/cli.md, and read what the difference shows")
                    .isTrue();
            requireNoFailure(program);
        }
    }

    @Test
    void everyCommandEndsTheSameWithRealDatabases() throws IOException, InterruptedException, StartRefused {
        try (TestProgram program = new LocalProgram().start(folder.resolve(".pilothouse"), FLAGS)) {
            page.filledBy(command -> {
                // The bundled ClickHouse does not speak it.
                boolean refused = page.refused(command) || command.contains("--enable-endpoint mysql");
                ToolRun run = run(program, command);
                assertThat(run.code() != 0).as(command + "\n" + run.printed()).isEqualTo(refused);
                return run.printed();
            });
            requireNoFailure(program);
        }
    }

    @Test
    void everyCommandIsShownOrSaidToBeMissing() throws IOException, InterruptedException {
        assertThat(page.uncovered(client.commands())).isEmpty();
    }

    private ToolRun run(TestProgram program, String command) throws IOException, InterruptedException {
        Matcher assignment = ASSIGNMENT.matcher(command);
        if (assignment.matches()) {
            String lines = page.start() + command + "\nprintf '%s' \"$" + assignment.group(1) + "\"";
            ToolRun run = client.shell(lines, variables);
            assertThat(run.output()).as(command + "\n" + run.errors()).isNotEmpty();
            variables.put(assignment.group(1), run.output());
            settle(program);
            return new ToolRun(run.code(), "", "");
        }
        ToolRun run = client.shell("exec 2>&1\n" + page.start() + command, variables);
        settle(program);
        return run;
    }

    /** Waits until what was asked for is so: people wait before they go on, too. */
    private static void settle(TestProgram program) throws IOException, InterruptedException {
        String services = program.organizationUrl() + "/services";
        String body = program.await(services, OfficialClientIT::rests);
        for (String id :
                SERVICE.matcher(body).results().map(found -> found.group(1)).toList()) {
            for (String part : List.of("clickpipes", "clickpipesReversePrivateEndpoints", "backups")) {
                program.await(services + "/" + id + "/" + part, OfficialClientIT::rests);
            }
        }
    }

    private static boolean rests(String body) {
        return !MOVING.matcher(body).find();
    }

    private static void requireNoFailure(TestProgram program) throws IOException, InterruptedException {
        String metrics =
                program.get(program.running().urls().admin() + "/metrics").body();
        assertThat(metrics).contains("pilothouse_requests_total").doesNotContain("status=\"5");
    }
}
