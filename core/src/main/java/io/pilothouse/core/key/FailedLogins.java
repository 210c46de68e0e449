package io.pilothouse.core.key;

import io.pilothouse.core.activity.Refusal;
import io.pilothouse.core.right.Client;

/** Hears of every login that failed with the id of a key that there is; must be quick and must not throw. */
@FunctionalInterface
public interface FailedLogins {
    void failed(ApiKey key, Refusal.Cause cause, Client client);
}
