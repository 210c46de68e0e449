package io.pilothouse.plane.local.user;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Numbers of users, both ends included, that nobody else of the machine has: the first is the group of all databases,
 * and each of the others is a user and a group for one service.
 */
public record UserRange(int first, int last) {
    private static final int FIRST_BEHIND_THE_SYSTEM = 1_000;

    public UserRange {
        if (first < FIRST_BEHIND_THE_SYSTEM || last == Integer.MAX_VALUE || last <= first) {
            throw new IllegalArgumentException("The users " + first + " to " + last
                    + " are not a range within 1000 to 2147483646 with room for one service.");
        }
    }

    /** Whether this number is a service's. */
    boolean hasService(int number) {
        return number > first && number <= last;
    }

    /** Whether this system has all of them; a container may have a part of the machine's numbers only. */
    boolean isHere() throws IOException {
        return isWithin(map("/proc/self/uid_map")) && isWithin(map("/proc/self/gid_map"));
    }

    private static String map(String file) throws IOException {
        try {
            return Files.readString(Path.of(file), StandardCharsets.US_ASCII);
        } catch (NoSuchFileException noSuchMapsHere) {
            return "0 0 4294967295";
        }
    }

    /** Takes lines of a first number here, the same outside, and how many follow. */
    boolean isWithin(String map) {
        return map.lines().map(line -> line.strip().split("\\s+")).anyMatch(fields -> {
            long[] numbers = Arrays.stream(fields).mapToLong(Long::parseLong).toArray();
            return first >= numbers[0] && last < numbers[0] + numbers[2];
        });
    }
}
