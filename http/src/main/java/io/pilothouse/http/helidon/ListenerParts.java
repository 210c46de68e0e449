package io.pilothouse.http.helidon;

import io.helidon.common.context.Context;
import io.helidon.http.encoding.ContentEncodingContext;
import io.helidon.http.media.MediaContext;
import io.helidon.webserver.ListenerConfig;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.DirectHandlers;
import java.util.concurrent.ExecutorService;

/** The parts of a listener that Helidon's HTTP/1.1 asks for; only what is named here is there. */
record ListenerParts(
        Context context,
        MediaContext mediaContext,
        ContentEncodingContext contentEncodingContext,
        DirectHandlers directHandlers,
        ListenerConfig config,
        ExecutorService executor)
        implements ListenerContext {
    /** This much of a streamed answer goes to the socket in one piece. */
    private static final int PIECE_BYTES = 1 << 15;

    static ListenerParts of(String name, DirectHandlers handlers, ExecutorService threads) {
        return new ListenerParts(
                Context.builder().id("listener-" + name).build(),
                MediaContext.builder().mediaSupportsDiscoverServices(false).build(),
                ContentEncodingContext.builder()
                        .contentEncodingsDiscoverServices(false)
                        .build(),
                handlers,
                WebServerConfig.builder()
                        .shutdownHook(false)
                        .featuresDiscoverServices(false)
                        .protocolsDiscoverServices(false)
                        .writeBufferSize(PIECE_BYTES)
                        .buildPrototype(),
                threads);
    }
}
