package io.pilothouse.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A server of the bench in a process of its own, run with the flags of the program: it prints where it listens. */
final class Child implements AutoCloseable {
    private final Process process;
    private final URI address;

    private Child(Process process, URI address) {
        this.process = process;
        this.address = address;
    }

    static Child start(Machine machine, List<String> flags, Class<?> main, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(machine.java().toString());
        command.addAll(machine.flags(false));
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                // It logs its start there, and nothing reads it.
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader printed =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String line = printed.readLine();
            if (line == null) {
                throw new IOException(main.getSimpleName() + " did not start");
            }
            return new Child(process, URI.create(line));
        }
    }

    URI address() {
        return address;
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
