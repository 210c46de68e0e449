package io.pilothouse.plane.local.bundled;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The C calls of the bundled ClickHouse's process: the library's own entry, and functions of libc that the JDK does not
 * offer.
 */
@SuppressWarnings("restricted")
final class NativeCalls {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private final Linker linker = Linker.nativeLinker();
    private final SymbolLookup libc = linker.defaultLookup();

    /**
     * Leaves the terminal's process group, so that a Ctrl-C there reaches the control plane alone; false if it had left
     * already.
     */
    boolean leaveProcessGroup() throws IOException {
        MethodHandle setsid = find(libc, "setsid", INT);
        try {
            return (int) setsid.invokeExact() >= 0;
        } catch (Throwable failure) {
            throw asIo("setsid", failure);
        }
    }

    void setEnvironment(String name, String value) throws IOException {
        MethodHandle setenv = find(libc, "setenv", INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, INT);
        try (Arena arena = Arena.ofConfined()) {
            accept("setenv", (int) setenv.invokeExact(arena.allocateFrom(name), arena.allocateFrom(value), 1));
        } catch (Throwable failure) {
            throw asIo("setenv", failure);
        }
    }

    int duplicate(int descriptor) throws IOException {
        MethodHandle dup = find(libc, "dup", INT, INT);
        try {
            return accept("dup", (int) dup.invokeExact(descriptor));
        } catch (Throwable failure) {
            throw asIo("dup", failure);
        }
    }

    /** Puts the reading end of a new pipe in place of {@code descriptor}, and returns the writing end. */
    int openPipeOver(int descriptor) throws IOException {
        MethodHandle pipe = find(libc, "pipe", INT, ValueLayout.ADDRESS);
        MethodHandle dup2 = find(libc, "dup2", INT, INT, INT);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment ends = arena.allocate(INT, 2);
            accept("pipe", (int) pipe.invokeExact(ends));
            int reading = ends.getAtIndex(INT, 0);
            accept("dup2", (int) dup2.invokeExact(reading, descriptor));
            close(reading);
            return ends.getAtIndex(INT, 1);
        } catch (Throwable failure) {
            throw asIo("pipe", failure);
        }
    }

    void close(int descriptor) throws IOException {
        MethodHandle close = find(libc, "close", INT, INT);
        try {
            accept("close", (int) close.invokeExact(descriptor));
        } catch (Throwable failure) {
            throw asIo("close", failure);
        }
    }

    /** Blocks until the other end of {@code descriptor} is closed; bytes written there are discarded. */
    void awaitEndOf(int descriptor) throws IOException {
        MethodHandle read = find(libc, "read", LONG, INT, ValueLayout.ADDRESS, LONG);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(64);
            long count;
            do {
                count = (long) read.invokeExact(descriptor, buffer, buffer.byteSize());
            } while (count > 0);
        } catch (Throwable failure) {
            throw asIo("read", failure);
        }
    }

    /** Runs ClickHouse's command line until it ends by itself, and returns its error if there was one. */
    Optional<String> runDatabase(Path library, List<String> arguments) throws IOException {
        SymbolLookup database = open(library);
        MethodHandle run = find(database, "chdb_query_cmdline", ValueLayout.ADDRESS, INT, ValueLayout.ADDRESS);
        MethodHandle errorOf = find(database, "chdb_result_error", ValueLayout.ADDRESS, ValueLayout.ADDRESS);
        try (Arena arena = Arena.ofConfined()) {
            // One more place for the null that ends every argv.
            MemorySegment argv = arena.allocate(ValueLayout.ADDRESS, arguments.size() + 1L);
            for (int i = 0; i < arguments.size(); i++) {
                argv.setAtIndex(ValueLayout.ADDRESS, i, arena.allocateFrom(arguments.get(i)));
            }
            MemorySegment result = (MemorySegment) run.invokeExact(arguments.size(), argv);
            if (result.address() == 0) {
                return Optional.of("it ended without a result");
            }
            MemorySegment error = (MemorySegment) errorOf.invokeExact(result);
            return error.address() == 0
                    ? Optional.empty()
                    : Optional.of(error.reinterpret(Long.MAX_VALUE).getString(0));
        } catch (Throwable failure) {
            throw asIo("chdb_query_cmdline", failure);
        }
    }

    private static SymbolLookup open(Path library) throws IOException {
        try {
            return SymbolLookup.libraryLookup(library, Arena.global());
        } catch (IllegalArgumentException failure) {
            throw new IOException("the ClickHouse library " + library.getFileName() + " cannot be loaded", failure);
        }
    }

    private MethodHandle find(SymbolLookup where, String name, MemoryLayout answer, MemoryLayout... arguments)
            throws IOException {
        MemorySegment address =
                where.find(name).orElseThrow(() -> new IOException("there is no function " + name + " to call"));
        return linker.downcallHandle(address, FunctionDescriptor.of(answer, arguments));
    }

    private static int accept(String name, int answer) throws IOException {
        if (answer < 0) {
            throw new IOException("the system refused " + name);
        }
        return answer;
    }

    private static IOException asIo(String name, Throwable failure) {
        return failure instanceof IOException known ? known : new IOException(name + " failed", failure);
    }
}
