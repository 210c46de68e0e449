package io.pilothouse.core.base;

import java.util.ArrayList;
import java.util.List;

/** Collects every fault of one request, so that the caller learns all of them at once; used by one thread. */
public final class Faults {
    private final List<Fault> found = new ArrayList<>();
    private final List<String> unreadable = new ArrayList<>();

    public void add(String path, String message) {
        if (!isUnreadable(path)) {
            found.add(new Fault(path, message));
        }
    }

    /** For an item of the wrong type, which keeps its place in its list: its stand-in is judged no more. */
    public void addUnreadable(String path, String message) {
        add(path, message);
        unreadable.add(path);
    }

    private boolean isUnreadable(String path) {
        for (String known : unreadable) {
            if (path.equals(known) || path.startsWith(known + ".") || path.startsWith(known + "[")) {
                return true;
            }
        }
        return false;
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
