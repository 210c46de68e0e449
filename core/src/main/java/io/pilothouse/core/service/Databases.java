package io.pilothouse.core.service;

import io.pilothouse.core.port.PlaneFault;
import java.net.URI;
import java.util.Optional;
import java.util.UUID;

/**
 * The way of the program itself into the databases of services. It does not go through the gateway and never wakes a
 * database; only a hold counts as use. Safe for many threads.
 */
public interface Databases {
    /**
     * Where pipes log in; empty until the database runs and holds the data that its service begins with.
     *
     * @throws PlaneFault if it cannot be looked at, or cannot run
     */
    Optional<PipeLogin> pipeLogin(Service service) throws PlaneFault;

    /** The address on this machine, for HTTP, and a user with no more rights than pipes need. */
    record PipeLogin(URI address, String user, String password) {
        @Override
        public String toString() {
            return "PipeLogin[" + address + "]";
        }
    }

    /** Asks as the program's own user, which may do everything. */
    Answer ask(UUID serviceId, String sql) throws PlaneFault;

    /** A database's answer, or its silence. */
    sealed interface Answer {
        record Text(String value) implements Answer {}

        record Refusal(String sentence) implements Answer {}

        record Silence(String reason) implements Answer {}
    }

    /** Keeps it from falling asleep until the hold is closed; closing it again does nothing. */
    Hold hold(UUID serviceId);

    /** The time in which the program uses a database. */
    interface Hold extends AutoCloseable {
        @Override
        void close();
    }
}
