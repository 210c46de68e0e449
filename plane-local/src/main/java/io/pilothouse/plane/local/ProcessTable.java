package io.pilothouse.plane.local;

import io.pilothouse.plane.local.bundled.EngineMain;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The machine's processes, looked up so that one that merely has the right number is never taken for a service. */
final class ProcessTable {
    private static final Path PROC = Path.of("/proc");
    private static final int START_FIELD_AFTER_NAME = 19;

    /** The living process of this mark, if its number, its moment of start and its command line all say so. */
    Optional<ProcessHandle> find(ProcessMark mark, ServiceFolder folder) {
        Predicate<ProcessHandle> serves = process -> servesFrom(commandLine(process), folder.config());
        if (mark.pid().isPresent()) {
            return ProcessHandle.of(mark.pid().get())
                    .filter(ProcessHandle::isAlive)
                    .filter(process -> started(process).equals(mark.started()))
                    .filter(serves);
        }
        return ProcessHandle.allProcesses().filter(serves).findFirst();
    }

    /** The folders below this one from which an engine runs now, whoever started it. */
    Map<Path, ProcessHandle> below(Path root) {
        Map<Path, ProcessHandle> found = new HashMap<>();
        ProcessHandle.allProcesses().forEach(process -> {
            String line = commandLine(process);
            int at = line.indexOf(root + "/");
            int end = at < 0 ? -1 : line.indexOf("/config.xml", at);
            if (end > 0 && servesFrom(line, Path.of(line.substring(at, end), "config.xml"))) {
                found.put(Path.of(line.substring(at, end)), process);
            }
        });
        return found;
    }

    /** An editor or a pager that has the file open is no engine. */
    private static boolean servesFrom(String commandLine, Path config) {
        return commandLine.contains("--config-file=" + config)
                || (commandLine.contains(EngineMain.class.getName() + " ") && commandLine.contains(" " + config + " "));
    }

    /** When the process started, in a form that only its own equals: a wall clock may be set, ticks since boot not. */
    String started(ProcessHandle process) {
        Path stat = PROC.resolve(Long.toString(process.pid())).resolve("stat");
        try {
            String line = Files.readString(stat, StandardCharsets.ISO_8859_1);
            String boot = Files.readString(PROC.resolve("sys/kernel/random/boot_id"), StandardCharsets.US_ASCII);
            // The name may hold anything, blanks and brackets too; what follows the last bracket is regular.
            List<String> fields =
                    List.of(line.substring(line.lastIndexOf(')') + 2).split(" ", -1));
            return boot.strip() + "/" + fields.get(START_FIELD_AFTER_NAME);
        } catch (IOException noProcHere) {
            return process.info().startInstant().map(Instant::toString).orElse("unknown");
        }
    }

    String commandLine(ProcessHandle process) {
        try {
            // What the JDK gives of it is cut short after a while.
            byte[] line = Files.readAllBytes(
                    PROC.resolve(Long.toString(process.pid())).resolve("cmdline"));
            return new String(line, StandardCharsets.UTF_8).replace('\0', ' ');
        } catch (IOException noProcHere) {
            return process.info().commandLine().orElse("");
        }
    }
}
