package io.pilothouse.core.service;

import java.util.List;

/** Where clients reach a service: computed from its row and from nothing else, so that it is the same wherever it is asked. */
public interface Addresses {
    String host(Service service);

    /** Stable for the service's life; empty only while it has no ports where it needs some. */
    List<Endpoint> of(Service service);
}
