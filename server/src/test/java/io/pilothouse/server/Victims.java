package io.pilothouse.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Processes of a program under test that are to be killed. */
final class Victims {
    private Victims() {}

    /** Kills those of these whose command has all of the words in it; returns them. */
    static List<ProcessHandle> kill(Stream<ProcessHandle> processes, String... words) {
        List<ProcessHandle> found = find(processes, words);
        found.forEach(ProcessHandle::destroyForcibly);
        return found;
    }

    /** Those of these whose command has all of the words in it. */
    static List<ProcessHandle> find(Stream<ProcessHandle> processes, String... words) {
        return processes
                .filter(process -> Stream.of(words).allMatch(command(process)::contains))
                .toList();
    }

    /** The whole of it where the system shows it: the JDK has nothing for a command that is longer than a page. */
    private static String command(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
        } catch (IOException ended) {
            return process.info().commandLine().orElse("");
        }
    }
}
