package io.pilothouse.server.certify;

import java.time.Duration;
import java.util.List;

/** One step of a certification, and how it ended. */
record Step(String name, Result result, Duration took) {
    /** How a step can end. */
    enum Outcome {
        PASSED("ok"),
        FAILED("FAILED"),
        SKIPPED("skipped");

        private final String word;

        Outcome(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    /**
     * What came of a step.
     *
     * @param note a few words beside its outcome; empty for none
     * @param details lines below it: a difference, or an error
     */
    record Result(Outcome outcome, String note, List<String> details) {
        Result {
            details = List.copyOf(details);
        }

        static Result passed(String note) {
            return new Result(Outcome.PASSED, note, List.of());
        }

        static Result failed(String note, List<String> details) {
            return new Result(Outcome.FAILED, note, details);
        }

        static Result skipped(String why) {
            return new Result(Outcome.SKIPPED, why, List.of());
        }

        boolean isFine() {
            return outcome != Outcome.FAILED;
        }
    }
}
