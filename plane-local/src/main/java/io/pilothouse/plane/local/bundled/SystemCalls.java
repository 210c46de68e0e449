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
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;

/** Linux's own calls by their numbers, for what neither the JDK nor every libc has a name for. */
@SuppressWarnings("restricted")
final class SystemCalls {
    private static final int NO_NEW_PRIVILEGES = 38;
    private static final int MAX_ARGUMENTS = 5;
    private static final VarHandle ERROR =
            Linker.Option.captureStateLayout().varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private final MethodHandle call;
    private final MethodHandle prctl;
    private final MethodHandle open;
    private final MethodHandle close;

    /** The answer of a call; {@code error} is its number, and 0 where it succeeded. */
    record Answer(long value, int error) {
        long orRefuse(String what) throws IOException {
            if (error != 0) {
                throw new IOException("the system refused the " + what + " (error " + error + ")");
            }
            return value;
        }
    }

    SystemCalls() throws IOException {
        Linker linker = Linker.nativeLinker();
        call = linker.downcallHandle(
                find(linker.defaultLookup(), "syscall"),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG),
                Linker.Option.firstVariadicArg(1),
                Linker.Option.captureCallState("errno"));
        prctl = linker.downcallHandle(
                find(linker.defaultLookup(), "prctl"),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG),
                Linker.Option.firstVariadicArg(1));
        open = linker.downcallHandle(
                find(linker.defaultLookup(), "open"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
                Linker.Option.firstVariadicArg(2));
        close = linker.downcallHandle(
                find(linker.defaultLookup(), "close"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    }

    static boolean isLinux() {
        return System.getProperty("os.name").equals("Linux");
    }

    /** With at most five arguments. */
    Answer call(long number, long... arguments) throws IOException {
        long[] all = Arrays.copyOf(arguments, MAX_ARGUMENTS);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
            long value = (long) call.invokeExact(state, number, all[0], all[1], all[2], all[3], all[4]);
            return new Answer(value, value < 0 ? (int) ERROR.get(state, 0L) : 0);
        } catch (Throwable failure) {
            throw asIo(failure);
        }
    }

    int open(String path, int flags) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            int descriptor = (int) open.invokeExact(arena.allocateFrom(path), flags);
            if (descriptor < 0) {
                throw new IOException("the system refused the opening of " + path);
            }
            return descriptor;
        } catch (Throwable failure) {
            throw asIo(failure);
        }
    }

    void close(int descriptor) throws IOException {
        try {
            if ((int) close.invokeExact(descriptor) < 0) {
                throw new IOException("the system refused the closing of a file");
            }
        } catch (Throwable failure) {
            throw asIo(failure);
        }
    }

    /** What a thread needs before it may confine itself, unless it is the superuser's. */
    void forbidNewPrivileges() throws IOException {
        try {
            if ((int) prctl.invokeExact(NO_NEW_PRIVILEGES, 1L, 0L, 0L, 0L) < 0) {
                throw new IOException("the system refused the giving up of privileges");
            }
        } catch (Throwable failure) {
            throw asIo(failure);
        }
    }

    /** Becomes another program, with this thread's fences around it; returns only if the system refuses. */
    void become(List<String> commandLine) throws IOException {
        Linker linker = Linker.nativeLinker();
        MethodHandle execv = linker.downcallHandle(
                find(linker.defaultLookup(), "execv"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS),
                Linker.Option.captureCallState("errno"));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
            MemorySegment words = arena.allocate(ValueLayout.ADDRESS, commandLine.size() + 1L);
            for (int i = 0; i < commandLine.size(); i++) {
                words.setAtIndex(ValueLayout.ADDRESS, i, arena.allocateFrom(commandLine.get(i)));
            }
            if ((int) execv.invokeExact(state, words.getAtIndex(ValueLayout.ADDRESS, 0), words) != 0) {
                throw new IOException("the system refused to start " + commandLine.getFirst() + " (error "
                        + (int) ERROR.get(state, 0L) + ")");
            }
        } catch (Throwable failure) {
            throw asIo(failure);
        }
    }

    private static MemorySegment find(SymbolLookup libc, String name) throws IOException {
        return libc.find(name).orElseThrow(() -> new IOException("there is no function " + name + " to call"));
    }

    static IOException asIo(Throwable failure) {
        return failure instanceof IOException known ? known : new IOException("a system call failed", failure);
    }
}
