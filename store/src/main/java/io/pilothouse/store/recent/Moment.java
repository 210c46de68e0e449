package io.pilothouse.store.recent;

/**
 * A moment of a store that several processes write to, which lasts from one commit that changed rows to the next one. The
 * number counts them. The token is one commit's own, so that what a process was about to commit, and did not, is never
 * taken for what another one committed instead.
 */
public record Moment(long number, long token) {
    /** That of a store in which no row was changed yet. */
    public static final Moment FIRST = new Moment(0, 0);

    /** The next one, if a commit with this token makes it. */
    public Moment next(long nextToken) {
        return new Moment(number + 1, nextToken);
    }
}
