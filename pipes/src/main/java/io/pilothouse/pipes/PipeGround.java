package io.pilothouse.pipes;

import io.pilothouse.core.pipe.PipeLedger;
import io.pilothouse.core.port.Clock;
import io.pilothouse.core.port.Store;
import io.pilothouse.core.secret.Vault;
import io.pilothouse.core.service.Databases;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;

/**
 * The parts that pipes run on. {@code readers} makes threads that may block in reads, one for each direction of each
 * worker; {@code threads} runs everything else. {@code roles} is there
 * where roles can be taken on. {@code kinesis} is where streams of Kinesis are, if not at Amazon, and
 * {@code connect} what runs pipes from Kafka, if not this machine.
 */
public record PipeGround(
        Store store,
        Clock clock,
        Vault vault,
        PipeLedger ledger,
        Databases databases,
        Waking waking,
        Looking looking,
        WorkerProgram program,
        Optional<PipeRoles> roles,
        Optional<String> kinesis,
        Optional<ConnectCluster> connect,
        ThreadFactory readers,
        ExecutorService threads) {
    /** Wakes a service that sleeps, because a pipe has data for it. */
    @FunctionalInterface
    public interface Waking {
        void wake(UUID serviceId, UUID pipeId);
    }

    /** Has the engine look at a pipe that changed by itself. */
    @FunctionalInterface
    public interface Looking {
        void look(UUID pipeId);
    }
}
