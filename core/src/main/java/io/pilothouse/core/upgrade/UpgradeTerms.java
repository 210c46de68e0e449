package io.pilothouse.core.upgrade;

import java.time.Duration;

/**
 * The times of upgrades: how long a version has to be there before each release channel takes it, how long a service may
 * take to come up on it, at least and at most, and how long the others wait after one that did not.
 */
public record UpgradeTerms(Duration regular, Duration slow, Duration atLeast, Duration atMost, Duration afterFailure) {
    public static final UpgradeTerms USUAL = new UpgradeTerms(
            Duration.ofDays(7), Duration.ofDays(28), Duration.ofMinutes(1), Duration.ofMinutes(5), Duration.ofDays(1));

    /** How long a channel, by the contract's word for it, waits. */
    Duration deferral(String channel) {
        return switch (channel) {
            case "fast" -> Duration.ZERO;
            case "slow" -> slow;
            default -> regular;
        };
    }
}
