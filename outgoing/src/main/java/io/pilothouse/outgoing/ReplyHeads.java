package io.pilothouse.outgoing;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.ProtocolException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseParser;
import org.apache.hc.core5.http.io.SessionInputBuffer;

/**
 * Reads the heads of one connection, more strictly than the library does, which takes half a head for a whole one and
 * passes over interim answers without an end.
 */
final class ReplyHeads extends DefaultHttpResponseParser {
    private static final int MAX_HEADS = 5;

    private int heads;

    ReplyHeads(Http1Config config) {
        super(config);
    }

    @Override
    public ClassicHttpResponse parse(SessionInputBuffer buffer, InputStream in) throws IOException, HttpException {
        heads++;
        if (heads > MAX_HEADS) {
            throw new ProtocolException("No answer after " + MAX_HEADS + " interim ones");
        }
        return super.parse(buffer, new Unbroken(in));
    }

    /** Fails where the other stream ends. */
    private static final class Unbroken extends FilterInputStream {
        Unbroken(InputStream in) {
            super(in);
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int count = super.read(bytes, offset, length);
            if (count < 0) {
                throw new EOFException("The answer ended within its head");
            }
            return count;
        }
    }
}
