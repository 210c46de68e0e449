package io.pilothouse.pipes.worker.outside;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Counts the bytes that pass. For one thread. */
public final class CountingStream extends FilterOutputStream {
    private long bytes;

    public CountingStream(OutputStream out) {
        super(out);
    }

    public long bytes() {
        return bytes;
    }

    @Override
    public void write(int single) throws IOException {
        out.write(single);
        bytes++;
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        out.write(from, offset, length);
        bytes += length;
    }
}
