package io.pilothouse.pipes.worker.outside;

/** What a pipe reads. */
@FunctionalInterface
public interface Source {
    /** Reads until there is no more, nothing can be read any more, or the worker is to drain; it reports each of them. */
    void run() throws InterruptedException;
}
