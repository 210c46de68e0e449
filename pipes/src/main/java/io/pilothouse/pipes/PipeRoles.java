package io.pilothouse.pipes;

import io.pilothouse.core.base.Tree;
import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Service;
import io.pilothouse.pipes.wire.RoleKey;
import java.util.Optional;
import java.util.UUID;

/**
 * Takes on the role that a source names, for its service only: what the role's owner sees as the {@code iamRole} of the
 * service is the external ID. The identity by which that is done stays in this process. Safe for many threads.
 */
@FunctionalInterface
public interface PipeRoles {
    /** A key that is good for an hour; a fault says why there is none, in words that a sentence can end with. */
    RoleKey take(String arn, String session, String externalId) throws PlaneFault;

    /** The answer to a worker of this source, which does not get to say which role it is. */
    static Tree.Members answer(
            Optional<PipeRoles> roles, Tree.Members source, UUID organization, UUID service, String session)
            throws PlaneFault {
        String arn = source.text("iamRole").orElseThrow(() -> new PlaneFault("The source names no role."));
        PipeRoles own =
                roles.orElseThrow(() -> new PlaneFault("This server has no AWS identity to take on roles with."));
        String externalId = Service.iamRole(organization, service);
        try {
            return own.take(arn, session, externalId).tree();
        } catch (PlaneFault refusal) {
            throw new PlaneFault(
                    "There is no key for " + arn + ": " + refusal.getMessage() + ". It was asked for with " + externalId
                            + " as sts:ExternalId.",
                    refusal);
        }
    }
}
