package io.pilothouse.pipes.wire;

/** What a worker asks about. */
public enum About {
    /** Where the database is and how to log in; wakes it if it sleeps, and keeps it awake until {@link #RELEASE}. */
    DATABASE,
    /** The database is not used for now. */
    RELEASE,
    /** How far parts of the source have been read. */
    RANGES,
    /** Reading of a part begins here, unless it was begun already. */
    BEGIN,
    /** These ranges are about to be inserted. */
    CLAIM,
    /** These ranges are in the table. */
    DONE,
    /** The next kept errors of a replay, as an {@link ErrorPortion}; those before them are in the table. */
    ERRORS,
    /** A new key of the role that the source names, as a {@link RoleKey}. */
    ROLE,
    /** The tables of a source that has tables: makes those that are missing, and adds columns that are. */
    TABLES,
    /** The table beside this target that keeps what could not be inserted: makes it if it is missing. */
    ERROR_TABLE,
    /** A table beside this one that refuses what this one does, and keeps nothing: makes it as this one is now. */
    TRIAL_TABLE,
    /** A new table for the rows of this file, which is to hold all of them before the target gets the first. */
    STAGE,
    /** That table is not needed any more. */
    UNSTAGE,
    /** Everything of these tables was read again: what was read takes the place of what was there. */
    SWAP,
    /** The source emptied these tables. */
    EMPTY,
    /** The fields of a source, as a {@link FoundFields}: the work of a worker that only looks is done. */
    FIELDS
}
