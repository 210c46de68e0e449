package io.pilothouse.testkit.simulation;

/** Something that must always be true was not: an error, so that nothing on the way handles it. */
final class SimBroken extends Error {
    private static final long serialVersionUID = 1L;

    SimBroken(String what) {
        super(what);
    }
}
