package io.pilothouse.console;

import io.pilothouse.incoming.CalledAddress;
import java.util.Optional;

/** Where those who read a page find the management API, seen from the address by which they called the page. */
@FunctionalInterface
public interface ApiPlace {
    Optional<CalledAddress> from(Optional<CalledAddress> called);

    /** On the listener of the page itself. */
    static ApiPlace beside() {
        return called -> called;
    }

    /** On another listener, at one address. */
    static ApiPlace at(CalledAddress api) {
        return _ -> Optional.of(api);
    }

    /** On another listener, at this port of every address of this machine, so under the name that led to the page. */
    static ApiPlace atPort(int port, CalledAddress otherwise) {
        return called -> called.map(page -> page.authority().replaceFirst(":\\d+$", ""))
                .map(host -> new CalledAddress(otherwise.scheme(), host + ":" + port))
                .or(() -> Optional.of(otherwise));
    }
}
