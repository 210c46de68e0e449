package io.pilothouse.testkit.simulation;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.Precondition;
import io.pilothouse.core.base.Tree;
import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeDraft;
import io.pilothouse.core.pipe.PipeScaling;
import io.pilothouse.core.right.Permit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** Clients that make, scale, stop, start and delete the pipes of services. */
final class SimPipes {
    private static final int MAX_PIPES = 6;
    private static final int MAX_REPLICAS = 3;
    private static final Tree.Members SOURCE = new Tree.Members(Map.of(
            "kafka", new Tree.Members(Map.of("brokers", new Tree.Text("b:9092"), "topics", new Tree.Text("events")))));
    private static final Tree.Members COLUMN =
            new Tree.Members(Map.of("name", new Tree.Text("id"), "type", new Tree.Text("Int64")));
    private static final Tree.Members DESTINATION = new Tree.Members(Map.of(
            "table", new Tree.Text("t"),
            "managedTable", new Tree.Flag(true),
            "tableDefinition", new Tree.Members(Map.of("sortingKey", Tree.Items.texts(List.of("id")))),
            "columns", new Tree.Items(List.of(COLUMN))));

    private final SimRequests requests;
    private final SimModel model;
    private final Permit permit;

    SimPipes(SimRequests requests, SimModel model, Permit permit) {
        this.requests = requests;
        this.model = model;
        this.permit = permit;
    }

    void ask() {
        Optional<UUID> some = requests.oneOf(model.pipes.keySet());
        int roll = requests.chance().nextInt(8);
        if (some.isEmpty() || (roll < 3 && model.pipes.size() < MAX_PIPES)) {
            requests.oneOf(model.services.keySet()).ifPresent(this::create);
        } else {
            change(some.get());
            if (roll < 5) {
                requests.soon(() -> change(some.get()));
            }
        }
    }

    private void change(UUID id) {
        switch (requests.chance().nextInt(5)) {
            case 0, 1 -> scale(id);
            case 2 -> command(id, "stop");
            case 3 -> command(id, "start");
            default -> delete(id);
        }
    }

    private void create(UUID serviceId) {
        String name = requests.name("pipe");
        int replicas = replicas();
        boolean paused = requests.chance().nextInt(4) == 0;
        PipeDraft draft = new PipeDraft(name, SOURCE, DESTINATION, null, null, scaling(replicas), paused);
        SimModel.Piped asked = new SimModel.Piped(serviceId, name, paused ? Pipe.Wish.STOP : Pipe.Wish.RUN, replicas);
        requests.send(
                "create " + name,
                made -> {
                    UUID id = ((Pipe) made).id();
                    model.pipes.put(id, asked);
                    requests.soon(() -> change(id));
                },
                process ->
                        SimRequests.write(process, () -> process.pipes.create(permit, serviceId, draft, new Faults())));
    }

    private int replicas() {
        return 1 + requests.chance().nextInt(MAX_REPLICAS);
    }

    private static PipeScaling.Change scaling(int replicas) {
        return new PipeScaling.Change((double) replicas, null, null, null);
    }

    private void scale(UUID id) {
        int replicas = replicas();
        change(
                "scale pipe ",
                id,
                pipe -> pipe.sized(replicas),
                (process, serviceId) -> process.pipes.scale(
                        permit, serviceId, id, scaling(replicas), Precondition.none(), new Faults()));
    }

    private void command(UUID id, String word) {
        Pipe.Wish wish = word.equals("stop") ? Pipe.Wish.STOP : Pipe.Wish.RUN;
        change(
                word + " pipe ",
                id,
                pipe -> pipe.wishing(wish),
                (process, serviceId) ->
                        process.pipes.command(permit, serviceId, id, word, null, Precondition.none(), new Faults()));
    }

    private void delete(UUID id) {
        change(
                "delete pipe ",
                id,
                pipe -> pipe.wishing(Pipe.Wish.DELETE),
                (process, serviceId) -> process.pipes.delete(permit, serviceId, id, Precondition.none()));
    }

    /** A request about one pipe of a service. */
    @FunctionalInterface
    private interface Request {
        void send(SimProcess process, UUID serviceId);
    }

    private void change(String what, UUID id, UnaryOperator<SimModel.Piped> change, Request request) {
        Optional.ofNullable(model.pipes.get(id))
                .map(SimModel.Piped::serviceId)
                .ifPresent(serviceId -> requests.send(
                        what + id,
                        _ -> model.pipes.computeIfPresent(id, (_, pipe) -> change.apply(pipe)),
                        process -> request.send(process, serviceId)));
    }
}
