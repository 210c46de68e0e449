package io.pilothouse.core.port;

/**
 * Holds processes of this machine to memory and processors, where the operating system can and lets this program; where
 * not, nothing happens. A limit that cannot be set is logged and fails nothing. Safe for many threads.
 */
public interface ProcessLimits {
    /** For where nothing is held. */
    ProcessLimits NONE = new ProcessLimits() {
        @Override
        public void hold(String name, long pid, Share share) {}

        @Override
        public void forget(String name) {}
    };

    /** Holds a process and all that it starts, from now on; {@code name} stands for it, and may be held again. */
    void hold(String name, long pid, Share share);

    /** Takes away what was made for a process that has ended. */
    void forget(String name);

    /**
     * What a process may take: memory, thousandths of a processor (0 for all there are), and a weight among the others
     * where several want the same one.
     */
    record Share(long memoryBytes, int millicores, int weight) {
        public static final int USUAL_WEIGHT = 100;

        /** A third of the usual, which is what {@code nice 5} weighs. */
        public static final int GIVES_WAY = 33;

        private static final int MAX_WEIGHT = 10_000;

        public Share {
            if (memoryBytes < 1 || millicores < 0 || weight < 1 || weight > MAX_WEIGHT) {
                throw new IllegalArgumentException("A process has a share of something");
            }
        }

        /** As many processors as there are, and more than others the more memory it has. */
        public static Share byMemory(long memoryBytes) {
            return new Share(memoryBytes, 0, (int) Math.clamp(memoryBytes >> 30, 1L, MAX_WEIGHT));
        }
    }
}
