package io.pilothouse.core.alert;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Sends one message to a receiver: once, without following anything, within a deadline of its own. It never throws, and
 * what the receiver says beyond its status goes nowhere.
 */
@FunctionalInterface
public interface DeliverySender {
    Outcome send(DeliveryRequest request);

    /** How one try ended. */
    sealed interface Outcome {}

    /** The receiver answered; {@code retryAfter} is how long it asks to be left alone. */
    record Answered(int status, @Nullable Duration retryAfter) implements Outcome {}

    /** There was no answer: worth another try. The sentence is for a person. */
    record Unanswered(String why) implements Outcome {}

    /** The address may not be connected to: another try would end alike. */
    record Forbidden(String why) implements Outcome {}
}
