package io.pilothouse.http.helidon;

import java.io.IOException;
import java.io.OutputStream;

/** Passes bytes on and counts them. */
final class CountingStream extends OutputStream {
    private final OutputStream out;
    private long count;

    CountingStream(OutputStream out) {
        this.out = out;
    }

    long count() {
        return count;
    }

    @Override
    public void write(int b) throws IOException {
        out.write(b);
        count++;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
        count += length;
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
