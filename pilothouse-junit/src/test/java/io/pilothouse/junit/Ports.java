package io.pilothouse.junit;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;

/** Whether anything listens. */
final class Ports {
    private Ports() {}

    static boolean isOpen(URI address) {
        try (Socket socket = new Socket(address.getHost(), address.getPort())) {
            return socket.isConnected();
        } catch (IOException refused) {
            return false;
        }
    }
}
