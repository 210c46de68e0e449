package io.pilothouse.server.ready;

import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Offers somebody at a terminal to open the console in a browser. Who does not press Enter within a minute is left
 * alone. Nothing is read while the program is in the background, where a terminal stops a program that reads from it.
 */
public final class OpenOffer {
    private static final Logger LOG = System.getLogger(OpenOffer.class.getName());
    private static final Duration LASTS = Duration.ofMinutes(1);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final List<String> DISPLAYS = List.of("DISPLAY", "WAYLAND_DISPLAY");
    private static final File NOTHING = new File("/dev/null");

    private final InputStream in;
    private final PrintStream out;
    private final BooleanSupplier inFront;
    private final Consumer<String> opener;

    OpenOffer(InputStream in, PrintStream out, BooleanSupplier inFront, Consumer<String> opener) {
        this.in = in;
        this.out = out;
        this.inFront = inFront;
        this.opener = opener;
    }

    /** Empty where nobody sits at a terminal, or no browser could show anything there. */
    public static Optional<OpenOffer> here(Map<String, String> environment, PrintStream out) {
        return Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .flatMap(_ -> command(environment))
                .map(command ->
                        new OpenOffer(System.in, out, OpenOffer::isInForeground, address -> open(command, address)));
    }

    /** What opens an address in the browser of this desktop. */
    static Optional<Path> command(Map<String, String> environment) {
        boolean desktop = DISPLAYS.stream()
                .anyMatch(name -> !environment.getOrDefault(name, "").isEmpty());
        Optional<Path> ofMac = program(environment, "open").filter(_ -> Files.isDirectory(Path.of("/System/Library")));
        return ofMac.isPresent() || !desktop ? ofMac : program(environment, "xdg-open");
    }

    private static Optional<Path> program(Map<String, String> environment, String name) {
        return List.of(environment.getOrDefault("PATH", "").split(File.pathSeparator, -1)).stream()
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Asks, and waits for an answer beside what the program does. */
    public void make(String address) {
        out.println("Press Enter to open " + address + " in a browser.\n");
        Thread.ofPlatform().daemon().name("open-offer").start(() -> {
            try {
                await(address, LASTS);
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "The terminal cannot be read", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** Whether somebody pressed Enter in that time. */
    boolean await(String address, Duration patience) throws IOException, InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (System.nanoTime() < end) {
            if (in.available() > 0) {
                // In the background what is typed is for another program.
                if (!inFront.getAsBoolean()) {
                    return false;
                }
                in.skipNBytes(in.available());
                opener.accept(address);
                return true;
            }
            TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
        }
        return false;
    }

    private static boolean isInForeground() {
        try {
            Process ps = new ProcessBuilder(
                            "ps",
                            "-o",
                            "stat=",
                            "-p",
                            Long.toString(ProcessHandle.current().pid()))
                    .redirectInput(NOTHING)
                    .redirectError(Redirect.DISCARD)
                    .start();
            return new String(ps.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).contains("+");
        } catch (IOException noSuchProgram) {
            LOG.log(Level.DEBUG, "Whether this is in the foreground is not known", noSuchProgram);
            return false;
        }
    }

    private static void open(Path command, String address) {
        try {
            new ProcessBuilder(command.toString(), address)
                    .redirectInput(NOTHING)
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            LOG.log(Level.WARNING, "The browser cannot be opened", e);
        }
    }
}
