package io.pilothouse.plane.local.share;

import java.util.Optional;

/** How much of the disk the data of one service may take, and what follows from what it takes. */
public record DiskShare(long bytes) {
    public static final DiskShare UNLIMITED = new DiskShare(Long.MAX_VALUE);

    private static final double NEAR = 0.9;

    /** Rows are taken again only once there is some room, so that a service does not go back and forth at its limit. */
    private static final double ROOM_AGAIN = 0.95;

    private static final long MEGABYTE = 1L << 20;

    /** How far a service is from its limit. */
    public enum Level {
        ROOM,
        /** It is time to warn. */
        NEAR,
        /** It takes no more rows until some are deleted. */
        FULL
    }

    public DiskShare {
        if (bytes < 1) {
            throw new IllegalArgumentException("A share has room for something");
        }
    }

    boolean isLimited() {
        return bytes < Long.MAX_VALUE;
    }

    /** For data that takes so much, of a service that was full or not when it was last measured. */
    Level level(long stored, boolean wasFull) {
        if (stored >= bytes || (wasFull && stored >= bytes * ROOM_AGAIN)) {
            return Level.FULL;
        }
        return stored >= bytes * NEAR ? Level.NEAR : Level.ROOM;
    }

    /** What a person should know of it. */
    Optional<String> sentence(long stored, Level level) {
        String has = "Its data takes " + stored / MEGABYTE + " MB of the " + bytes / MEGABYTE
                + " MB that a service may have (max-service-disk)";
        return switch (level) {
            case ROOM -> Optional.empty();
            case NEAR -> Optional.of(has + "; beyond that it takes no more rows");
            case FULL -> Optional.of(has + ", so it takes no more rows until some are deleted");
        };
    }
}
