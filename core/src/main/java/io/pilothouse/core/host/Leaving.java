package io.pilothouse.core.host;

import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Service;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * What a host does itself for services that leave it. What is marked here is on this host's disk, so it is known however
 * late the host learns what became of the service. Every call may be repeated.
 */
public interface Leaving {
    /** Why its database cannot be backed up; empty if it can be, or if that is not known. */
    Optional<String> refusal(Service service);

    /** Takes the row of one that leaves: its door lets nobody in from here on. */
    void follow(Service service);

    /** Its database does not run, and is never started here from then on, however it is asked for. */
    void mark(UUID serviceId, UUID backupId) throws PlaneFault;

    /** The services that are marked, each with its backup. */
    Map<UUID, UUID> marked() throws PlaneFault;

    /** It stays after all. */
    void unmark(UUID serviceId) throws PlaneFault;

    /** Its door is another host's. */
    void shut(UUID serviceId);

    /** Removes everything that it has here. */
    void erase(UUID serviceId) throws PlaneFault;
}
