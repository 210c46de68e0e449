package io.pilothouse.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The network between one program and a server of this machine, which can be cut. */
final class CutNetwork implements AutoCloseable {
    private static final int MAX_AT_ONCE = 16_384;
    private static final int WAITING = 64;

    private final ServerSocket listener;
    private final int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition whole = lock.newCondition();
    private boolean cut;

    /** Leads to this port. */
    CutNetwork(int target) throws IOException {
        this.target = target;
        listener = new ServerSocket(0, WAITING, InetAddress.getLoopbackAddress());
        Thread.startVirtualThread(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** From now on nothing comes through, and neither side hears of it. */
    void cut() {
        lock.lock();
        try {
            cut = true;
        } finally {
            lock.unlock();
        }
    }

    /** What was on its way arrives. */
    void mend() {
        lock.lock();
        try {
            cut = false;
            whole.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Every connection ends; new ones can be made. What was on its way is lost. */
    void reset() {
        sockets.forEach(CutNetwork::end);
        mend();
    }

    private void accept() {
        try {
            while (true) {
                Socket near = listener.accept();
                sockets.add(near);
                Thread.startVirtualThread(() -> connect(near));
            }
        } catch (IOException over) {
            sockets.forEach(CutNetwork::end);
        }
    }

    private void connect(Socket near) {
        try {
            awaitWhole();
            Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
            sockets.add(far);
            Thread.startVirtualThread(() -> carry(near, far));
            carry(far, near);
        } catch (IOException refused) {
            forget(near);
        }
    }

    private void carry(Socket from, Socket to) {
        byte[] bytes = new byte[MAX_AT_ONCE];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                awaitWhole();
                out.write(bytes, 0, read);
            }
            awaitWhole();
        } catch (IOException over) {
            // Both sides are told below.
        } finally {
            forget(from);
            forget(to);
        }
    }

    private void awaitWhole() {
        lock.lock();
        try {
            while (cut) {
                whole.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    private void forget(Socket socket) {
        sockets.remove(socket);
        end(socket);
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is as good as closed.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        reset();
    }
}
