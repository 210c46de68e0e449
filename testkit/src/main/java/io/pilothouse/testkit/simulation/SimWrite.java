package io.pilothouse.testkit.simulation;

import io.pilothouse.core.base.Kind;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What one write changes, which counts once it is committed. */
final class SimWrite {
    private final Set<Kind<?>> touched = new LinkedHashSet<>();
    private final List<Note> notes = new ArrayList<>();
    private boolean tasks;

    /** Something about a claim of a process. */
    @FunctionalInterface
    interface Note {
        void on(SimFence fence, SimPort port);
    }

    /** The work begins, perhaps not for the first time. */
    void begin() {
        touched.clear();
        notes.clear();
    }

    void touch(Kind<?> kind) {
        touched.add(kind);
    }

    /** It has to do with tasks. */
    void meetTasks() {
        tasks = true;
    }

    boolean hasTasks() {
        return tasks;
    }

    void note(Note note) {
        notes.add(note);
    }

    void committed(SimWorld world, SimFence fence, SimPort port) {
        if (!touched.isEmpty()) {
            fence.changed();
        }
        touched.forEach(world::touch);
        notes.forEach(note -> note.on(fence, port));
    }
}
