package io.pilothouse.pipes;

import java.util.Map;

/** The connectors of a cluster of Kafka Connect, as its REST interface shows them. Safe for many threads. */
public interface Connectors {
    /** Makes a connector, or changes the one of this name, and has it run. */
    void run(String name, Map<String, String> configuration) throws Away;

    Sight look(String name) throws Away;

    /** Starts those of its parts again that have failed. */
    void restart(String name) throws Away;

    /** Has it run again after somebody made it stand still. */
    void resume(String name) throws Away;

    /** Takes its tasks away and keeps its configuration; one that is not there stands still already. */
    void stop(String name) throws Away;

    /** One that is not there is deleted already. */
    void delete(String name) throws Away;

    /** How a connector is. */
    sealed interface Sight {
        record Missing() implements Sight {}

        record Running() implements Sight {}

        /** Somebody paused or stopped it. */
        record Still() implements Sight {}

        /** It, or one of its tasks, failed; {@code reason} is the first line of what Kafka Connect says. */
        record Failed(String reason) implements Sight {}
    }

    /** Kafka Connect does not answer, or refuses; the message is a sentence for the owner of a pipe. */
    final class Away extends Exception {
        private static final long serialVersionUID = 1L;

        public Away(String sentence) {
            super(sentence);
        }

        public String sentence() {
            return String.valueOf(getMessage());
        }
    }
}
