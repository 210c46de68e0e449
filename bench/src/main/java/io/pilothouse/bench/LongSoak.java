package io.pilothouse.bench;

import io.pilothouse.testkit.soak.Soak;
import io.pilothouse.testkit.soak.SoakPorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Half an hour of the built program with real databases under clients and kills. Arguments: {@code minutes=N},
 * {@code seed=N}, and flags of the program.
 */
final class LongSoak {
    private static final long MINUTES = 30;
    private static final SoakPorts PORTS = new SoakPorts(22_500);

    private LongSoak() {}

    static void run(Machine machine, List<String> arguments) throws IOException, InterruptedException {
        long seed = given(arguments, "seed=").orElseGet(System::nanoTime);
        long minutes = given(arguments, "minutes=").orElse(MINUTES);
        // Stays after a failure, to be looked into.
        Path folder = Files.createTempDirectory("pilothouse-soak");
        System.out.println("./pilothouse bench soak seed=" + seed + " minutes=" + minutes + ", in " + folder);
        List<String> command = new ArrayList<>(List.of(machine.java().toString()));
        command.addAll(machine.flags(true));
        command.addAll(
                List.of("-Dorg.sqlite.tmpdir=" + folder, "-jar", machine.jar().toString()));
        List<String> flags =
                arguments.stream().filter(argument -> argument.startsWith("--")).toList();
        Soak.Outcome outcome = Soak.run(
                new Soak.Place(command, flags, folder, PORTS), seed, Soak.Plan.lasting(Duration.ofMinutes(minutes)));
        System.out.println(outcome);
        if (!outcome.errors().isEmpty()) {
            throw new AssertionError("It logged bugs, see " + folder);
        }
        Machine.remove(folder);
    }

    private static Optional<Long> given(List<String> arguments, String name) {
        return arguments.stream()
                .filter(argument -> argument.startsWith(name))
                .findFirst()
                .map(argument -> Long.valueOf(argument.substring(name.length())));
    }
}
