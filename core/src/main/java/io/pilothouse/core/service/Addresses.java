package io.pilothouse.core.service;

import java.util.List;

/** Where clients reach a service: pure, known from its creation on, and stable for its life. */
@FunctionalInterface
public interface Addresses {
    List<Endpoint> of(Service service);
}
