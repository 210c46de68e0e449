package io.pilothouse.gateway.door;

import io.pilothouse.core.service.ServicePorts;
import io.pilothouse.gateway.GatewayLog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file in which ports were kept before the store knew of them: one line for each change, the last one of a service
 * counts. It is only ever read, and put aside once the store has it all. A full disk left halves of lines in it, each
 * with the next line behind it; nobody was told of those halves.
 */
public final class GatewayPortFile {
    private static final Pattern CHANGE = Pattern.compile(
            "(?:assign ([0-9a-f-]{36}) https=(\\d{1,5}) nativesecure=(\\d{1,5}) mysql=(\\d{1,5})|release ([0-9a-f-]{36}))$");

    private final Path file;
    private final Map<UUID, ServicePorts> ports = new LinkedHashMap<>();

    /** Reads the file; one that is not there names nobody. */
    public GatewayPortFile(Path file) throws IOException {
        this.file = file;
        String text = Files.exists(file) ? Files.readString(file, StandardCharsets.UTF_8) : "";
        // What has no line end was cut off before anybody was told of it.
        text.substring(0, text.lastIndexOf('\n') + 1).lines().forEach(this::read);
    }

    private void read(String line) {
        Matcher change = CHANGE.matcher(line);
        if (!change.find()) {
            if (!line.startsWith("next ")) {
                GatewayLog.warn("a line of the file of the gateway's ports cannot be read: " + line);
            }
            return;
        }
        if (change.group(1) == null) {
            ports.remove(UUID.fromString(change.group(5)));
            return;
        }
        ServicePorts given = new ServicePorts(
                Integer.parseInt(change.group(2)),
                Integer.parseInt(change.group(3)),
                Integer.parseInt(change.group(4)));
        // A line that was written but not synced was given up, and its ports were given out again.
        ports.values().removeIf(other -> !Collections.disjoint(other.all(), given.all()));
        ports.put(UUID.fromString(change.group(1)), given);
    }

    public Map<UUID, ServicePorts> ports() {
        return Map.copyOf(ports);
    }

    /** Puts it beside, so that it is not read again. */
    public void putAside() throws IOException {
        if (Files.exists(file)) {
            Files.move(file, file.resolveSibling(file.getFileName() + ".imported"), StandardCopyOption.ATOMIC_MOVE);
        }
    }
}
