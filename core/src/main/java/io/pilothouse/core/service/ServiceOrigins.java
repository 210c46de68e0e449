package io.pilothouse.core.service;

import io.pilothouse.core.port.Tables;
import io.pilothouse.core.right.Permit;
import java.util.Optional;
import java.util.UUID;

/** The data that a new service may begin with, which other rooms keep. */
public interface ServiceOrigins {
    /** A finished copy of the caller's organization; empty when there is none of that id. */
    Optional<ServiceDesign.Origin> find(Tables tables, Permit permit, UUID originId);

    /** Keeps it for as long as the new service has not taken it over; refuses if it is not there any more. */
    void hold(Tables tables, Permit permit, UUID originId, UUID serviceId);
}
