package io.pilothouse.server;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Tree;
import io.pilothouse.http.emulator.CommandLine;
import io.pilothouse.http.emulator.EmulatorOperation;
import io.pilothouse.http.json.JsonReader;
import io.pilothouse.incoming.tls.TlsAuthority;
import io.pilothouse.server.certify.CertifyCommand;
import io.pilothouse.server.certify.Place;
import io.pilothouse.server.client.CommandRefused;
import io.pilothouse.server.client.OwnServer;
import io.pilothouse.server.config.CertifyOptions;
import io.pilothouse.server.config.Config;
import io.pilothouse.server.config.ConfigSources;
import io.pilothouse.server.config.Options;
import io.pilothouse.server.emulator.EmulatorClient;
import io.pilothouse.server.log.Escaped;
import io.pilothouse.server.log.JulToLogs;
import io.pilothouse.server.verify.AdminClient;
import io.pilothouse.server.verify.HostCommands;
import io.pilothouse.server.verify.Verification;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The program: a few commands, each of which says how the process ends. */
public final class Main {
    static final int FINE = 0;
    static final int REFUSED = 1;
    static final int MISUSED = 2;

    private final Map<String, String> environment;
    private final PrintStream out;
    private final PrintStream err;

    /** Runs a command with the arguments after its name. */
    @FunctionalInterface
    interface Command {
        int run(List<String> arguments);
    }

    Main(Map<String, String> environment, PrintStream out, PrintStream err) {
        this.environment = environment;
        this.out = out;
        this.err = err;
    }

    /** Runs the command that is named first. */
    public static void main(String[] arguments) {
        System.setProperty(JulToLogs.PROPERTY, JulToLogs.class.getName());
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> System.getLogger(Main.class.getName())
                .log(Level.ERROR, "The thread " + thread.getName() + " ended", thrown));
        System.exit(new Main(System.getenv(), System.out, System.err).run(List.of(arguments)));
    }

    /** The commands by name; {@code commands.txt} has a line for each. */
    Map<String, Command> commands() {
        return Map.of(
                "up",
                new Up(environment, out, err)::run,
                Options.KEYS_COMMAND,
                new KeysCommand(environment, Instant::now, new SecureRandom(), out, err)::run,
                Options.STORE_COMMAND,
                new StoreCommand(environment, Instant::now, new SecureRandom(), out, err)::run,
                Options.VERIFY_COMMAND,
                this::verify,
                Options.HOSTS_COMMAND,
                hosts()::run,
                Options.EMULATOR_COMMAND,
                emulator()::run,
                CertifyOptions.COMMAND,
                this::certify,
                "engine",
                new BundledCommand(environment, PlaneChoice.NPM, out, err)::run,
                "help",
                _ -> help(),
                "version",
                _ -> version());
    }

    int run(List<String> arguments) {
        String name = arguments.isEmpty() ? "help" : arguments.getFirst();
        Command command = commands().get(name.startsWith("--") ? name.substring(2) : name);
        if (command == null) {
            err.println(Escaped.text(name) + " is no command: ./pilothouse help lists them.");
            return MISUSED;
        }
        return command.run(arguments.isEmpty() ? arguments : arguments.subList(1, arguments.size()));
    }

    /** A verb for each command line of each control. */
    private Verbs emulator() {
        List<Verbs.Verb> verbs = new ArrayList<>();
        for (EmulatorOperation operation : EmulatorOperation.values()) {
            for (CommandLine line : operation.lines()) {
                verbs.add(new Verbs.Verb(line.word(), line.shown(), line.purpose(), (typed, config) -> {
                    Path folder = config.get(Options.DATA);
                    Path authority = Home.authorityIn(folder).resolve(TlsAuthority.CERTIFICATE_FILE);
                    EmulatorClient.of(Home.credentialsIn(folder), OwnServer.trusted(config, authority), out)
                            .ask(operation, line, typed);
                }));
            }
        }
        return new Verbs(Options.EMULATOR_COMMAND, verbs, environment, out, err);
    }

    private Verbs hosts() {
        return new Verbs(
                Options.HOSTS_COMMAND,
                List.of(
                        new Verbs.Verb(
                                "list",
                                List.of(),
                                "shows the hosts that share the store of the program that runs",
                                (_, config) -> hosts(config).list()),
                        host("drain", "keeps new services away from a host", HostCommands::drain),
                        host("undrain", "lets a host have new services again", HostCommands::undrain),
                        host(
                                "remove",
                                "takes a host that is gone and has no services out of the list",
                                HostCommands::remove),
                        host(
                                "abandon",
                                "does so with one that will not come back, and gives up the data on it",
                                HostCommands::abandon)),
                environment,
                out,
                err);
    }

    @FunctionalInterface
    private interface HostCommand {
        void run(HostCommands hosts, String host) throws CommandRefused;
    }

    private Verbs.Verb host(String word, String purpose, HostCommand command) {
        return new Verbs.Verb(
                word, List.of("HOST"), purpose, (typed, config) -> command.run(hosts(config), typed.getFirst()));
    }

    private HostCommands hosts(Config config) throws CommandRefused {
        Path authority = Home.authorityIn(config.get(Options.DATA)).resolve(TlsAuthority.CERTIFICATE_FILE);
        return new HostCommands(AdminClient.of(config, authority), out);
    }

    private int verify(List<String> arguments) {
        Verbs.Work work = (service, config) -> {
            Path authority = Home.authorityIn(config.get(Options.DATA)).resolve(TlsAuthority.CERTIFICATE_FILE);
            Verification.ask(AdminClient.of(config, authority), service, out);
        };
        boolean flagged = !arguments.isEmpty() && arguments.getFirst().equals("--service");
        if (flagged && (arguments.size() == 1 || arguments.get(1).startsWith("-"))) {
            err.println("--service is followed by the id of a service.");
            return MISUSED;
        }
        return Verbs.alone(
                        Options.VERIFY_COMMAND,
                        "[--service ID]",
                        "has the program that runs restore the newest backup of each service, or of one, to see whether"
                                + " it can be",
                        work,
                        environment,
                        out,
                        err)
                .run(flagged ? arguments.subList(1, arguments.size()) : arguments);
    }

    private int certify(List<String> arguments) {
        Verbs.Work work = (module, config) ->
                new CertifyCommand(environment, out, this::own, System::nanoTime).run(module.getFirst(), config);
        return Verbs.alone(
                        CertifyOptions.COMMAND,
                        "DIR",
                        "applies, changes, imports and destroys the Terraform module in a folder, and expects an empty"
                                + " plan after each",
                        work,
                        environment,
                        out,
                        err)
                .run(arguments);
    }

    /** This program once more, in this process: simulated, on free ports, and silent but for a file of its own. */
    private Place.Started own(Path folder) throws CommandRefused {
        List<String> flags = new ArrayList<>(
                List.of("--data", folder.toString(), "--emulator", "--plane", "simulated", "--rules", "cloud"));
        flags.addAll(List.of("--simulated-provisioning-time", "50ms"));
        for (String listener : List.of("--listen", "--alerts-listen", "--query-listen", "--admin-listen")) {
            flags.addAll(List.of(listener, "127.0.0.1:0"));
        }
        try {
            OutputStream log = Files.newOutputStream(folder.resolveSibling("pilothouse.log"));
            Surroundings process = Surroundings.ofProcess(environment);
            Surroundings silent =
                    new Surroundings(process.clock(), process.random(), process.plane(), log, process.requests());
            Running running =
                    Wiring.open(ConfigSources.read("up", flags, Map.of()).config(), silent);
            try {
                Tree.Members access =
                        JsonReader.readObject(Files.readAllBytes(folder.resolve("credentials.json")), new Faults());
                return new Own(running, log, place(access));
            } catch (IOException e) {
                running.close();
                throw e;
            }
        } catch (IOException e) {
            throw new CommandRefused("A Pilothouse to certify against cannot be started: " + e.getMessage() + ".", e);
        }
    }

    private static Place place(Tree.Members access) {
        return new Place(
                access.text("base_url").orElseThrow(),
                access.text("organization_id").orElseThrow(),
                access.text("key_id").orElseThrow(),
                access.text("key_secret").orElseThrow(),
                Optional.of(new Place.Alerts(
                        access.text("alerts_url").orElseThrow(),
                        access.text("token").orElseThrow())),
                true);
    }

    private record Own(Running running, OutputStream log, Place place) implements Place.Started {
        @Override
        public void close() {
            running.close();
            try {
                log.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private int help() {
        try (InputStream commands = Main.class.getResourceAsStream("commands.txt")) {
            if (commands == null) {
                throw new IllegalStateException("The program lacks its list of commands");
            }
            out.print(new String(commands.readAllBytes(), StandardCharsets.UTF_8));
            return FINE;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int version() {
        out.println("pilothouse " + Version.ofProgram());
        return FINE;
    }
}
