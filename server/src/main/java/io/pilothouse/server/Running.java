package io.pilothouse.server;

import io.pilothouse.core.engine.Dispatcher;
import io.pilothouse.http.wire.AnyRoute;
import java.util.List;

/** The program while it runs: how to reach it, the welcome for the person who started it, and how to end it. */
record Running(
        Urls urls,
        String welcome,
        List<String> ignoredVariables,
        String plane,
        List<AnyRoute> management,
        List<AnyRoute> alerts,
        List<AnyRoute> controls,
        Dispatcher dispatcher,
        Opened opened)
        implements AutoCloseable {

    /** Takes no more requests, lets those that run end, and closes every part. */
    @Override
    public void close() {
        opened.close();
    }

    /** Shows no secret: the welcome has them. */
    @Override
    public String toString() {
        return "Running[" + urls.base() + "]";
    }
}
