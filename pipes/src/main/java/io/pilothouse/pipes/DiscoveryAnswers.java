package io.pilothouse.pipes;

import io.pilothouse.core.base.Tree;
import io.pilothouse.core.pipe.PipeSchemaReader.Field;
import io.pilothouse.core.pipe.PipeSchemaReader.Schema;
import io.pilothouse.core.pipe.PipeSchemaReader.Unreadable;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Databases;
import io.pilothouse.core.service.Databases.PipeLogin;
import io.pilothouse.core.service.Service;
import io.pilothouse.pipes.wire.About;
import io.pilothouse.pipes.wire.FoundFields;
import io.pilothouse.pipes.wire.Report;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What a worker that looks at a source is told, and what it has found, or why it has not. Safe for many threads. */
final class DiscoveryAnswers implements PipeWorker.Listener {
    private final Databases databases;
    private final Service service;
    private final Optional<PipeRoles> roles;
    private final Tree.Members source;
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

    /** How a look ended. */
    private sealed interface Outcome {
        record Found(FoundFields fields) implements Outcome {}

        record Missed(String sentence) implements Outcome {}
    }

    DiscoveryAnswers(Databases databases, Service service, Optional<PipeRoles> roles, Tree.Members source) {
        this.databases = databases;
        this.service = service;
        this.roles = roles;
        this.source = source;
    }

    Schema await(Duration atMost) throws Unreadable, InterruptedException {
        try {
            return switch (outcome.get(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
                case Outcome.Found(FoundFields found) ->
                    new Schema(
                            found.fields().stream()
                                    .map(field -> new Field(field.name(), field.type(), field.optional()))
                                    .toList(),
                            found.meta());
                case Outcome.Missed(String sentence) -> throw new Unreadable(sentence);
            };
        } catch (TimeoutException _) {
            throw new Unreadable("It did not answer within " + atMost.toSeconds() + " seconds.");
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public Tree.Members answer(PipeWorker worker, About about, Tree.Members body) throws PlaneFault {
        return switch (about) {
            case DATABASE -> login();
            case RELEASE -> Tree.Members.NONE;
            case FIELDS -> {
                outcome.complete(new Outcome.Found(FoundFields.of(body)));
                yield Tree.Members.NONE;
            }
            case ROLE ->
                PipeRoles.answer(roles, source, service.organizationId(), service.id(), "pilothouse-discovery");
            case RANGES, BEGIN, CLAIM, DONE, ERRORS, TABLES, ERROR_TABLE, TRIAL_TABLE, STAGE, UNSTAGE, SWAP, EMPTY ->
                throw new PlaneFault("There is no pipe that could move anything.");
        };
    }

    private Tree.Members login() throws PlaneFault {
        PipeLogin login =
                databases.pipeLogin(service).orElseThrow(() -> new PlaneFault("The service's database does not run."));
        return new Tree.Members(Map.of(
                "address", new Tree.Text(login.address().toString()),
                "user", new Tree.Text(login.user()),
                "password", new Tree.Text(login.password())));
    }

    @Override
    public void reported(PipeWorker worker, Report report) {
        if (report.condition() == Report.Condition.FAILED) {
            outcome.complete(new Outcome.Missed(report.sentence()));
        }
    }

    @Override
    public void ended(PipeWorker worker, String how) {
        outcome.complete(new Outcome.Missed("What looked at it ended early; the log of the server says more."));
    }
}
