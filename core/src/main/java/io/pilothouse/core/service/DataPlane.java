package io.pilothouse.core.service;

import io.pilothouse.core.port.PlaneFault;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where databases run. Everything is addressed by the service's id, may be asked again at any time, and may be slow;
 * only the engine calls it. A call that fails throws {@link PlaneFault}; its work so far is then observed afresh. A
 * plane whose databases can die by themselves wakes their tasks when they do: a settled service is looked at rarely.
 */
public interface DataPlane {
    /**
     * The state of a service now; {@link Condition#UNKNOWN} when it could not be seen, {@link Condition#ABSENT} for one
     * that was never started, {@link Condition#LOST} for one that ran and whose data is gone. Changes nothing.
     */
    Sight observe(Service service) throws PlaneFault;

    /**
     * Makes it run as wanted (sizes, access, password), also when it runs already, is on its way or has broken down;
     * returns when that is under way, not when it runs.
     */
    void start(Service service) throws PlaneFault;

    /** Makes it stop and keeps its data; returns when that is under way. A missing service is not an error. */
    void stop(Service service) throws PlaneFault;

    /** Removes everything it ever had, data too, running or not; a missing service is not an error. */
    void erase(Service service) throws PlaneFault;

    /** What a service which is made now will run, from memory. */
    Database database();

    /** The versions of ClickHouse that are there to run services on, from memory; none where they all run on one. */
    default List<Offer> offers() {
        return List.of();
    }

    /** The name of this plane, as {@code /readyz} and the log show it. */
    String name();

    /**
     * One look at a service; {@code fits} is whether what runs is what is wanted now, {@code database} is there when it
     * was seen, {@code fault} is a sentence, and {@code storedBytes} what its data takes on disk, where the look has
     * shown that.
     */
    record Sight(
            Condition condition,
            boolean fits,
            @Nullable Database database,
            @Nullable String fault,
            @Nullable Long storedBytes) {
        public Sight(Condition condition, boolean fits, @Nullable Database database, @Nullable String fault) {
            this(condition, fits, database, fault, null);
        }
    }

    /** One version, by the name that a pin has, and since when it is there. */
    record Offer(String version, Instant since) {}

    /** The version of a database, where it is known, and the protocols it speaks, under the contract's names. */
    record Database(@Nullable String version, List<String> protocols) {
        public Database {
            protocols = List.copyOf(protocols);
        }
    }
}
