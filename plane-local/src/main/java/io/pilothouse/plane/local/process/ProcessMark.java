package io.pilothouse.plane.local.process;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The process that runs a service, as recorded in the service's folder: its number alone may have been reused, so the
 * moment of its start is part of it. A mark without a number means that a start was begun and may have succeeded.
 */
public record ProcessMark(
        Optional<Long> pid, String started, long startedAtMillis, boolean withParent, String fingerprint) {

    public static ProcessMark begun(long nowMillis, boolean withParent, String fingerprint) {
        return new ProcessMark(Optional.empty(), "", nowMillis, withParent, fingerprint);
    }

    public ProcessMark of(long number, String startedThen) {
        return new ProcessMark(Optional.of(number), startedThen, startedAtMillis, withParent, fingerprint);
    }

    public ProcessMark fitting(String newFingerprint) {
        return new ProcessMark(pid, started, startedAtMillis, withParent, newFingerprint);
    }

    public String text() {
        return "pid=" + pid.map(String::valueOf).orElse("") + "\nstarted=" + started + "\nat=" + startedAtMillis
                + "\nwith-parent=" + withParent + "\nfingerprint=" + fingerprint + "\n";
    }

    /** Empty for a text that is not a mark. */
    public static Optional<ProcessMark> parse(String text) {
        Map<String, String> fields = text.lines()
                .filter(line -> line.indexOf('=') > 0)
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.indexOf('=')),
                        line -> line.substring(line.indexOf('=') + 1),
                        (first, second) -> second));
        try {
            String pid = fields.getOrDefault("pid", "");
            return Optional.of(new ProcessMark(
                    pid.isEmpty() ? Optional.empty() : Optional.of(Long.valueOf(pid)),
                    fields.getOrDefault("started", ""),
                    Long.parseLong(fields.getOrDefault("at", "")),
                    Boolean.parseBoolean(fields.getOrDefault("with-parent", "")),
                    fields.getOrDefault("fingerprint", "")));
        } catch (NumberFormatException damaged) {
            return Optional.empty();
        }
    }
}
