package io.pilothouse.gateway;

import java.io.Closeable;
import java.io.IOException;

/** The log of what went wrong with single connections: common, so written at debug level only. */
public final class GatewayLog {
    private static final System.Logger LOG = System.getLogger("io.pilothouse.gateway.Gateway");

    private GatewayLog() {}

    public static void debug(String sentence, Throwable cause) {
        LOG.log(System.Logger.Level.DEBUG, sentence, cause);
    }

    public static void warn(String sentence) {
        LOG.log(System.Logger.Level.WARNING, sentence);
    }

    public static void warn(String sentence, Throwable cause) {
        LOG.log(System.Logger.Level.WARNING, sentence, cause);
    }

    static void closeQuietly(Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException ignored) {
            debug("a socket did not close cleanly", ignored);
        }
    }
}
