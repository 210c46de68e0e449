package io.pilothouse.store;

import io.pilothouse.core.port.Ports;
import io.pilothouse.core.port.TakenMeanwhile;
import io.pilothouse.store.rows.EpochNanos;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** The ports of services in one transaction. One that was given back keeps its row, so that its age is known. */
final class PortTable implements Ports {
    static final String RESERVE = """
        INSERT INTO service_ports (port, service_id) VALUES (?, ?)
        ON CONFLICT (port) DO UPDATE SET service_id = excluded.service_id, freed_at = NULL
            WHERE service_ports.service_id IS NULL\
        """;
    static final String RELEASE =
            "UPDATE service_ports SET service_id = NULL, freed_at = ? WHERE port = ? AND service_id = ?";
    private static final String ALL = "SELECT port, freed_at FROM service_ports ORDER BY freed_at, port";

    private final Transaction transaction;

    PortTable(Transaction transaction) {
        this.transaction = transaction;
    }

    @Override
    public void reserve(UUID serviceId, List<Integer> ports) {
        for (int port : ports) {
            if (transaction.change(RESERVE, port, serviceId.toString()) == 0) {
                throw new TakenMeanwhile("Port " + port + " is another service's");
            }
        }
    }

    @Override
    public void release(UUID serviceId, List<Integer> ports, Instant now) {
        for (int port : ports) {
            transaction.change(RELEASE, EpochNanos.of(now), port, serviceId.toString());
        }
    }

    @Override
    public Known known() {
        Set<Integer> reserved = new HashSet<>();
        List<Integer> free = new ArrayList<>();
        transaction.list(ALL, row -> {
            int port = row.getInt(1);
            row.getLong(2);
            return row.wasNull() ? reserved.add(port) : free.add(port);
        });
        return new Known(reserved, free);
    }
}
