package io.pilothouse.core.domain;

import java.util.ArrayList;
import java.util.List;

/** Collects every fault of one request, so that the caller learns all of them at once; used by one thread. */
public final class Faults {
    private final List<Fault> found = new ArrayList<>();

    public void add(String path, String message) {
        found.add(new Fault(path, message));
    }

    /** Whether this path, or something below it, is known to be wrong: rules that compare fields leave it alone then. */
    public boolean has(String path) {
        for (Fault fault : found) {
            if (fault.path().equals(path)
                    || fault.path().startsWith(path + ".")
                    || fault.path().startsWith(path + "[")) {
                return true;
            }
        }
        return false;
    }

    public boolean none() {
        return found.isEmpty();
    }

    public List<Fault> list() {
        return List.copyOf(found);
    }

    /** Refuses the request when anything was found. */
    public void refuseIfAny() {
        if (!found.isEmpty()) {
            throw Refused.badRequest(found);
        }
    }
}
