package io.pilothouse.core.snapshot;

import io.pilothouse.core.port.KeptRow;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServicePorts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The ports of services whose rows go and come: one that somebody else has by now is drawn again. */
final class SnapshotPorts {
    private final Snapshots forms;

    SnapshotPorts(Snapshots forms) {
        this.forms = forms;
    }

    /** Gives back what these services have. */
    void release(Tables tables, Collection<KeptRow> rows, Instant now) {
        for (KeptRow row : rows) {
            if (row.table().equals(Service.KIND.table())) {
                Service service = forms.read(Service.KIND, row);
                ServicePorts ports = service.access().ports();
                if (ports != null) {
                    tables.ports().release(service.id(), ports.all(), now);
                }
            }
        }
    }

    /** The same rows, with the ports that are theirs again; a service without any gets some once it is looked at. */
    List<KeptRow> reserved(Tables tables, Collection<KeptRow> rows) {
        Set<Integer> taken = new HashSet<>(tables.ports().known().reserved());
        List<KeptRow> reserved = new ArrayList<>();
        for (KeptRow row : rows) {
            reserved.add(row.table().equals(Service.KIND.table()) ? reserved(tables, row, taken) : row);
        }
        return reserved;
    }

    private KeptRow reserved(Tables tables, KeptRow row, Set<Integer> taken) {
        Service service = forms.read(Service.KIND, row);
        ServicePorts ports = service.access().ports();
        if (ports == null) {
            return row;
        }
        if (ports.all().stream().anyMatch(taken::contains)) {
            return forms.write(Service.KIND, service.withAccess(service.access().withPorts(null)));
        }
        tables.ports().reserve(service.id(), ports.all());
        taken.addAll(ports.all());
        return row;
    }
}
