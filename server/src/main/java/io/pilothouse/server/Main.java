package io.pilothouse.server;

import io.pilothouse.incoming.tls.TlsAuthority;
import io.pilothouse.server.config.Options;
import io.pilothouse.server.log.Escaped;
import io.pilothouse.server.log.JulToLogs;
import io.pilothouse.server.verify.AdminClient;
import io.pilothouse.server.verify.Verification;
import io.pilothouse.server.verify.VerifyRefused;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Map;

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

    private int verify(List<String> arguments) {
        Verbs.Work work = (service, config) -> {
            Path authority = Home.authorityIn(config.get(Options.DATA)).resolve(TlsAuthority.CERTIFICATE_FILE);
            try {
                Verification.ask(AdminClient.of(config, authority), service, out);
            } catch (VerifyRefused refused) {
                throw new StartRefused(refused.sentence(), refused);
            }
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
