package io.pilothouse.core.delivery;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Sends one message to a receiver: once, without following redirects, within a deadline of its own. It never throws,
 * and discards everything of the answer but its status.
 */
@FunctionalInterface
public interface DeliverySender {
    Outcome send(DeliveryRequest request);

    /** How one attempt ended. */
    sealed interface Outcome {}

    /** The receiver answered; {@code retryAfter} is how long it asks the sender to wait. */
    record Answered(int status, @Nullable Duration retryAfter) implements Outcome {}

    /** There was no answer, so another attempt makes sense. The sentence is for a person. */
    record Unanswered(String why) implements Outcome {}

    /** The address may not be connected to: another attempt would end the same way. */
    record Forbidden(String why) implements Outcome {}
}
