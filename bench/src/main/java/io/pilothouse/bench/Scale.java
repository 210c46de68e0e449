package io.pilothouse.bench;

import java.time.Duration;

/** How much is measured: the whole, or a quick look that shows that everything runs. */
record Scale(int rounds, Duration span, int listed, int middle, int large) {
    static Scale whole() {
        return new Scale(5, Duration.ofSeconds(5), 10_000, 100_000, 1_000_000);
    }

    static Scale quick() {
        return new Scale(1, Duration.ofSeconds(2), 1_000, 5_000, 20_000);
    }
}
