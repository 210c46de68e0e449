package io.pilothouse.pipes.wire;

/** The words of the messages between the control plane and a worker. */
public final class Words {
    /** The member that says what sort of message it is. */
    public static final String SORT = "sort";

    /** The argument of a worker that says which fields its source has, and moves nothing. */
    public static final String LOOK = "look";

    /** To the worker: what to do, with every credential; the first message. */
    public static final String BEGIN = "begin";

    /** To the worker: finish what is in hand, and end. */
    public static final String DRAIN = "drain";

    /** To the worker: the answer to what it asked. */
    public static final String ANSWER = "answer";

    /** From the worker: how it is, and what it has done since the last report. */
    public static final String REPORT = "report";

    /** From the worker: a question; its answer has the same number. */
    public static final String QUESTION = "question";

    /** In a table mapping: how often the table alone was to be read again. */
    public static final String TIMES_AGAIN = "timesAgain";

    /** Which table is meant. */
    public static final String TABLE = "table";

    /** Which part of the source is meant. */
    public static final String PART = "part";

    /** Whether the target may refuse rows that can be read. */
    public static final String CONSTRAINED = "constrained";

    public static final String NUMBER = "number";
    public static final String ABOUT = "about";
    public static final String BODY = "body";
    public static final String REFUSED = "refused";

    private Words() {}
}
