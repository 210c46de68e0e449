package io.pilothouse.plane.local.bundled;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Confines the calling thread, and all that it starts, to a few folders (Linux calls this Landlock). The bundled
 * ClickHouse acts as a tool of the person at the keyboard and opens any file that SQL names; its users' rights forbid
 * that, and this holds even if those rights have a gap. Without Landlock it does nothing and says so.
 */
@SuppressWarnings("restricted")
public final class FileFence {
    // The numbers of these system calls are the same on every processor.
    private static final long CREATE_RULES = 444;
    private static final long ADD_RULE = 445;
    private static final long RESTRICT_SELF = 446;
    private static final long ONLY_ASK_VERSION = 1;
    private static final int BELOW_A_PATH = 1;
    private static final int NO_NEW_PRIVILEGES = 38;
    private static final int PATH_ONLY_CLOSED_ON_EXEC = 0x280000;

    private static final long WRITE_FILE = 1 << 1;
    private static final long READ_FILE = 1 << 2;
    private static final long READ_FOLDER = 1 << 3;
    // Every right that the first version knew, including running programs; later versions added one or two each.
    private static final long FIRST_VERSION = (1 << 13) - 1;
    private static final long MOVE_BETWEEN_FOLDERS = 1 << 13;
    private static final long TRUNCATE = 1 << 14;
    private static final long EXECUTE = 1;

    private static final List<Path> SYSTEM = List.of(
            Path.of("/usr"),
            Path.of("/lib"),
            Path.of("/lib64"),
            Path.of("/sys"),
            // Of its own process and of the machine: other processes' descriptors stay private.
            Path.of("/proc/self"),
            Path.of("/proc/sys"),
            Path.of("/proc/pressure"),
            Path.of("/proc/cpuinfo"),
            Path.of("/proc/diskstats"),
            Path.of("/proc/filesystems"),
            Path.of("/proc/loadavg"),
            Path.of("/proc/meminfo"),
            Path.of("/proc/stat"),
            Path.of("/proc/uptime"),
            Path.of("/proc/version"),
            Path.of("/proc/vmstat"),
            Path.of("/dev/urandom"),
            Path.of("/dev/random"),
            Path.of("/etc/hosts"),
            Path.of("/etc/resolv.conf"),
            Path.of("/etc/nsswitch.conf"),
            Path.of("/etc/host.conf"),
            Path.of("/etc/gai.conf"),
            Path.of("/etc/localtime"),
            Path.of("/etc/timezone"),
            Path.of("/etc/ssl"),
            Path.of("/etc/pki"),
            Path.of("/etc/ca-certificates"),
            Path.of("/etc/ld.so.cache"));

    private final Linker linker = Linker.nativeLinker();
    private final SymbolLookup libc = linker.defaultLookup();

    /** The version of the system's Landlock; 0 where there is none. */
    public long version() throws IOException {
        if (!System.getProperty("os.name").equals("Linux")) {
            return 0;
        }
        return Math.max(0, systemCall(CREATE_RULES, 0, 0, ONLY_ASK_VERSION, 0));
    }

    /** Allows reading the first and using the second, and forbids all other files; this cannot be undone. */
    void close(List<Path> readable, List<Path> writable) throws IOException {
        long version = version();
        long all = FIRST_VERSION | (version >= 2 ? MOVE_BETWEEN_FOLDERS : 0) | (version >= 3 ? TRUNCATE : 0);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handled = arena.allocateFrom(ValueLayout.JAVA_LONG, all);
            long rules = accept("rule set", systemCall(CREATE_RULES, handled.address(), handled.byteSize(), 0, 0));
            for (Path path : SYSTEM) {
                allow(rules, path, READ_FILE | READ_FOLDER, arena);
            }
            for (Path path : readable) {
                allow(rules, path, READ_FILE | READ_FOLDER, arena);
            }
            allow(rules, Path.of("/dev/null"), READ_FILE | WRITE_FILE, arena);
            for (Path path : writable) {
                allow(rules, path, all & ~EXECUTE, arena);
            }
            forbidNewPrivileges();
            accept("restriction", systemCall(RESTRICT_SELF, rules, 0, 0, 0));
        }
    }

    private void allow(long rules, Path path, long rights, Arena arena) throws IOException {
        if (!Files.exists(path)) {
            return;
        }
        int descriptor = open(path, arena);
        // Rights that only a folder can have must not be set on a plain file.
        long fitting = Files.isDirectory(path) ? rights : rights & (READ_FILE | WRITE_FILE | TRUNCATE);
        MemorySegment rule = arena.allocate(12, 8);
        rule.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, fitting);
        rule.set(ValueLayout.JAVA_INT_UNALIGNED, 8, descriptor);
        accept("rule for " + path, systemCall(ADD_RULE, rules, BELOW_A_PATH, rule.address(), 0));
    }

    private int open(Path path, Arena arena) throws IOException {
        MethodHandle open = linker.downcallHandle(
                find("open"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
                Linker.Option.firstVariadicArg(2));
        try {
            return (int) accept("opening of " + path, (int)
                    open.invokeExact(arena.allocateFrom(path.toString()), PATH_ONLY_CLOSED_ON_EXEC));
        } catch (Throwable failure) {
            throw asIo(failure);
        }
    }

    private void forbidNewPrivileges() throws IOException {
        MethodHandle prctl = linker.downcallHandle(
                find("prctl"),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG),
                Linker.Option.firstVariadicArg(1));
        try {
            accept("giving up of privileges", (int) prctl.invokeExact(NO_NEW_PRIVILEGES, 1L, 0L, 0L, 0L));
        } catch (Throwable failure) {
            throw asIo(failure);
        }
    }

    private long systemCall(long number, long first, long second, long third, long fourth) throws IOException {
        MethodHandle call = linker.downcallHandle(
                find("syscall"),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_LONG),
                Linker.Option.firstVariadicArg(1));
        try {
            return (long) call.invokeExact(number, first, second, third, fourth);
        } catch (Throwable failure) {
            throw asIo(failure);
        }
    }

    private MemorySegment find(String name) throws IOException {
        return libc.find(name).orElseThrow(() -> new IOException("there is no function " + name + " to call"));
    }

    private static long accept(String what, long answer) throws IOException {
        if (answer < 0) {
            throw new IOException("the system refused the " + what);
        }
        return answer;
    }

    private static IOException asIo(Throwable failure) {
        return failure instanceof IOException known ? known : new IOException("a system call failed", failure);
    }
}
