package io.pilothouse.pipes;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.Socket;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A task of Kafka Connect on some machine. It reaches everything of ours over connections to this process: its orders,
 * and the database. Cutting them ends what it can do, whether it notices or not. Safe for many threads.
 */
final class TaskHost implements Host {
    private static final Logger LOG = System.getLogger(TaskHost.class.getName());

    private final Socket secured;
    private final String visit;
    private final CountDownLatch end = new CountDownLatch(1);
    private final Set<Closeable> open = new HashSet<>();
    private boolean cut;
    private volatile @Nullable String database;

    /** {@code secured} is over {@code socket}, which alone closes without a word that could be waited for. */
    TaskHost(Socket socket, Socket secured, String visit) {
        this.secured = secured;
        this.visit = visit;
        open.add(socket);
    }

    /** What the task calls this visit of its own. */
    String visit() {
        return visit;
    }

    /** Where its database is, once it has asked. */
    Optional<String> database() {
        return Optional.ofNullable(database);
    }

    void lead(String address) {
        database = address;
    }

    /** Another connection of the same task, cut with all others; false if they were cut already. */
    synchronized boolean add(Closeable connection) {
        return !cut && open.add(connection);
    }

    synchronized void forget(Closeable connection) {
        open.remove(connection);
    }

    @Override
    public InputStream in() throws IOException {
        return secured.getInputStream();
    }

    @Override
    public OutputStream out() throws IOException {
        return secured.getOutputStream();
    }

    @Override
    public void begin(String name, ThreadFactory readers) {
        // Its words are in the log of Kafka Connect.
    }

    @Override
    public synchronized void kill() {
        cut = true;
        for (Closeable connection : open) {
            try {
                connection.close();
            } catch (IOException gone) {
                LOG.log(Level.DEBUG, "A connection of a task of Kafka Connect was closed already");
            }
        }
        open.clear();
    }

    @Override
    public String awaitEnd() {
        kill();
        end.countDown();
        return "A task of Kafka Connect went away; Kafka Connect starts it again, or elsewhere.";
    }

    @Override
    public boolean awaitEnd(Duration atMost) throws InterruptedException {
        return end.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public Optional<ProcessUse> use() {
        return Optional.empty();
    }
}
