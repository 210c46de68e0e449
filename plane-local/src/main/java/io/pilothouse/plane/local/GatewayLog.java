package io.pilothouse.plane.local;

import java.io.Closeable;
import java.io.IOException;

/** Where the gateway notes what went wrong with one connection: everyday, so only for those who ask for it. */
final class GatewayLog {
    private static final System.Logger LOG = System.getLogger("io.pilothouse.plane.local.Gateway");

    private GatewayLog() {}

    static void debug(String sentence, Throwable cause) {
        LOG.log(System.Logger.Level.DEBUG, sentence, cause);
    }

    static void warn(String sentence) {
        LOG.log(System.Logger.Level.WARNING, sentence);
    }

    static void warn(String sentence, Throwable cause) {
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
