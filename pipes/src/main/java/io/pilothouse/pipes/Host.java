package io.pilothouse.pipes;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;

/** What one worker lives in, and the two ways between it and this process. */
interface Host {
    InputStream in() throws IOException;

    OutputStream out() throws IOException;

    /** The worker is about to be heard; {@code name} is the pipe's. */
    void begin(String name, ThreadFactory readers);

    void kill();

    /** Nothing more comes from the worker: waits for its end, and says how it went. */
    String awaitEnd();

    /** Whether it has ended within this time. */
    boolean awaitEnd(Duration atMost) throws InterruptedException;

    /** What it uses of this machine; empty where it is on another. */
    Optional<ProcessUse> use();
}
