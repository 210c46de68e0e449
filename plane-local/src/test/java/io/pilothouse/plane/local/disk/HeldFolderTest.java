package io.pilothouse.plane.local.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What somebody else may write in is cleared away without following a link of theirs. */
class HeldFolderTest {
    @TempDir
    private Path folder;

    private Path outside() throws IOException {
        Path outside = folder.resolve("outside");
        Files.writeString(Files.createDirectories(outside.resolve("system")).resolve("kept"), "x");
        return outside;
    }

    @Test
    void deletesAllBelowAndNoTargetOfALink() throws IOException {
        Path outside = outside();
        Path doomed = Files.createDirectories(folder.resolve("doomed/a/b"));
        Files.writeString(doomed.resolve("file"), "x");
        Files.createSymbolicLink(doomed.resolve("link"), outside);
        Files.createSymbolicLink(doomed.resolve("dangling"), folder.resolve("nowhere"));

        Folders.delete(folder.resolve("doomed"));
        Folders.delete(folder.resolve("doomed"));

        assertThat(folder.resolve("doomed")).doesNotExist();
        assertThat(outside.resolve("system/kept")).exists();
    }

    @Test
    void linkInThePlaceOfTheFolderIsRemovedAndNotFollowed() throws IOException {
        Path outside = outside();
        Path link = Files.createSymbolicLink(folder.resolve("link"), outside);
        Folders.delete(link);
        assertThat(Files.isSymbolicLink(link)).isFalse();
        assertThat(outside.resolve("system/kept")).exists();
    }

    @Test
    void linkOnTheWayToAFolderIsNotFollowed() throws IOException {
        Path outside = outside();
        Path service = Files.createDirectories(folder.resolve("service"));
        Files.createDirectory(service.resolve("data"));
        Files.createSymbolicLink(service.resolve("data/data"), outside);

        assertThatThrownBy(() -> Folders.delete(service, Path.of("data", "data", "system")))
                .isInstanceOf(IOException.class);
        assertThat(outside.resolve("system/kept")).exists();

        Files.delete(service.resolve("data/data"));
        Folders.delete(service, Path.of("data", "data", "system"));
        Files.writeString(
                Files.createDirectories(service.resolve("data/data/system/t")).resolve("f"), "x");
        Folders.delete(service, Path.of("data", "data", "system"));
        assertThat(service.resolve("data/data")).isEmptyDirectory();
    }

    @Test
    void aCopyHasTheLinksThemselvesAndIsItsOwnersAlone() throws IOException {
        Path outside = outside();
        Path origin = Files.createDirectories(folder.resolve("origin/part"));
        Files.writeString(origin.resolve("column"), "12345");
        Files.createSymbolicLink(origin.resolve("link"), outside);

        Path copy = folder.resolve("copy");
        Folders.copy(folder.resolve("origin"), copy, text -> text);
        assertThat(copy.resolve("part/column")).hasContent("12345");
        assertThat(Files.readSymbolicLink(copy.resolve("part/link"))).isEqualTo(outside);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copy.resolve("part/column"))))
                .isEqualTo("rw-------");
        assertThat(Folders.size(folder.resolve("origin"))).isEqualTo(5);
        assertThat(Folders.size(folder.resolve("nowhere"))).isZero();

        Path link = Files.createSymbolicLink(folder.resolve("link"), outside);
        Folders.copy(link, folder.resolve("another"), text -> text);
        assertThat(Files.isSymbolicLink(folder.resolve("another"))).isTrue();
    }

    @Test
    void nestingWithoutEndIsRefusedAndTakesNoDescriptors() throws IOException {
        Path deep = folder.resolve("deep");
        for (int level = 0; level < 250; level++) {
            deep = deep.resolve("d");
        }
        Files.createDirectories(deep);
        assertThatThrownBy(() -> Folders.delete(folder.resolve("deep")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("nested too deeply");
    }
}
