package io.pilothouse.outgoing;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.hc.client5.http.classic.HttpClient;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.io.entity.InputStreamEntity;
import org.apache.hc.core5.io.Closer;
import org.jspecify.annotations.Nullable;

/** One request of which neither the body nor the answer is ever in memory as a whole. Used by one thread. */
public final class OutgoingStream implements AutoCloseable {
    private final HttpClient client;
    private final HttpUriRequestBase request;
    private final CompletableFuture<Void> deadline;
    private @Nullable ClassicHttpResponse response;

    OutgoingStream(HttpClient client, HttpUriRequestBase request, CompletableFuture<Void> deadline) {
        this.client = client;
        this.request = request;
        this.deadline = deadline;
    }

    /** The beginning of an answer, and its content as it comes. */
    public record Begun(int status, Map<String, String> fields, InputStream content) {}

    /**
     * Sends it, and returns when its answer begins.
     *
     * @throws IOException if there is no answer, also after a cancel or the deadline
     */
    public Begun send(InputStream body) throws IOException {
        request.setEntity(new InputStreamEntity(body, null));
        ClassicHttpResponse begun = OutgoingHttp.begin(client, request);
        response = begun;
        InputStream content = begun.getEntity() == null
                ? InputStream.nullInputStream()
                : begun.getEntity().getContent();
        return new Begun(begun.getCode(), OutgoingHttp.fields(begun), content);
    }

    /** Whether it was cancelled, or its time was up. */
    public boolean cancelled() {
        return request.isCancelled();
    }

    /** Ends it at once; may be called by any thread, at any time and again. */
    public void cancel() {
        request.cancel();
    }

    /** Lets go of the connection, whatever is still to come. */
    @Override
    public void close() {
        deadline.cancel(false);
        // Before it closes a connection, the library reads all that still comes.
        request.cancel();
        Closer.closeQuietly(response);
    }
}
