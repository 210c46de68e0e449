package com.example.visits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pilothouse.junit.Pilothouse;
import io.pilothouse.junit.PilothouseOrganization;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Applies the module of this project, with the tofu or terraform of the path. */
@Pilothouse
class TerraformTest {
    private static final Path MODULE = Path.of("..", "terraform", "main.tf");

    @TempDir
    private Path folder;

    @Test
    void moduleIsAppliedIsThenUpToDateAndLeavesNothing(PilothouseOrganization organization)
            throws IOException, InterruptedException {
        Optional<Path> program = program();
        assumeTrue(program.isPresent(), "There is no tofu or terraform on the path.");
        Path terraform = program.get();
        Files.copy(MODULE, folder.resolve("main.tf"));
        // Who names providers of this machine in a file of settings needs none of the registry.
        if (System.getenv("TF_CLI_CONFIG_FILE") == null) {
            must(organization, terraform, "init", "-input=false");
        }
        try (Services services = new Services(organization.url(), organization.authorization())) {
            must(organization, terraform, "apply", "-auto-approve", "-input=false");
            assertTrue(services.list().contains("\"name\":\"Visits\""));
            assertEquals(
                    0,
                    run(organization, terraform, List.of("plan", "-detailed-exitcode", "-input=false"))
                            .code(),
                    "a plan after the apply has nothing to do");
            must(organization, terraform, "destroy", "-auto-approve", "-input=false");
            assertFalse(services.list().contains("\"name\""));
        }
    }

    private static Optional<Path> program() {
        return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(System.getenv().getOrDefault("PATH", ""))
                .flatMap(entry -> Stream.of(Path.of(entry, "tofu"), Path.of(entry, "terraform")))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private record Ended(int code, String printed) {}

    private void must(PilothouseOrganization organization, Path terraform, String... arguments)
            throws IOException, InterruptedException {
        Ended run = run(organization, terraform, List.of(arguments));
        assertEquals(0, run.code(), run.printed());
    }

    private Ended run(PilothouseOrganization organization, Path terraform, List<String> arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(terraform.toString()));
        command.addAll(arguments);
        command.add("-no-color");
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().putAll(organization.environment());
        builder.environment().put("CHECKPOINT_DISABLE", "1");
        Process process = builder.start();
        String printed = new String(process.getInputStream().readAllBytes());
        return new Ended(process.waitFor(), printed);
    }
}
