package io.pilothouse.server;

import io.pilothouse.core.port.Clock;
import io.pilothouse.server.log.JulToLogs;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;

/** The program on a machine whose clock is off by the first argument; flags of its start come after that. */
final class SkewedProgram {
    private SkewedProgram() {}

    public static void main(String[] arguments) {
        System.setProperty(JulToLogs.PROPERTY, JulToLogs.class.getName());
        Duration off = Duration.parse(arguments[0]);
        Clock wrong = new SteadyClock(() -> Instant.now().plus(off), System::nanoTime, OptionalLong::empty);
        List<String> flags = List.of(arguments).subList(1, arguments.length);
        System.exit(new Up(
                        System.getenv(),
                        System.out,
                        System.err,
                        environment -> Surroundings.ofProcess(environment).at(wrong))
                .run(flags));
    }
}
