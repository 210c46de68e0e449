package io.pilothouse.plane.local.bundled;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets a thread, and all that it starts, connect only where it may: the kernel holds each of their {@code connect}
 * calls until a thread outside has seen the address and answered (Linux calls this seccomp user notification). That
 * holds what SQL asks of a database; code of an attacker's own in the same process could change an address after it was
 * seen, and is held to ports by {@link LandlockFence}.
 */
@SuppressWarnings("restricted")
final class ConnectionFence {
    private static final long FILTER_MODE = 1;
    // With a descriptor for the questions, and without the slower processor modes that some kernels add to a filter.
    private static final long QUESTIONS_WITHOUT_SLOWER_CODE = 1 << 3 | 1 << 2;
    private static final long NEXT_QUESTION = 0xC0502100L;
    private static final long ANSWER = 0xC0182101L;
    private static final int QUESTION_BYTES = 80;
    private static final int ANSWER_BYTES = 24;
    private static final int GO_ON = 1;
    private static final int NO_SUCH_ENTRY = 2;
    private static final int INTERRUPTED = 4;
    private static final int PERMISSION_DENIED = 13;

    private static final int ANY_FAMILY = 0;
    private static final int IPV4 = 2;
    private static final int IPV6 = 10;
    private static final int MAX_ADDRESS_BYTES = 128;
    private static final int SOCKET_TYPE = 3;
    private static final int DATAGRAM = 2;

    private final SystemCalls calls;
    private final Numbers numbers;
    private final Egress egress;
    private final InetSocketAddress own;
    private final CompletableFuture<Integer> questions = new CompletableFuture<>();

    /** The numbers of the calls on one kind of processor. */
    private record Numbers(int processor, int seccomp, int connect, int ioctl, int getsockopt) {
        static Optional<Numbers> ofThisMachine() {
            return switch (System.getProperty("os.arch")) {
                case "amd64" -> Optional.of(new Numbers(0xC000003E, 317, 42, 16, 55));
                case "aarch64" -> Optional.of(new Numbers(0xC00000B7, 277, 203, 29, 209));
                default -> Optional.empty();
            };
        }
    }

    /** {@code own} is the one address of this process that it may always reach. */
    ConnectionFence(Egress egress, InetSocketAddress own) throws IOException {
        this.egress = egress;
        this.own = own;
        numbers = Numbers.ofThisMachine()
                .orElseThrow(() -> new IOException("connections cannot be fenced on this kind of processor"));
        calls = new SystemCalls();
    }

    /** Whether this system has it, found out by fencing in a thread that then ends. */
    static boolean isPossible(ThreadFactory platformThreads) {
        if (!SystemCalls.isLinux()) {
            return false;
        }
        CompletableFuture<Boolean> possible = new CompletableFuture<>();
        Runnable trial = () -> {
            try {
                ConnectionFence fence = new ConnectionFence(Egress.NONE, new InetSocketAddress(0));
                possible.complete(fence.install() >= 0);
            } catch (IOException refused) {
                possible.complete(false);
            }
        };
        platformThreads.newThread(trial).start();
        return possible.join();
    }

    /** Confines the calling thread; its first connection waits until {@link #serve} runs on a thread outside. */
    void close() throws IOException {
        questions.complete((int) install());
    }

    private long install() throws IOException {
        // The filter is six instructions: a connect is asked about, all else goes on.
        long[] filter = {
            instruction(0x20, 0, 0, 4),
            instruction(0x15, 0, 2, numbers.processor()),
            instruction(0x20, 0, 0, 0),
            instruction(0x15, 1, 0, numbers.connect()),
            instruction(0x06, 0, 0, 0x7FFF0000),
            instruction(0x06, 0, 0, 0x7FC00000)
        };
        calls.forbidNewPrivileges();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment program = arena.allocate(16, 8);
            program.set(ValueLayout.JAVA_SHORT, 0, (short) filter.length);
            program.set(
                    ValueLayout.JAVA_LONG,
                    8,
                    arena.allocateFrom(ValueLayout.JAVA_LONG, filter).address());
            return calls.call(numbers.seccomp(), FILTER_MODE, QUESTIONS_WITHOUT_SLOWER_CODE, program.address())
                    .orRefuse("fence around connections");
        }
    }

    private static long instruction(int code, int ifTrue, int ifFalse, int value) {
        return code | (long) ifTrue << 16 | (long) ifFalse << 24 | (long) value << 32;
    }

    /** Answers for as long as the process lives; the fenced threads wait for ever should this end. */
    void serve() {
        int descriptor = questions.join();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment question = arena.allocate(QUESTION_BYTES, 8);
            MemorySegment answer = arena.allocate(ANSWER_BYTES, 8);
            while (true) {
                question.fill((byte) 0);
                SystemCalls.Answer next = calls.call(numbers.ioctl(), descriptor, NEXT_QUESTION, question.address());
                if (next.error() == 0) {
                    boolean allowed = allows(question);
                    answer.set(ValueLayout.JAVA_LONG, 0, question.get(ValueLayout.JAVA_LONG, 0));
                    answer.set(ValueLayout.JAVA_LONG, 8, 0);
                    answer.set(ValueLayout.JAVA_INT, 16, allowed ? 0 : -PERMISSION_DENIED);
                    answer.set(ValueLayout.JAVA_INT, 20, allowed ? GO_ON : 0);
                    // Refused where the asking thread was interrupted meanwhile; it asks again.
                    calls.call(numbers.ioctl(), descriptor, ANSWER, answer.address());
                } else if (next.error() == NO_SUCH_ENTRY || next.error() == INTERRUPTED) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
                } else {
                    next.orRefuse("question about a connection");
                }
            }
        } catch (IOException failure) {
            System.err.println("Connections are refused from now on: " + failure.getMessage());
        }
    }

    /** The asking thread waits, so the memory that its arguments point to stays as it is. */
    private boolean allows(MemorySegment question) throws IOException {
        long socket = question.get(ValueLayout.JAVA_LONG, 32);
        long pointer = question.get(ValueLayout.JAVA_LONG, 40);
        long length = Math.min(question.get(ValueLayout.JAVA_LONG, 48), MAX_ADDRESS_BYTES);
        if (pointer == 0 || length < Short.BYTES) {
            return true;
        }
        MemorySegment address = MemorySegment.ofAddress(pointer).reinterpret(length);
        int family = address.get(ValueLayout.JAVA_SHORT_UNALIGNED, 0);
        if (family == ANY_FAMILY) {
            return true;
        }
        if (family == IPV4 && length >= 8) {
            return allows(socket, target(address, 4, 4));
        }
        // Sockets of this machine's own kind have no address that could be judged.
        return family == IPV6 && length >= 24 && allows(socket, target(address, 8, 16));
    }

    private boolean allows(long socket, InetSocketAddress target) throws IOException {
        return target.equals(own) || egress.allows(target) || (egress.looksUpNames() && isDatagram(socket));
    }

    private static InetSocketAddress target(MemorySegment socketAddress, int at, int bytes) throws IOException {
        int port = Byte.toUnsignedInt(socketAddress.get(ValueLayout.JAVA_BYTE, 2)) << Byte.SIZE
                | Byte.toUnsignedInt(socketAddress.get(ValueLayout.JAVA_BYTE, 3));
        // An IPv4 address that is written as IPv6 becomes an IPv4 address here.
        byte[] address = socketAddress.asSlice(at, bytes).toArray(ValueLayout.JAVA_BYTE);
        return new InetSocketAddress(InetAddress.getByAddress(address), port);
    }

    /** Name look-ups go as datagrams, and SQL sends no other ones. */
    private boolean isDatagram(long socket) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment type = arena.allocate(8, 8);
            MemorySegment size = arena.allocateFrom(ValueLayout.JAVA_INT, Integer.BYTES);
            return calls.call(numbers.getsockopt(), socket, 1, SOCKET_TYPE, type.address(), size.address())
                                    .error()
                            == 0
                    && type.get(ValueLayout.JAVA_INT, 0) == DATAGRAM;
        }
    }
}
