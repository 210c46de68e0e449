package io.pilothouse.server;

import io.pilothouse.incoming.tls.TlsAuthority;
import io.pilothouse.server.config.Config;
import io.pilothouse.server.config.ConfigSources;
import io.pilothouse.server.config.OptionList;
import io.pilothouse.server.config.Options;
import io.pilothouse.server.config.StartOptions;
import io.pilothouse.server.ready.OpenOffer;
import io.pilothouse.server.ready.ReadyFile;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;

/** The command that starts the control plane and stays until it is stopped. */
public final class Up {
    private static final Logger LOG = System.getLogger(Up.class.getName());
    private static final List<String> ACCESS = List.of("organization_id", "key_id", "key_secret", "token");

    private final Map<String, String> environment;
    private final PrintStream out;
    private final PrintStream err;
    private final Function<Map<String, String>, Surroundings> surroundings;

    Up(Map<String, String> environment, PrintStream out, PrintStream err) {
        this(environment, out, err, Surroundings::ofProcess);
    }

    /** The same in other surroundings. */
    Up(
            Map<String, String> environment,
            PrintStream out,
            PrintStream err,
            Function<Map<String, String>, Surroundings> surroundings) {
        this.environment = environment;
        this.out = out;
        this.err = err;
        this.surroundings = surroundings;
    }

    /**
     * Starts the control plane inside another program, such as a run of tests, with the arguments of the command. It
     * runs until it is closed; a ready file says how to reach it. Why it does not start is the message of what is
     * thrown.
     */
    public static Closeable start(List<String> arguments, Map<String, String> environment) throws IOException {
        ConfigSources.Outcome outcome = ConfigSources.read("up", arguments, environment);
        List<String> refusals = Stream.concat(outcome.misuses().stream(), outcome.mistakes().stream())
                .map(Up::asSentence)
                .toList();
        if (!refusals.isEmpty()) {
            throw new IOException(String.join(" ", refusals));
        }
        try {
            Running running = open(outcome.config(), Surroundings.ofProcess(environment));
            return () -> close(running, outcome.config());
        } catch (StartRefused e) {
            throw new IOException(asSentence(e.sentence()), e);
        }
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
            stay(open(outcome.config(), surroundings.apply(environment)), outcome.config(), began);
            return Main.FINE;
        } catch (StartRefused e) {
            complain(e.sentence());
            return Main.REFUSED;
        }
    }

    private void complain(String sentence) {
        err.println(asSentence(sentence));
    }

    private static String asSentence(String text) {
        return text.endsWith(".") ? text : text + ".";
    }

    private static Running open(Config config, Surroundings surroundings) throws StartRefused {
        Optional<ReadyFile> ready = config.find(StartOptions.READY_FILE).map(ReadyFile::new);
        if (ready.isPresent()) {
            try {
                ready.get().requireRoom();
            } catch (IOException e) {
                throw new StartRefused(ready.get().cannotBeWritten(e), e);
            }
        }
        Running running = Wiring.open(config, surroundings);
        if (ready.isPresent()) {
            try {
                ready.get().write(access(running, config));
            } catch (IOException e) {
                running.close();
                throw new StartRefused(ready.get().cannotBeWritten(e), e);
            }
        }
        return running;
    }

    /** What a program needs to reach this one; without a key once its owner has put the file with the first one away. */
    private static SequencedMap<String, String> access(Running running, Config config) {
        SequencedMap<String, String> texts = new LinkedHashMap<>();
        texts.put("base_url", running.urls().base());
        texts.put("alerts_url", running.urls().alerts());
        texts.put("query_url", running.urls().query());
        texts.put("admin_url", running.urls().admin());
        running.urls().console().ifPresent(url -> texts.put("console_url", url + "/"));
        Path data = config.get(Options.DATA);
        CredentialsFile first = new CredentialsFile(data.resolve(Home.CREDENTIALS));
        for (String name : ACCESS) {
            first.find(name).ifPresent(text -> texts.put(name, text));
        }
        Path authority = Home.authorityIn(data).resolve(TlsAuthority.CERTIFICATE_FILE);
        if (Files.exists(authority)) {
            texts.put("ca_file", authority.toString());
        }
        texts.put("plane", running.plane());
        texts.put("version", Version.ofProgram());
        return texts;
    }

    private static void close(Running running, Config config) {
        config.find(StartOptions.READY_FILE).map(ReadyFile::new).ifPresent(ReadyFile::remove);
        running.close();
    }

    private void stay(Running running, Config config, long began) {
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name("stop").unstarted(() -> {
            LOG.log(Level.INFO, "Stopping: requests that run are given ten seconds to end");
            close(running, config);
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
        if (config.get(StartOptions.UNTIL_INPUT_ENDS)) {
            stayUntilInputEnds();
            System.exit(Main.FINE);
        }
        running.urls()
                .console()
                .ifPresent(url -> OpenOffer.here(environment, out).ifPresent(offer -> offer.make(url + "/")));
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void stayUntilInputEnds() {
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            LOG.log(Level.WARNING, "Standard input cannot be read, which counts as its end", e);
        }
    }
}
