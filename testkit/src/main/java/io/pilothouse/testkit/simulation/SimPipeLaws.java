package io.pilothouse.testkit.simulation;

import io.pilothouse.core.base.Stored;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipePhase;
import io.pilothouse.core.pipe.PipeState;
import io.pilothouse.core.port.Tables;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.Wish;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What must be true of pipes and their workers. */
final class SimPipeLaws {
    private static final int MAX_ROWS = 200;

    private final SimModel model;
    private final SimWorkers workers;

    SimPipeLaws(SimModel model, SimWorkers workers) {
        this.model = model;
        this.workers = workers;
    }

    /** After every step that may have changed a pipe or a service. */
    void hold(Tables tables) {
        Map<UUID, Pipe> rows = tables.of(Pipe.KIND).all(null, MAX_ROWS).stream()
                .collect(Collectors.toMap(Stored::id, Function.identity(), (one, _) -> one, LinkedHashMap::new));
        model.pipes
                .entrySet()
                .removeIf(wanted -> wanted.getValue().wish() == Pipe.Wish.DELETE && !rows.containsKey(wanted.getKey()));
        SimLaws.require(
                rows.keySet().equals(model.pipes.keySet()),
                () -> "Pipes are " + rows.keySet() + " and not " + model.pipes.keySet());
        rows.values().forEach(row -> {
            boolean served = tables.of(Service.KIND)
                    .find(row.serviceId())
                    .filter(service -> service.wish() != Wish.DELETE)
                    .isPresent();
            SimLaws.require(
                    served || row.want().wish() == Pipe.Wish.DELETE,
                    () -> "Pipe " + row.id() + " outlives its service " + row.serviceId());
            SimModel.Piped is = SimModel.Piped.of(row);
            SimModel.Piped wanted = model.pipes.get(row.id());
            SimLaws.require(is.equals(wanted), () -> "Pipe " + row.id() + " is " + is + " and not " + wanted);
        });
        workers.there().forEach(id -> SimLaws.require(rows.containsKey(id), () -> "Workers are left of pipe " + id));
    }

    /** Once faults have stopped for long enough. */
    void settled(Tables tables) {
        tables.of(Pipe.KIND).all(null, MAX_ROWS).forEach(this::settled);
    }

    private void settled(Pipe row) {
        UUID id = row.id();
        switch (row.want().wish()) {
            case RUN -> {
                SimLaws.require(
                        row.state() == PipeState.RUNNING && workers.phase(id) == PipePhase.RUNNING,
                        () -> "Pipe " + id + " is " + row.state() + ", its workers " + workers.phase(id));
                SimLaws.require(
                        workers.workers(id) == row.scaling().replicas()
                                && workers.generation(id) == row.want().generation(),
                        () -> "Pipe " + id + " has " + workers.workers(id) + " workers of change "
                                + workers.generation(id) + " and not "
                                + row.scaling().replicas() + " of "
                                + row.want().generation());
            }
            case STOP ->
                SimLaws.require(
                        row.state() == PipeState.STOPPED && workers.workers(id) == 0,
                        () -> "Pipe " + id + " is " + row.state() + " with " + workers.workers(id) + " workers");
            case DELETE -> throw new SimBroken("Pipe " + id + " is still there");
        }
    }

    /** Once everything was deleted. */
    void empty() {
        SimLaws.require(model.pipes.isEmpty(), () -> "Pipes are left: " + model.pipes);
        SimLaws.require(workers.there().isEmpty(), () -> "Workers are left: " + workers.there());
    }
}
