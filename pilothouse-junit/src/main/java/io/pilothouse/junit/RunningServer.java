package io.pilothouse.junit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A server that tests are using, until it is closed. */
interface RunningServer extends AutoCloseable {
    ServerAccess access();

    @Override
    void close();

    /** What every server of tests is started with: ports of its own choice, and everything it keeps in one folder. */
    static List<String> arguments(Path folder, Plane plane, List<String> more) {
        List<String> usual = new ArrayList<>(List.of(
                "--plane=" + plane.option(),
                "--listen=127.0.0.1:0",
                "--alerts-listen=127.0.0.1:0",
                "--query-listen=127.0.0.1:0",
                "--admin-listen=127.0.0.1:0",
                "--emulator",
                "--simulated-provisioning-time=50ms",
                "--log-level=warning"));
        Set<String> named = Set.copyOf(more.stream()
                .map(argument -> argument.split("=", 2)[0])
                .filter(word -> word.startsWith("--"))
                .toList());
        usual.removeIf(argument -> named.contains(argument.split("=", 2)[0]));
        return Stream.of(List.of("--data=" + folder.resolve("data"), "--ready-file=" + readyFile(folder)), usual, more)
                .flatMap(List::stream)
                .toList();
    }

    static Path readyFile(Path folder) {
        return folder.resolve("ready.json");
    }
}
