package io.pilothouse.http.wire;

import java.net.InetAddress;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One request as it came and the one place its answer goes to; used by one thread. */
public interface Exchange {
    /** A fresh UUID of version 4, which the answer, the log and the history of this request carry. */
    UUID requestId();

    /** Null for a method that no route can have. */
    @Nullable
    Verb verb();

    /** The path as it was sent, not decoded. */
    String path();

    /** The query as it was sent, without its question mark; empty when there is none. */
    String query();

    /** The values of a header, one for each line of it; empty when it was not sent. */
    List<String> field(RequestField field);

    /** Who is at the other end of the socket. */
    InetAddress remoteAddress();

    boolean hasBody();

    /**
     * The whole body; asked for once.
     *
     * @throws io.pilothouse.core.domain.Refused if it is larger than the limit, or its framing is broken
     * @throws ConnectionLost if the client went away or was too slow
     */
    byte[] body();

    /**
     * Sends the answer, which must be the only one, and says how many bytes its content had.
     *
     * @throws ConnectionLost if the client went away
     */
    long answer(Answer answer);
}
