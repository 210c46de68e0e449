package io.pilothouse.core.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.base.Refused;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How many statements run at once. */
class QuerySeatsTest {
    private final UUID one = UUID.randomUUID();
    private final UUID other = UUID.randomUUID();
    private final QuerySeats seats = new QuerySeats(2, 3);

    private void refuses(UUID service) {
        assertThatThrownBy(() -> seats.take(service))
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(refused.reason()).isEqualTo(Refused.Reason.TOO_MANY_REQUESTS));
    }

    @Test
    void aServiceTakesNoSeatFromAnother() {
        Runnable first = seats.take(one);
        seats.take(one);
        refuses(one);
        Runnable third = seats.take(other);
        refuses(UUID.randomUUID());
        third.run();
        first.run();
        // Once more frees nobody else's.
        first.run();
        seats.take(one);
        refuses(one);
        seats.take(other);
        refuses(other);
    }
}
