package io.pilothouse.http.wire;

import io.pilothouse.core.right.Caller;
import io.pilothouse.core.right.Client;
import io.pilothouse.incoming.CalledAddress;
import java.io.InputStream;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One request as it arrived, and the only way to send its answer; used by one thread. */
public interface Exchange {
    /** A fresh UUID of version 4, which the answer, the log and the history of this request carry. */
    UUID requestId();

    /** Null for a method that routes cannot have. */
    @Nullable
    Verb verb();

    /** The path as it was sent, not decoded. */
    String path();

    /** The query as it was sent, without its question mark; empty when there is none. */
    String query();

    /** The values of a header, one for each line of it; empty when it was not sent. */
    List<String> field(RequestField field);

    /** The client's address: that of the other end of the socket, or what a trusted proxy there says. */
    InetAddress remoteAddress();

    /** By which address the client called this server; empty where it does not say so. */
    Optional<CalledAddress> calledAddress();

    /** What sent the request, as activities name it. */
    default Client client() {
        return Client.of(
                remoteAddress(),
                field(RequestField.USER_AGENT).stream().findFirst().orElse(null));
    }

    /** The caller was found to hold a key, so that a body counts as its own. */
    default void identified(Caller caller) {}

    /** The key of {@link #identified}; null while nobody was found to hold one. */
    default @Nullable UUID identifiedKey() {
        return null;
    }

    /** An injected fault struck this request: its answer carries the name, or never arrives if the fault cuts. */
    default void injected(Injected fault) {}

    /** What {@link #injected} gave; null for nearly every request. */
    default @Nullable Injected injected() {
        return null;
    }

    /** An injected fault by its name; one that cuts ends the connection in the place of any answer. */
    record Injected(String fault, boolean cuts) {
        /** The header of every answer that is not as it would have been. */
        public static final String HEADER = "X-Pilothouse-Fault";
    }

    boolean hasBody();

    /**
     * The whole body; may be read once.
     *
     * @throws io.pilothouse.core.base.Refused if it is larger than the limit, or its framing is broken
     * @throws ConnectionLost if the client went away or was too slow
     */
    byte[] body();

    /**
     * Has this done if the answer cannot be delivered: the client hung up before it was written, or it cannot be
     * written. One that was written counts as delivered, whatever becomes of it on its way.
     */
    void ifLost(Runnable then);

    /** Whether the client has hung up, where {@link #ifLost} has asked for it to be noticed. */
    boolean gone();

    /**
     * The body as it comes; may be had once, and instead of {@link #body}. Its reads throw what that throws.
     */
    InputStream stream();

    /**
     * Calls this at most once, on another thread, if the client hangs up while its request is handled, from the end of
     * its body on. Said before the last byte of the body is read.
     */
    void whenGone(Runnable gone);

    /**
     * Sends the answer, which must be the only one, and returns the size of its content in bytes.
     *
     * @throws ConnectionLost if the client went away
     */
    long answer(Answer answer);
}
