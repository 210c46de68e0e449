package io.pilothouse.pipes.worker.outside;

/** Something outside that did not work; the message is a sentence for the pipe's owner, without secrets. */
public abstract sealed class Trouble extends Exception {
    private static final long serialVersionUID = 1L;

    private Trouble(String sentence) {
        super(sentence);
    }

    public String sentence() {
        return String.valueOf(getMessage());
    }

    /** The source does not answer, or is busy: it may be better later. */
    public static final class SourceAway extends Trouble {
        private static final long serialVersionUID = 1L;

        public SourceAway(String sentence) {
            super(sentence);
        }
    }

    /** The database does not answer, or cannot take rows now. */
    public static final class DestinationAway extends Trouble {
        private static final long serialVersionUID = 1L;

        private final boolean missing;

        public DestinationAway(String sentence) {
            this(sentence, false);
        }

        DestinationAway(String sentence, boolean missing) {
            super(sentence);
            this.missing = missing;
        }

        /** Whether it answers that a table or a database, which the sentence names, is not there. */
        public boolean isMissing() {
            return missing;
        }
    }

    /** It stays like this until the pipe's owner changes something. */
    public static final class Owner extends Trouble {
        private static final long serialVersionUID = 1L;

        public Owner(String sentence) {
            super(sentence);
        }
    }

    /** The database could not read what it was given. */
    public static final class BadData extends Trouble {
        private static final long serialVersionUID = 1L;

        public BadData(String sentence) {
            super(sentence);
        }
    }

    /** Another worker goes on from here, or this one is to end. */
    public static final class Yield extends Trouble {
        private static final long serialVersionUID = 1L;

        public Yield(String sentence) {
            super(sentence);
        }
    }
}
