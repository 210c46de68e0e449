package io.pilothouse.testkit.soak;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.stream.IntStream;

/** The hundred ports from this one on, which nobody else on the machine uses: listeners, ways to services, databases. */
public record SoakPorts(int first) {
    private static final int GATEWAY = 10;
    private static final int DATABASES = 50;
    private static final int ALL = 100;
    private static final int TRIED = 20;

    /** The first hundred from this one on at which nobody listens. */
    public static SoakPorts free(int from) {
        for (int first = from; first < from + TRIED * ALL; first += ALL) {
            SoakPorts ports = new SoakPorts(first);
            if (ports.taken().isEmpty()) {
                return ports;
            }
        }
        throw new IllegalStateException("No hundred ports are free from " + from + " on");
    }

    List<String> flags() {
        return List.of(
                "--listen=127.0.0.1:" + first,
                "--alerts-listen=127.0.0.1:" + (first + 1),
                "--query-listen=127.0.0.1:" + (first + 2),
                "--admin-listen=127.0.0.1:" + (first + 3),
                "--gateway-ports=" + (first + GATEWAY) + "-" + (first + DATABASES - 1),
                "--engine-ports=" + (first + DATABASES) + "-" + (first + ALL - 1));
    }

    String management() {
        return "http://127.0.0.1:" + first;
    }

    /** Those of services and their databases at which somebody listens. */
    List<Integer> takenByServices() {
        return taken(GATEWAY);
    }

    /** All at which somebody listens. */
    List<Integer> taken() {
        return taken(0);
    }

    private List<Integer> taken(int from) {
        return IntStream.range(first + from, first + ALL)
                .filter(port -> !isFree(port))
                .boxed()
                .toList();
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }
}
