package io.pilothouse.plane.local.bucket;

import io.pilothouse.core.backup.BucketAccess.Login;
import io.pilothouse.core.port.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The keys that one role gives for a while: taken on when they are first needed, and again in time. */
final class RoleKeys implements S3Store.KeySource {
    private static final Duration HELD_FOR = Duration.ofMinutes(45);

    private final Roles roles;
    private final Clock clock;
    private final Login.Role role;
    private Login.@Nullable Key key;
    private Instant until = Instant.MIN;

    RoleKeys(Roles roles, Clock clock, Login.Role role) {
        this.roles = roles;
        this.clock = clock;
        this.role = role;
    }

    @Override
    public synchronized Login.Key now() throws BucketFault {
        Instant now = clock.now();
        if (key == null || !now.isBefore(until)) {
            key = roles.take(role.arn(), role.session(), role.externalId());
            until = now.plus(HELD_FOR);
        }
        return key;
    }
}
