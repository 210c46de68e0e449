package io.pilothouse.junit;

import org.jspecify.annotations.Nullable;

/** The server of a run, or why there is none: a start that failed is not tried again for each test. */
final class ServerOfRun implements AutoCloseable {
    private final @Nullable RunningServer server;
    private final String failure;

    private ServerOfRun(@Nullable RunningServer server, String failure) {
        this.server = server;
        this.failure = failure;
    }

    static ServerOfRun start(Plane plane, Settings settings, ProgramCommand.Preparation preparation) {
        try {
            return new ServerOfRun(
                    settings.sameProcess()
                            ? ServerInProcess.start(plane, settings)
                            : ServerAsChild.start(plane, settings, preparation),
                    "");
        } catch (PilothouseException e) {
            return new ServerOfRun(null, String.valueOf(e.getMessage()));
        }
    }

    ServerAccess access() {
        if (server == null) {
            throw new PilothouseException(failure);
        }
        return server.access();
    }

    @Override
    public void close() {
        if (server != null) {
            server.close();
        }
    }
}
