package io.pilothouse.core.port;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * How often something may be done in a minute, counted for all processes of a store together. A minute begins with the
 * first take and ends by the store's clock; all that was granted in it is never more than what is allowed. Safe for many
 * threads, and apart from transactions of the store: what was taken stays taken.
 */
public interface Allowances {
    /** No name is longer. */
    int MAX_NAME = 100;

    /**
     * How an allowance stands.
     *
     * @param granted what the asker got, and may use until the minute ends
     * @param left what nobody has taken yet
     * @param rest until the minute ends
     */
    record Share(int granted, int left, Duration rest) {}

    /**
     * Takes as much as is wanted of each of these names, all of which allow {@code most} in a minute. Less is granted
     * once more than a quarter of what is left is wanted, and nothing where nothing is left.
     *
     * @throws StoreUnavailable if the store cannot be reached; something may have been taken all the same
     */
    Map<String, Share> take(Set<String> names, int wanted, int most);

    /**
     * How these names stand, without a take; those that are not in the answer were not taken in this minute.
     *
     * @throws StoreUnavailable if the store cannot be reached
     */
    Map<String, Share> find(Set<String> names, int most);
}
