package io.pilothouse.core.service;

import io.pilothouse.core.base.RowIds;
import java.util.List;
import java.util.UUID;

/** Where clients reach a service: computed from its row and from nothing else, so that it is the same wherever it is asked. */
public interface Addresses {
    /** All that is random at the end of an id, so that two names differ as surely as two ids. */
    int NAME_DIGITS = 16;

    /** The name of a service under a domain: one label, because that is all that a wildcard certificate stands for. */
    static String nameUnder(String domain, UUID serviceId) {
        return RowIds.lastDigits(serviceId, NAME_DIGITS) + "." + domain;
    }

    String host(Service service);

    /** Stable for the service's life; empty only while it has no ports where it needs some. */
    List<Endpoint> of(Service service);
}
