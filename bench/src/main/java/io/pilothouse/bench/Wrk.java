package io.pilothouse.bench;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The load generator wrk, which is written in C and costs the least beside what it measures. */
final class Wrk {
    private static final Pattern RATE = Pattern.compile("Requests/sec:\\s*([0-9.]+)");
    private static final Pattern ERRORS = Pattern.compile("Non-2xx or 3xx responses: (\\d+)");

    /** Nothing older than TLS 1.3 is spoken: where the other side has only that, the load fails. */
    private static final String TLS_13 = """
            openssl_conf = all
            [all]
            ssl_conf = tls
            [tls]
            system_default = versions
            [versions]
            MinProtocol = TLSv1.3
            """;

    private Wrk() {}

    /** Requests a second; {@code script} makes the requests. */
    static double run(Machine machine, String script, URI server, int connections, Duration time)
            throws IOException, InterruptedException {
        Path file = Files.writeString(machine.folder().resolve("load.lua"), script);
        Path versions = Files.writeString(machine.folder().resolve("openssl.cnf"), TLS_13);
        ProcessBuilder wrk = new ProcessBuilder(
                        "wrk", "-t1", "-c" + connections, "-d" + time.toSeconds() + "s", "-s" + file, server.toString())
                .redirectErrorStream(true);
        wrk.environment().put("OPENSSL_CONF", versions.toString());
        Process process = wrk.start();
        String report = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Matcher rate = RATE.matcher(report);
        if (process.waitFor() != 0 || !rate.find() || ERRORS.matcher(report).find()) {
            throw new IOException("The load failed: " + report);
        }
        return Double.parseDouble(rate.group(1));
    }
}
