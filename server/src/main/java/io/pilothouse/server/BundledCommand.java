package io.pilothouse.server;

import io.pilothouse.plane.local.bundled.BundledInstall;
import io.pilothouse.plane.local.bundled.BundledPackage;
import io.pilothouse.server.config.Config;
import io.pilothouse.server.config.ConfigSources;
import io.pilothouse.server.config.LocalPlaneOptions;
import io.pilothouse.server.config.OptionList;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The command about the bundled ClickHouse: it can be fetched before the first service needs it. */
final class BundledCommand {
    private static final String NAME = "engine";

    private final Map<String, String> environment;
    private final List<String> npm;
    private final PrintStream out;
    private final PrintStream err;

    BundledCommand(Map<String, String> environment, List<String> npm, PrintStream out, PrintStream err) {
        this.environment = environment;
        this.npm = List.copyOf(npm);
        this.out = out;
        this.err = err;
    }

    int run(List<String> arguments) {
        if (arguments.contains("--help") || arguments.contains("-h")) {
            out.print(OptionList.of(NAME));
            return Main.FINE;
        }
        if (arguments.isEmpty() || !arguments.getFirst().equals("install")) {
            err.println("engine takes one word, install: ./pilothouse engine install.");
            return Main.MISUSED;
        }
        ConfigSources.Outcome outcome = ConfigSources.read(NAME, arguments.subList(1, arguments.size()), environment);
        if (!outcome.misuses().isEmpty() || !outcome.mistakes().isEmpty()) {
            outcome.misuses().forEach(sentence -> err.println(sentence + "."));
            outcome.mistakes().forEach(sentence -> err.println(sentence + "."));
            return outcome.misuses().isEmpty() ? Main.REFUSED : Main.MISUSED;
        }
        try {
            return install(outcome.config());
        } catch (StartRefused e) {
            err.println(e.sentence());
            return Main.REFUSED;
        }
    }

    private int install(Config config) throws StartRefused {
        Optional<BundledPackage> wanted = PlaneChoice.offered();
        if (wanted.isEmpty()) {
            err.println("There is no bundled ClickHouse for this kind of machine: install ClickHouse, and name it with "
                    + LocalPlaneOptions.ENGINE.flag() + ".");
            return Main.REFUSED;
        }
        return switch (new PlaneChoice(environment, npm).install(config, wanted.get(), out::println)) {
            case BundledInstall.Outcome.Installed(Path library) -> {
                out.println("ClickHouse is at " + Home.shown(library) + ".");
                yield Main.FINE;
            }
            case BundledInstall.Outcome.Failed(String reason) -> {
                err.println(reason);
                yield Main.REFUSED;
            }
        };
    }
}
