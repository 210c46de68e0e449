package io.pilothouse.http.helidon;

import io.helidon.common.Size;
import io.helidon.http.RequestedUriDiscoveryContext;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionListener;
import java.util.List;

/**
 * What a listener asks of HTTP/1.1, with Helidon's defaults where it asks for nothing else. Written out because the
 * builder reads its defaults as texts, decimal numbers among them: a tenth of a start.
 */
@SuppressWarnings("removal") // What will go has to be there until it does.
final class Http1Settings implements Http1Config {
    private static final String NAME = "@default";
    private static final int BUFFERED_BYTES = 64 * 1024;

    private final Size buffered = Size.create(BUFFERED_BYTES);
    private final Http1ConnectionListener nobody = Http1ConnectionListener.create(List.of());
    private final RequestedUriDiscoveryContext discovery =
            RequestedUriDiscoveryContext.builder().socketId(NAME).build();
    private final int headBytes;

    Http1Settings(int headBytes) {
        this.headBytes = headBytes;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int maxPrologueLength() {
        return headBytes;
    }

    @Override
    public int maxHeadersSize() {
        return headBytes;
    }

    @Override
    public Size maxBufferedEntitySize() {
        return buffered;
    }

    @Override
    public boolean sendKeepAliveHeader() {
        return false;
    }

    @Override
    public boolean continueImmediately() {
        return false;
    }

    @Override
    public boolean validateRequestHostHeader() {
        return true;
    }

    @Override
    public boolean validateRequestHeaders() {
        return true;
    }

    @Override
    public boolean validateResponseHeaders() {
        return true;
    }

    @Override
    public boolean validatePrologue() {
        return true;
    }

    @Override
    public boolean validatePath() {
        return true;
    }

    @Override
    public RequestedUriDiscoveryContext requestedUriDiscovery() {
        return discovery;
    }

    @Override
    public List<Http1ConnectionListener> sendListeners() {
        return List.of();
    }

    @Override
    public List<Http1ConnectionListener> receiveListeners() {
        return List.of();
    }

    @Override
    public Http1ConnectionListener compositeSendListener() {
        return nobody;
    }

    @Override
    public Http1ConnectionListener compositeReceiveListener() {
        return nobody;
    }

    @Override
    public boolean receiveLog() {
        return false;
    }

    @Override
    public boolean sendLog() {
        return false;
    }
}
