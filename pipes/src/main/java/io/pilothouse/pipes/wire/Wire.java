package io.pilothouse.pipes.wire;

import io.pilothouse.core.base.Tree;
import io.pilothouse.core.base.TreeBytes;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;

/**
 * The two pipes between the control plane and one worker: each message is its length and its bytes. One thread may read
 * while many write.
 */
public final class Wire implements Closeable {
    private static final int MAX_BYTES = 64 << 20;

    private final DataInputStream in;
    private final DataOutputStream out;
    private final int maxBytes;

    /** A message that the other side would not take; nothing of it was sent. */
    public static final class TooLarge extends IOException {
        private static final long serialVersionUID = 1L;

        TooLarge(int bytes) {
            super("A message of " + bytes + " bytes is too large");
        }
    }

    public Wire(InputStream in, OutputStream out) {
        this(in, out, MAX_BYTES);
    }

    Wire(InputStream in, OutputStream out, int maxBytes) {
        this.in = new DataInputStream(new BufferedInputStream(in));
        this.out = new DataOutputStream(new BufferedOutputStream(out));
        this.maxBytes = maxBytes;
    }

    public void send(Tree.Members message) throws IOException {
        byte[] bytes = TreeBytes.write(message);
        if (bytes.length > maxBytes) {
            throw new TooLarge(bytes.length);
        }
        synchronized (out) {
            out.writeInt(bytes.length);
            out.write(bytes);
            out.flush();
        }
    }

    /** The next message; empty once the other side is gone. */
    public Optional<Tree.Members> receive() throws IOException {
        try {
            int length = in.readInt();
            if (length < 0 || length > maxBytes) {
                throw new IOException("A message of " + length + " bytes is none of ours");
            }
            return Optional.of(TreeBytes.read(in.readNBytes(length)));
        } catch (EOFException gone) {
            return Optional.empty();
        }
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
