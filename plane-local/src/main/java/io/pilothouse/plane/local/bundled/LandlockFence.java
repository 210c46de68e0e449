package io.pilothouse.plane.local.bundled;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Confines the calling thread, and all that it starts, to a few folders and to a few ports to connect to (Linux calls
 * this Landlock). The bundled ClickHouse acts as a tool of the person at the keyboard and opens any file that SQL
 * names; its users' rights forbid that, and this holds even if those rights have a gap.
 */
final class LandlockFence {
    // The numbers of these system calls are the same on every processor.
    private static final long CREATE_RULES = 444;
    private static final long ADD_RULE = 445;
    private static final long RESTRICT_SELF = 446;
    private static final long ONLY_ASK_VERSION = 1;
    private static final int BELOW_A_PATH = 1;
    private static final int A_PORT = 2;
    private static final long CONNECT = 1 << 1;
    private static final int FIRST_VERSION_WITH_PORTS = 4;
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
            // Of the machine: what other processes do stays private.
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

    /**
     * Its threads read their own times, and Landlock cannot leave out what lies beside those: the network's tables of
     * the machine, which SQL can read so. Of the hardware, what databases count with.
     */
    private static final List<Path> OF_THE_BUNDLED = List.of(
            Path.of("/proc/self"),
            Path.of("/sys/devices/system"),
            Path.of("/sys/fs/cgroup"),
            Path.of("/sys/kernel/mm"));

    /** A server lets SQL read files of one folder of its own alone. */
    private static final List<Path> OF_A_PROGRAM = List.of(Path.of("/proc/self"), Path.of("/sys"));

    private final SystemCalls calls = new SystemCalls();

    LandlockFence() throws IOException {}

    /** The version of the system's Landlock; 0 where there is none. */
    long version() throws IOException {
        return SystemCalls.isLinux()
                ? Math.max(0, calls.call(CREATE_RULES, 0, 0, ONLY_ASK_VERSION).value())
                : 0;
    }

    /** Whether it holds ports too. */
    boolean holdsPorts() throws IOException {
        return version() >= FIRST_VERSION_WITH_PORTS;
    }

    /**
     * For the bundled ClickHouse: allows reading the first, using the second and connecting to the third, and forbids
     * all other files, all programs, and all other ports where some are given; this cannot be undone.
     */
    void close(List<Path> readable, List<Path> writable, Optional<? extends Collection<Integer>> ports)
            throws IOException {
        close(both(OF_THE_BUNDLED, readable), writable, List.of(), ports);
    }

    /** The same for a program that the calling thread becomes, and which may start some. */
    void closeAround(
            List<Path> readable,
            List<Path> writable,
            List<Path> programs,
            Optional<? extends Collection<Integer>> ports)
            throws IOException {
        close(both(OF_A_PROGRAM, readable), writable, programs, ports);
    }

    private static List<Path> both(List<Path> some, List<Path> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }

    private void close(
            List<Path> readable,
            List<Path> writable,
            List<Path> programs,
            Optional<? extends Collection<Integer>> ports)
            throws IOException {
        long version = version();
        long all = FIRST_VERSION | (version >= 2 ? MOVE_BETWEEN_FOLDERS : 0) | (version >= 3 ? TRUNCATE : 0);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handled = ports.isPresent()
                    ? arena.allocateFrom(ValueLayout.JAVA_LONG, all, CONNECT)
                    : arena.allocateFrom(ValueLayout.JAVA_LONG, all);
            long rules = calls.call(CREATE_RULES, handled.address(), handled.byteSize(), 0)
                    .orRefuse("rule set");
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
            for (Path path : programs) {
                allow(rules, path, READ_FILE | EXECUTE, arena);
            }
            if (ports.isPresent()) {
                for (int port : ports.get()) {
                    MemorySegment rule = arena.allocateFrom(ValueLayout.JAVA_LONG, CONNECT, port);
                    add(rules, A_PORT, rule, "port " + port);
                }
            }
            calls.forbidNewPrivileges();
            calls.call(RESTRICT_SELF, rules, 0).orRefuse("restriction");
        }
    }

    private void allow(long rules, Path path, long rights, Arena arena) throws IOException {
        if (!Files.exists(path)) {
            return;
        }
        int descriptor = calls.open(path.toString(), PATH_ONLY_CLOSED_ON_EXEC);
        // Rights that only a folder can have must not be set on a plain file.
        long fitting = Files.isDirectory(path) ? rights : rights & (READ_FILE | WRITE_FILE | TRUNCATE | EXECUTE);
        MemorySegment rule = arena.allocate(12, 8);
        rule.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, fitting);
        rule.set(ValueLayout.JAVA_INT_UNALIGNED, 8, descriptor);
        add(rules, BELOW_A_PATH, rule, path.toString());
        if (!path.startsWith("/proc")) {
            // Through one that is open, what was deleted could be read. A file of /proc becomes another one once
            // nobody holds it, and the rule would not be about that.
            calls.close(descriptor);
        }
    }

    private void add(long rules, int kind, MemorySegment rule, String what) throws IOException {
        calls.call(ADD_RULE, rules, kind, rule.address()).orRefuse("rule for " + what);
    }
}
