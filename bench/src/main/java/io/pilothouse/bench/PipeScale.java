package io.pilothouse.bench;

import java.time.Duration;

/** How much pipes carry while they are measured: the whole, or a quick look that shows that everything runs. */
record PipeScale(int rounds, int messages, int files, int fileBytes, int tableRows, int changes, Duration calm) {
    private static final int FILE_BYTES = 10_000_000;

    /** Takes some eight minutes on two processors. */
    static PipeScale whole() {
        return new PipeScale(3, 1_000_000, 100, FILE_BYTES, 5_000_000, 300_000, Duration.ofSeconds(20));
    }

    static PipeScale quick() {
        return new PipeScale(1, 100_000, 10, FILE_BYTES / 5, 300_000, 30_000, Duration.ofSeconds(3));
    }
}
