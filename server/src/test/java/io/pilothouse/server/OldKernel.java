package io.pilothouse.server;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Map;

/**
 * Starts the program as if the kernel knew nothing of Landlock and, unless it is said to have them, nothing of questions
 * about system calls: both are answered with ENOSYS, to this process and to all that it starts.
 */
@SuppressWarnings("restricted")
final class OldKernel {
    /** A property of the JVM: Landlock alone is missing. */
    static final String WITHOUT_LANDLOCK_ALONE = "without.landlock.alone";

    private static final int NO_NEW_PRIVILEGES = 38;
    private static final long FILTER_MODE = 1;
    private static final long ALL_THREADS = 1;
    private static final long LANDLOCK = 444;
    private static final int NO_SUCH_CALL = 38;

    private OldKernel() {}

    /** The number of the call that makes filters; 0 on a processor that this does not know. */
    static long seccomp() {
        return switch (System.getProperty("os.arch")) {
            case "amd64" -> 317;
            case "aarch64" -> 277;
            default -> 0;
        };
    }

    public static void main(String[] arguments) throws Throwable {
        Linker linker = Linker.nativeLinker();
        MethodHandle call = linker.downcallHandle(
                linker.defaultLookup().find("syscall").orElseThrow(),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG),
                Linker.Option.firstVariadicArg(1));
        MethodHandle prctl = linker.downcallHandle(
                linker.defaultLookup().find("prctl").orElseThrow(),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG),
                Linker.Option.firstVariadicArg(1));
        long[] filter = {
            instruction(0x20, 0, 0),
            instruction(0x15, 4, LANDLOCK),
            instruction(0x15, 3, LANDLOCK + 1),
            instruction(0x15, 2, LANDLOCK + 2),
            instruction(0x15, 1, Boolean.getBoolean(WITHOUT_LANDLOCK_ALONE) ? LANDLOCK : seccomp()),
            instruction(0x06, 0, 0x7FFF0000),
            instruction(0x06, 0, 0x00050000 | NO_SUCH_CALL)
        };
        long answer = (int) prctl.invokeExact(NO_NEW_PRIVILEGES, 1L, 0L, 0L, 0L);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment program = arena.allocate(16, 8);
            program.set(ValueLayout.JAVA_SHORT, 0, (short) filter.length);
            program.set(
                    ValueLayout.JAVA_LONG,
                    8,
                    arena.allocateFrom(ValueLayout.JAVA_LONG, filter).address());
            answer |= (long) call.invokeExact(seccomp(), FILTER_MODE, ALL_THREADS, program.address());
        }
        if (answer != 0) {
            throw new IllegalStateException("The filter was refused.");
        }
        System.exit(new Main(Map.of(), System.out, System.err).run(List.of(arguments)));
    }

    private static long instruction(int code, int skipIfEqual, long value) {
        return code | (long) skipIfEqual << 16 | value << 32;
    }
}
