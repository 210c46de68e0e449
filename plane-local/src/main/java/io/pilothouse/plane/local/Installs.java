package io.pilothouse.plane.local;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The versions of one kind of ClickHouse that are installed side by side; the last one is for what has no version yet. */
public record Installs(List<Installed> all) {
    /** One of them by its name, and since when it is there. */
    public record Installed(String version, ClickHouse clickhouse, Instant since) {}

    public Installs {
        all = List.copyOf(all);
    }

    /** Where there is one alone, and services run on it whatever its version is. */
    public static Installs only(ClickHouse clickhouse) {
        return new Installs(List.of(new Installed(clickhouse.version().orElse("unknown"), clickhouse, Instant.EPOCH)));
    }

    /** The name of the version that a service of this one runs on; null for one that has none yet. */
    String named(@Nullable String version) {
        return version == null ? all.getLast().version() : version;
    }

    ClickHouse newest() {
        return all.getLast().clickhouse();
    }

    /** Empty where it is not installed any more. */
    Optional<ClickHouse> find(@Nullable String version) {
        String name = named(version);
        return all.stream()
                .filter(each -> each.version().equals(name))
                .map(Installed::clickhouse)
                .findFirst();
    }
}
