package io.pilothouse.server;

import io.pilothouse.core.port.Store;
import io.pilothouse.core.port.StoreUnavailable;
import io.pilothouse.server.config.Config;
import io.pilothouse.server.config.ConfigSources;
import io.pilothouse.server.config.OptionList;
import io.pilothouse.server.config.Options;
import io.pilothouse.store.SqliteStore;
import io.pilothouse.store.StoreMetrics;
import io.pilothouse.store.StoreRefused;
import java.io.PrintStream;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;

/** The command for the keys that stored credentials are sealed under; it works while the program is stopped. */
public final class VaultCommand {
    private final Map<String, String> environment;
    private final PrintStream out;
    private final PrintStream err;

    VaultCommand(Map<String, String> environment, PrintStream out, PrintStream err) {
        this.environment = environment;
        this.out = out;
        this.err = err;
    }

    int run(List<String> arguments) {
        if (arguments.contains("--help") || arguments.contains("-h")) {
            out.println("./pilothouse keys rotate seals every stored credential under a new key.\n");
            out.print(OptionList.of(Options.KEYS_COMMAND));
            return Main.FINE;
        }
        if (arguments.isEmpty() || !arguments.getFirst().equals("rotate")) {
            complain("What shall be done with the keys: ./pilothouse keys rotate?");
            return Main.MISUSED;
        }
        ConfigSources.Outcome outcome =
                ConfigSources.read(Options.KEYS_COMMAND, arguments.subList(1, arguments.size()), environment);
        outcome.misuses().forEach(this::complain);
        outcome.mistakes().forEach(this::complain);
        if (!outcome.misuses().isEmpty()) {
            return Main.MISUSED;
        }
        return outcome.mistakes().isEmpty() ? rotate(outcome.config()) : Main.REFUSED;
    }

    private int rotate(Config config) {
        try {
            Home home = Home.open(config.get(Options.DATA));
            try (Store store = SqliteStore.open(
                    home.path(),
                    Thread.ofPlatform().daemon().name("store-writer").factory(),
                    StoreMetrics.NONE)) {
                int renewed = new VaultFile(home, store, new SecureRandom()).rotate();
                out.println(renewed + (renewed == 1 ? " thing with credentials is" : " things with credentials are")
                        + " sealed under a new key. Back up " + Home.shown(home.vaultKeyFile())
                        + " together with the store: older copies of it open nothing any more.");
            }
            return Main.FINE;
        } catch (StartRefused e) {
            complain(e.sentence());
        } catch (StoreRefused | StoreUnavailable e) {
            complain(String.valueOf(e.getMessage()));
        }
        return Main.REFUSED;
    }

    private void complain(String sentence) {
        err.println(sentence.endsWith(".") || sentence.endsWith("?") ? sentence : sentence + ".");
    }
}
