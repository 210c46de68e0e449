package io.pilothouse.pipes.wire;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.Map;
import jdk.net.ExtendedSocketOptions;

/** Has a connection end when the machine at its other side is gone, which says nothing when it loses its power. */
public final class KeptAlive {
    /** Asked after ten seconds of silence, such a machine is gone after 25. */
    private static final Map<SocketOption<Integer>, Integer> TIMES = Map.of(
            ExtendedSocketOptions.TCP_KEEPIDLE, 10,
            ExtendedSocketOptions.TCP_KEEPINTERVAL, 5,
            ExtendedSocketOptions.TCP_KEEPCOUNT, 3);

    private KeptAlive() {}

    public static void keep(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        for (Map.Entry<SocketOption<Integer>, Integer> time : TIMES.entrySet()) {
            if (socket.supportedOptions().contains(time.getKey())) {
                socket.setOption(time.getKey(), time.getValue());
            }
        }
    }
}
