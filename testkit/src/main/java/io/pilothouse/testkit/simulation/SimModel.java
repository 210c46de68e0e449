package io.pilothouse.testkit.simulation;

import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.Wish;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/** Everything that was written on behalf of a client and must be there: what each thing is like, as clients asked for it. */
final class SimModel {
    final Map<UUID, Wanted> services = new LinkedHashMap<>();
    final Map<UUID, String> keys = new LinkedHashMap<>();
    final Map<UUID, String> webhooks = new LinkedHashMap<>();
    final Map<UUID, String> alerts = new LinkedHashMap<>();
    final Map<UUID, Double> schedules = new LinkedHashMap<>();
    final Map<UUID, Asked> backups = new LinkedHashMap<>();
    final Map<UUID, Piped> pipes = new LinkedHashMap<>();

    /** A service is to be deleted, and its pipes with it. */
    void deleted(UUID serviceId) {
        services.computeIfPresent(serviceId, (_, wanted) -> wanted.wishing(Wish.DELETE));
        pipes.replaceAll((_, pipe) -> pipe.serviceId().equals(serviceId) ? pipe.wishing(Pipe.Wish.DELETE) : pipe);
    }

    /** A service as it was asked for. */
    record Wanted(String name, Wish wish, int replicas, String password, int backupHours) {
        static Wanted of(Service row) {
            return new Wanted(
                    row.name(),
                    row.wish(),
                    row.scaling().numReplicas(),
                    row.password().sha256(),
                    row.backups().periodHours());
        }

        /** Without the password, of which even the hash differs from run to run. */
        @Override
        public String toString() {
            return "\"" + name + "\" to " + wish + " with " + replicas + " replicas, a backup each " + backupHours
                    + " hours";
        }

        Wanted named(String next) {
            return new Wanted(next, wish, replicas, password, backupHours);
        }

        Wanted wishing(Wish next) {
            return new Wanted(name, next, replicas, password, backupHours);
        }

        Wanted sized(int next) {
            return new Wanted(name, wish, next, password, backupHours);
        }

        Wanted opened(String next) {
            return new Wanted(name, wish, replicas, next, backupHours);
        }

        Wanted backedUp(int next) {
            return new Wanted(name, wish, replicas, password, next);
        }
    }

    /** A backup that was asked for then. */
    record Asked(UUID serviceId, Instant at) {}

    /** A pipe as it was asked for. */
    record Piped(UUID serviceId, String name, Pipe.Wish wish, int replicas) {
        static Piped of(Pipe row) {
            return new Piped(
                    row.serviceId(),
                    row.name(),
                    row.want().wish(),
                    row.scaling().replicas());
        }

        Piped wishing(Pipe.Wish next) {
            return new Piped(serviceId, name, next, replicas);
        }

        Piped sized(int next) {
            return new Piped(serviceId, name, wish, next);
        }
    }
}
