package io.pilothouse.gateway;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** Address ranges of one family, sorted and without overlaps, so that one binary search answers. */
final class AccessListRanges {
    private final byte[][] firsts;
    private final byte[][] lasts;

    AccessListRanges(Collection<Range> ranges) {
        List<Range> disjoint = new ArrayList<>();
        for (Range next : ranges.stream().sorted(AccessListRanges::widestFirst).toList()) {
            // CIDR blocks nest or are disjoint; a nested one comes right after the block that holds it
            if (disjoint.isEmpty() || Arrays.compareUnsigned(next.first, disjoint.getLast().last) > 0) {
                disjoint.add(next);
            }
        }
        this.firsts = disjoint.stream().map(range -> range.first).toArray(byte[][]::new);
        this.lasts = disjoint.stream().map(range -> range.last).toArray(byte[][]::new);
    }

    boolean contain(byte[] address) {
        int found = Arrays.binarySearch(firsts, address, Arrays::compareUnsigned);
        int candidate = found >= 0 ? found : -found - 2;
        return candidate >= 0 && Arrays.compareUnsigned(address, lasts[candidate]) <= 0;
    }

    private static int widestFirst(Range one, Range other) {
        int byFirst = Arrays.compareUnsigned(one.first, other.first);
        return byFirst != 0 ? byFirst : Arrays.compareUnsigned(other.last, one.last);
    }

    /** The first and the last address of a block. */
    static final class Range {
        private final byte[] first;
        private final byte[] last;

        private Range(byte[] first, byte[] last) {
            this.first = first;
            this.last = last;
        }

        static Range of(byte[] address, int prefixBits) {
            byte[] first = address.clone();
            byte[] last = address.clone();
            for (int index = 0; index < address.length; index++) {
                int networkBits = Math.clamp(prefixBits - (long) index * Byte.SIZE, 0, Byte.SIZE);
                int hostMask = 0xff >> networkBits;
                first[index] &= (byte) ~hostMask;
                last[index] |= (byte) hostMask;
            }
            return new Range(first, last);
        }
    }
}
