package io.pilothouse.server.host;

import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceSleep;
import io.pilothouse.gateway.door.SleepRequests;
import java.util.Optional;
import java.util.UUID;

/** What doors ask of services. */
public final class ServiceDoors {
    private ServiceDoors() {}

    /** How services are put to sleep and woken. */
    public static SleepRequests rest(ServiceSleep operations) {
        return new SleepRequests() {
            @Override
            public Optional<Service> sleep(UUID id) {
                return operations.sleep(id);
            }

            @Override
            public Optional<Service> wake(UUID id) {
                return operations.wake(id);
            }

            @Override
            public void look(UUID id) {
                operations.look(id);
            }
        };
    }
}
