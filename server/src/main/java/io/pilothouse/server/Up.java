package io.pilothouse.server;

import io.pilothouse.server.config.ConfigSources;
import io.pilothouse.server.config.OptionList;
import java.io.PrintStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The command that starts the control plane and stays until it is stopped. */
final class Up {
    private static final Logger LOG = System.getLogger(Up.class.getName());

    private final Map<String, String> environment;
    private final PrintStream out;
    private final PrintStream err;

    Up(Map<String, String> environment, PrintStream out, PrintStream err) {
        this.environment = environment;
        this.out = out;
        this.err = err;
    }

    /** Returns only if it does not start; a signal ends the process by way of the hook that closes everything. */
    int run(List<String> arguments) {
        long began = System.nanoTime();
        if (arguments.contains("--help") || arguments.contains("-h")) {
            out.print(OptionList.of("up"));
            return Main.FINE;
        }
        ConfigSources.Outcome outcome = ConfigSources.read("up", arguments, environment);
        if (!outcome.misuses().isEmpty() || !outcome.mistakes().isEmpty()) {
            outcome.misuses().forEach(this::complain);
            outcome.mistakes().forEach(this::complain);
            return outcome.misuses().isEmpty() ? Main.REFUSED : Main.MISUSED;
        }
        try {
            stay(Wiring.open(outcome.config(), Surroundings.ofProcess(environment)), began);
            return Main.FINE;
        } catch (StartRefused e) {
            complain(e.sentence());
            return Main.REFUSED;
        }
    }

    private void complain(String sentence) {
        err.println(sentence.endsWith(".") ? sentence : sentence + ".");
    }

    private void stay(Running running, long began) {
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name("stop").unstarted(() -> {
            LOG.log(Level.INFO, "Stopping: requests that run are given ten seconds to end");
            running.close();
            LOG.log(Level.INFO, "Stopped");
        }));
        out.print(running.welcome());
        out.flush();
        LOG.log(
                Level.INFO,
                "Started in {0} ms: management {1}, alerts {2}, admin {3}, plane {4}",
                Long.toString(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began)),
                running.urls().base(),
                running.urls().alerts(),
                running.urls().admin(),
                running.plane());
        running.ignoredVariables()
                .forEach(variable -> LOG.log(
                        Level.WARNING,
                        "{0} names what this store does not have and changes nothing: it only counts for an empty store",
                        variable));
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
