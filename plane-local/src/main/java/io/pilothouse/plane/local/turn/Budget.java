package io.pilothouse.plane.local.turn;

import io.pilothouse.core.port.ProcessLimits;

/**
 * What the databases of this machine may take together: memory, starts at once, and all of the disk but its last bytes.
 * A database counts with what an idle one takes and some more; what its queries take is bounded by the whole.
 */
public record Budget(long memoryBytes, int startsAtOnce, long keptFreeBytes) {
    /** An idle one takes 280 MB. */
    static final long OF_ONE = 384L << 20;

    private static final long BESIDE_THE_HEAP = 256L << 20;

    public Budget {
        if (memoryBytes < 1 || startsAtOnce < 1 || keptFreeBytes < 0) {
            throw new IllegalArgumentException("A budget has room for something");
        }
    }

    /** What a machine with that memory has beside a control plane with that heap. */
    public static long memoryBeside(long machineBytes, long heapBytes) {
        return Math.max(OF_ONE, machineBytes - heapBytes - BESIDE_THE_HEAP);
    }

    /** What the process of a database with that ceiling may take; ClickHouse counts most of it, and not all. */
    public ProcessLimits.Share share(long ceilingBytes) {
        return ProcessLimits.Share.byMemory(Math.min(ceilingBytes, memoryBytes) + OF_ONE);
    }

    /** How many there may be at once; one always may. */
    public long databases() {
        return Math.max(1, memoryBytes / OF_ONE);
    }
}
