package io.pilothouse.gateway.door;

import io.pilothouse.gateway.GatewayLog;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which addresses lead to where this gateway listens. Two hosts on one machine may listen at one address, and then a
 * port of the one must stay free for it while its program is away.
 */
final class OwnMachine {
    private static final long KNOWN_FOR_NANOS = Duration.ofMinutes(5).toNanos();

    private final List<InetAddress> listening;
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    private record Known(boolean isHere, long since) {}

    OwnMachine(List<InetAddress> listening) {
        this.listening = List.copyOf(listening);
    }

    /** May wait for a look-up of the name. One that leads nowhere does not lead here. */
    boolean isAt(String address) {
        long now = System.nanoTime();
        Known last = known.get(address);
        if (last == null || now - last.since > KNOWN_FOR_NANOS) {
            last = new Known(resolve(address), now);
            known.put(address, last);
        }
        return last.isHere;
    }

    private boolean resolve(String address) {
        try {
            for (InetAddress each : InetAddress.getAllByName(address)) {
                for (InetAddress own : listening) {
                    if (own.equals(each) || (own.isAnyLocalAddress() && isOfThisMachine(each))) {
                        return true;
                    }
                }
            }
        } catch (IOException unknown) {
            GatewayLog.debug("the address of a host leads nowhere", unknown);
        }
        return false;
    }

    private static boolean isOfThisMachine(InetAddress address) throws IOException {
        return address.isLoopbackAddress()
                || address.isAnyLocalAddress()
                || NetworkInterface.getByInetAddress(address) != null;
    }
}
