package io.pilothouse.bench;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A number of clients that each send one request after the other, as fast as they are answered: from wrk, which costs
 * the least beside the server, or from this process where there is no wrk.
 */
final class Load {
    private final Machine machine;
    private final boolean wrk;

    Load(Machine machine) throws InterruptedException {
        this.machine = machine;
        this.wrk = Machine.has("wrk");
    }

    String tool() {
        return wrk ? "wrk" : "sockets of the JDK";
    }

    /** Requests a second; each goes to one of the paths, drawn at random. */
    double perSecond(URI server, Request request, List<String> paths, int connections, Duration time)
            throws IOException, InterruptedException {
        return wrk
                ? byWrk(server, request, paths, connections, time)
                : bySockets(server, request, paths, connections, time);
    }

    private double byWrk(URI server, Request request, List<String> paths, int connections, Duration time)
            throws IOException, InterruptedException {
        Path list = Files.write(machine.folder().resolve("paths.txt"), paths);
        StringBuilder script = new StringBuilder("wrk.method = '" + request.method() + "'\n");
        for (String field : request.fields()) {
            int colon = field.indexOf(':');
            script.append("wrk.headers['%s'] = '%s'\n"
                    .formatted(
                            field.substring(0, colon),
                            field.substring(colon + 1).strip()));
        }
        if (!request.body().isEmpty()) {
            script.append("wrk.body = '").append(request.body()).append("'\n");
        }
        script.append("""
                local requests = {}
                function init(args)
                    for path in io.lines('%s') do
                        requests[#requests + 1] = wrk.format(nil, path)
                    end
                end
                function request()
                    return requests[math.random(#requests)]
                end
                """.formatted(list));
        return Wrk.run(machine, script.toString(), server, connections, time);
    }

    private static double bySockets(URI server, Request request, List<String> paths, int connections, Duration time)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        return together(connections, () -> {
            long answered = 0;
            try (Wire wire = new Wire(server)) {
                while (System.nanoTime() < end) {
                    wire.exchange(
                            request.at(paths.get(ThreadLocalRandom.current().nextInt(paths.size()))));
                    answered++;
                }
            }
            return answered;
        });
    }

    /**
     * Requests a second while each connection sends a given number; always by this process, as wrk counts time alone.
     */
    static double perSecond(URI server, Request request, int connections, int each)
            throws IOException, InterruptedException {
        return together(connections, () -> {
            try (Wire wire = new Wire(server)) {
                for (int sent = 0; sent < each; sent++) {
                    wire.exchange(request);
                }
            }
            return (long) each;
        });
    }

    private static double together(int connections, Callable<Long> client) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        long sum = 0;
        try (ExecutorService threads =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            for (Future<Long> done : threads.invokeAll(Collections.nCopies(connections, client))) {
                sum += done.get();
            }
        } catch (ExecutionException e) {
            throw new IOException("The load failed", e);
        }
        return sum / (Duration.ofNanos(System.nanoTime() - begun).toMillis() / 1000.0);
    }
}
