package io.pilothouse.pipes.wire;

/** The names of the tables that a pipe makes beside one of its own. */
public final class BesideTable {
    /** The database of the tables that hold a file until all of it is there. */
    public static final String STAGED = "clickpipes_staged";

    private BesideTable() {}

    /** Keeps what could not be inserted. */
    public static String errors(String table) {
        return table + "_clickpipes_error";
    }

    /** Takes what is read again, until it takes the table's place. */
    public static String again(String table) {
        return table + "_resync";
    }

    /** Takes and refuses what the table would, and keeps nothing. */
    public static String trial(String table) {
        return table + "_clickpipes_trial";
    }
}
