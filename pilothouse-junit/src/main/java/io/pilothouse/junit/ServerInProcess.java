package io.pilothouse.junit;

import io.pilothouse.server.Up;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A server that is a part of the process of the tests. */
record ServerInProcess(TestFolder folder, Closeable program, ServerAccess access) implements RunningServer {
    static ServerInProcess start(Plane plane, Settings settings) {
        TestFolder folder = TestFolder.make();
        try {
            Closeable program =
                    Up.start(RunningServer.arguments(folder.path(), plane, settings.more()), settings.environment());
            return new ServerInProcess(folder, program, ServerAccess.readFrom(RunningServer.readyFile(folder.path())));
        } catch (IOException e) {
            folder.remove();
            throw new PilothouseException("The server did not start: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        try {
            program.close();
        } catch (IOException e) {
            throw new UncheckedIOException("The server did not stop well", e);
        } finally {
            folder.remove();
        }
    }
}
