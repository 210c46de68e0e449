package io.pilothouse.bench;

import io.pilothouse.gateway.AccessList;
import io.pilothouse.gateway.Gateway;
import io.pilothouse.gateway.GatewayBackend;
import io.pilothouse.gateway.GatewayLimits;
import io.pilothouse.gateway.GatewayProtocol;
import io.pilothouse.gateway.GatewayReach;
import io.pilothouse.gateway.GatewayService;
import io.pilothouse.gateway.GatewaySettings;
import io.pilothouse.incoming.tls.TlsAuthority;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;

/** The front door by itself, before one service that is always awake. Arguments: a folder, and the port behind. */
final class DoorGateway {
    private DoorGateway() {}

    public static void main(String[] arguments) throws IOException, GeneralSecurityException, InterruptedException {
        InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
        TlsAuthority authority = TlsAuthority.open(Path.of(arguments[0]), Instant::now, new SecureRandom());
        int port = freePort(loopback);
        try (Gateway gateway = new Gateway(
                GatewaySettings.loopback(), authority, Executors.newVirtualThreadPerTaskExecutor(), Instant::now)) {
            gateway.serve(new GatewayService(
                    UUID.randomUUID(),
                    UUID.randomUUID(),
                    Map.of(GatewayProtocol.HTTPS, port),
                    AccessList.of(List.of("127.0.0.0/8")),
                    GatewayLimits.STANDARD,
                    new Awake(
                            new GatewayReach.Ready(new InetSocketAddress(loopback, Integer.parseInt(arguments[1]))))));
            System.out.println("https://127.0.0.1:" + port);
            // Until it is ended from outside.
            new CountDownLatch(1).await();
        }
    }

    private static int freePort(InetAddress address) throws IOException {
        try (ServerSocket probe = new ServerSocket(0, 1, address)) {
            return probe.getLocalPort();
        }
    }

    /** A database that never sleeps. */
    private record Awake(GatewayReach where) implements GatewayBackend {
        @Override
        public GatewayReach reach(GatewayProtocol protocol) {
            return where;
        }

        @Override
        public GatewayReach awaken(GatewayProtocol protocol, Duration atMost) {
            return where;
        }
    }
}
