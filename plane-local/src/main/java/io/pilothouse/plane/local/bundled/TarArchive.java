package io.pilothouse.plane.local.bundled;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Reads one file out of a tar stream, as npm writes it; nothing else of the archive ever reaches the disk. */
final class TarArchive {
    private static final int BLOCK = 512;
    private static final int NAME_LENGTH = 100;
    private static final int SIZE_AT = 124;
    private static final int SIZE_LENGTH = 12;
    private static final int SUM_AT = 148;
    private static final int SUM_LENGTH = 8;
    private static final int TYPE_AT = 156;

    private final InputStream archive;

    TarArchive(InputStream archive) {
        this.archive = archive;
    }

    /**
     * Copies the plain file of that last name to {@code target} and returns its size; refuses when the archive has
     * none.
     */
    long copy(String fileName, OutputStream target) throws IOException {
        byte[] head = archive.readNBytes(BLOCK);
        while (head.length == BLOCK && head[0] != 0) {
            requireSum(head);
            String name = text(head, 0, NAME_LENGTH);
            long size = octal(head, SIZE_AT, SIZE_LENGTH);
            boolean plain = head[TYPE_AT] == '0' || head[TYPE_AT] == 0;
            if (plain && name.substring(name.lastIndexOf('/') + 1).equals(fileName)) {
                copyExactly(size, target);
                return size;
            }
            archive.skipNBytes((size + BLOCK - 1) / BLOCK * BLOCK);
            head = archive.readNBytes(BLOCK);
        }
        throw new EOFException("the archive holds no file named " + fileName);
    }

    private void copyExactly(long size, OutputStream target) throws IOException {
        byte[] buffer = new byte[1 << 16];
        long left = size;
        while (left > 0) {
            int count = archive.read(buffer, 0, (int) Math.min(buffer.length, left));
            if (count < 0) {
                throw new EOFException("the archive ends in the middle of a file");
            }
            target.write(buffer, 0, count);
            left -= count;
        }
    }

    private static void requireSum(byte[] head) throws IOException {
        long sum = 0;
        for (int i = 0; i < BLOCK; i++) {
            // The checksum was computed while its own field held blanks.
            sum += i >= SUM_AT && i < SUM_AT + SUM_LENGTH ? ' ' : head[i] & 0xff;
        }
        if (sum != octal(head, SUM_AT, SUM_LENGTH)) {
            throw new IOException("the archive is damaged");
        }
    }

    private static long octal(byte[] head, int from, int length) throws IOException {
        String digits = text(head, from, length).strip();
        try {
            return digits.isEmpty() ? 0 : Long.parseLong(digits, 8);
        } catch (NumberFormatException failure) {
            throw new IOException("the archive is damaged", failure);
        }
    }

    private static String text(byte[] head, int from, int length) {
        int end = from;
        while (end < from + length && head[end] != 0) {
            end++;
        }
        return new String(head, from, end - from, StandardCharsets.UTF_8);
    }
}
