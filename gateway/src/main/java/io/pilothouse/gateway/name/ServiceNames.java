package io.pilothouse.gateway.name;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Who is asked for by which name; a look-up costs the same with any number of them. Safe for many threads. */
public final class ServiceNames<T> {
    private final Map<String, T> owners = new ConcurrentHashMap<>();

    /** False if the name is another's, and then it stays so. */
    public boolean claim(String name, T owner) {
        T present = owners.putIfAbsent(name, owner);
        return present == null || present.equals(owner);
    }

    /** Does nothing if the name is another's. */
    public void release(String name, T owner) {
        owners.remove(name, owner);
    }

    public Optional<T> find(String name) {
        return Optional.ofNullable(owners.get(name));
    }
}
