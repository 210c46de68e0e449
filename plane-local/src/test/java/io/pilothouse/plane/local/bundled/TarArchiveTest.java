package io.pilothouse.plane.local.bundled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class TarArchiveTest {
    private final ByteArrayOutputStream tar = new ByteArrayOutputStream();

    @Test
    void fileIsCopiedWithoutWhatSurroundsIt() throws IOException {
        addFile(tar, "package/first", new byte[700]);
        addFile(tar, "package/lib.so", "content".getBytes(StandardCharsets.US_ASCII));
        addFile(tar, "package/last", new byte[3]);
        ByteArrayOutputStream target = new ByteArrayOutputStream();

        assertThat(new TarArchive(new ByteArrayInputStream(tar.toByteArray())).copy("lib.so", target))
                .isEqualTo(7);

        assertThat(target.toString(StandardCharsets.US_ASCII)).isEqualTo("content");
    }

    @Test
    void emptyFileIsAFileToo() throws IOException {
        addFile(tar, "lib.so", new byte[0]);

        assertThat(new TarArchive(new ByteArrayInputStream(tar.toByteArray()))
                        .copy("lib.so", new ByteArrayOutputStream()))
                .isZero();
    }

    @Test
    void folderOfThatNameIsNotTaken() throws IOException {
        addEntry(tar, "package/lib.so", new byte[0], '5');
        tar.writeBytes(new byte[1024]);

        assertThatThrownBy(this::copy).isInstanceOf(IOException.class).hasMessageContaining("no file named lib.so");
    }

    @Test
    void missingFileIsRefused() throws IOException {
        addFile(tar, "package/other", new byte[10]);

        assertThatThrownBy(this::copy).isInstanceOf(IOException.class).hasMessageContaining("no file named lib.so");
    }

    @Test
    void archiveThatEndsEarlyIsRefused() throws IOException {
        addFile(tar, "package/lib.so", new byte[2000]);
        byte[] half = Arrays.copyOf(tar.toByteArray(), 1000);

        assertThatThrownBy(() ->
                        new TarArchive(new ByteArrayInputStream(half)).copy("lib.so", new ByteArrayOutputStream()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("ends in the middle");
    }

    @Test
    void damagedHeadIsRefused() throws IOException {
        addFile(tar, "package/lib.so", new byte[10]);
        byte[] damaged = tar.toByteArray();
        damaged[3] ^= 1;

        assertThatThrownBy(() ->
                        new TarArchive(new ByteArrayInputStream(damaged)).copy("lib.so", new ByteArrayOutputStream()))
                .isInstanceOf(IOException.class)
                .hasMessage("the archive is damaged");
    }

    @Test
    void sizeThatIsNoNumberIsRefused() throws IOException {
        addFile(tar, "package/lib.so", new byte[10]);
        byte[] damaged = tar.toByteArray();
        System.arraycopy("9z".getBytes(StandardCharsets.US_ASCII), 0, damaged, 148, 2);

        assertThatThrownBy(() ->
                        new TarArchive(new ByteArrayInputStream(damaged)).copy("lib.so", new ByteArrayOutputStream()))
                .isInstanceOf(IOException.class)
                .hasMessage("the archive is damaged");
    }

    private void copy() throws IOException {
        new TarArchive(new ByteArrayInputStream(tar.toByteArray())).copy("lib.so", new ByteArrayOutputStream());
    }

    static void addFile(ByteArrayOutputStream tar, String name, byte[] content) throws IOException {
        addEntry(tar, name, content, '0');
    }

    private static void addEntry(ByteArrayOutputStream tar, String name, byte[] content, char type) throws IOException {
        byte[] head = new byte[512];
        put(head, 0, name);
        put(head, 100, "0000644");
        put(head, 124, String.format(Locale.ROOT, "%011o", content.length));
        head[156] = (byte) type;
        put(head, 148, "        ");
        int sum = 0;
        for (byte one : head) {
            sum += one & 0xff;
        }
        put(head, 148, String.format(Locale.ROOT, "%06o", sum) + "\0 ");
        tar.write(head);
        tar.write(content);
        tar.write(new byte[(512 - content.length % 512) % 512]);
    }

    private static void put(byte[] head, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, head, at, bytes.length);
    }
}
