package io.pilothouse.pipes.worker.postgres;

import io.pilothouse.pipes.worker.outside.CountingStream;
import java.io.IOException;
import java.io.OutputStream;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;

/** The rows of a query as the text that COPY gives, straight into the body of an insert. For one thread. */
final class RangeCopy implements RowLoad.Rows {
    private final PGConnection connection;
    private final String select;
    private long rows;
    private long bytes;
    private @Nullable SQLException failure;

    RangeCopy(PGConnection connection, String select) {
        this.connection = connection;
        this.select = select;
    }

    /** How many rows it had when it was last read to its end. */
    long rows() {
        return rows;
    }

    long bytes() {
        return bytes;
    }

    /** What was wrong with the source, if it broke off. */
    @Nullable
    SQLException failure() {
        return failure;
    }

    @Override
    public void write(OutputStream out) throws IOException {
        CountingStream counting = new CountingStream(out);
        try {
            rows = connection.getCopyAPI().copyOut(select, counting);
            bytes = counting.bytes();
        } catch (SQLException error) {
            throw broken(error);
        }
    }

    private IOException broken(SQLException error) {
        failure = error;
        return new IOException("The source broke off", error);
    }

    /** In the order of the pages, which is the same each time in one snapshot. */
    @Override
    public RowLoad.Lines lines() throws IOException {
        try {
            return new Walk(connection.getCopyAPI().copyOut(select));
        } catch (SQLException error) {
            throw broken(error);
        }
    }

    /** The source sends each row in a message of its own. */
    private final class Walk implements RowLoad.Lines {
        private final CopyOut copy;
        private long lines;
        private long length;

        Walk(CopyOut copy) {
            this.copy = copy;
        }

        @Override
        public byte @Nullable [] next() throws IOException {
            try {
                byte[] line = copy.readFromCopy();
                if (line == null) {
                    rows = lines;
                    bytes = length;
                } else {
                    lines++;
                    length += line.length;
                }
                return line;
            } catch (SQLException error) {
                throw broken(error);
            }
        }

        @Override
        public void close() throws IOException {
            try {
                if (copy.isActive()) {
                    copy.cancelCopy();
                }
            } catch (SQLException error) {
                throw broken(error);
            }
        }
    }
}
