package io.pilothouse.bench;

import io.pilothouse.bench.PacedLoad.Latencies;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Many services created at once, each with a real database: how long the API takes to answer meanwhile, and how long it
 * is until all run. Requests come at their own pace, so that a stall costs all who ask during it.
 */
final class Crowd {
    private static final int SERVICES = 40;
    private static final int REQUESTS_A_SECOND = 100;
    private static final Duration CALM = Duration.ofSeconds(10);
    private static final Duration CROWDED = Duration.ofSeconds(20);
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final List<String> PORTS = List.of("--gateway-ports=22000-22249", "--engine-ports=22250-22499");
    private static final Pattern RUNS = Pattern.compile("\"state\":\"running\"");

    private Crowd() {}

    /** Flags of the program among the arguments are passed on. */
    static void run(Machine machine, List<String> arguments) throws IOException, InterruptedException {
        List<String> flags = new ArrayList<>(PORTS);
        flags.add("--plane=local");
        arguments.stream().filter(argument -> argument.startsWith("--")).forEach(flags::add);
        Path data = machine.newFolder("crowd").resolve("data");
        try (Program program = Program.start(machine, data, true, flags)) {
            Request list = Request.get(program.services(), program.authorization());
            Request create = Request.create(program.services(), program.authorization());
            say(
                    "at rest",
                    PacedLoad.run(program.management(), _ -> list, REQUESTS_A_SECOND, CALM)
                            .reads());
            long begun = System.nanoTime();
            Latencies crowded = PacedLoad.run(
                    program.management(), number -> number < SERVICES ? create : list, REQUESTS_A_SECOND, CROWDED);
            say("a create, of " + SERVICES + " at once", crowded.writes());
            say("a list, while they start", crowded.reads());
            System.out.println(running(program) + " run after "
                    + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun) + " s");
            while (running(program) < SERVICES) {
                if (System.nanoTime() - begun > PATIENCE.toNanos()) {
                    throw new IOException("Not all of them run");
                }
                TimeUnit.MILLISECONDS.sleep(100);
            }
            System.out.println("all run after " + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun) + " s");
        }
    }

    private static void say(String what, PacedLoad.Spread spread) {
        System.out.println(
                what + ": " + Report.amount(spread.median(), "ms") + ", p99 " + Report.amount(spread.p99(), "ms"));
    }

    private static int running(Program program) throws IOException {
        URLConnection list =
                program.management().resolve(program.services()).toURL().openConnection();
        list.setRequestProperty("Authorization", program.authorization());
        try (InputStream in = list.getInputStream()) {
            return Math.toIntExact(RUNS.matcher(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .results()
                    .count());
        }
    }
}
