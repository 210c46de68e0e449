package io.pilothouse.server;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;

/** The parts that were opened so far, closed in reverse; one part that fails to close does not keep the others open. */
final class Opened implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Opened.class.getName());

    private final Deque<Part> parts = new ArrayDeque<>();

    private record Part(String name, Closing closing) {}

    /** How a part is closed. */
    @FunctionalInterface
    interface Closing {
        void close() throws Exception;
    }

    void add(String name, Closing closing) {
        parts.push(new Part(name, closing));
    }

    @Override
    public void close() {
        while (!parts.isEmpty()) {
            Part part = parts.pop();
            try {
                part.closing().close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (Exception e) {
                LOG.log(Level.WARNING, "The " + part.name() + " did not close well", e);
            }
        }
    }
}
