package io.pilothouse.plane.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackupFilesTest {
    @TempDir
    Path folder;

    private final UUID service = UUID.randomUUID();
    private final UUID backup = UUID.randomUUID();

    @Test
    void fileOfADatabaseIsTakenAwayAndIsTheControlPlanesAlone() throws IOException, DatabaseFailure {
        Path written = Files.writeString(folder.resolve("written"), "rows");

        LiveDatabase.files(folder.resolve("backups")).keep(service, backup, written, Optional.empty());

        assertThat(written).doesNotExist();
        try (Stream<Path> kept = Files.list(folder.resolve("backups").resolve(service.toString()))) {
            assertThat(kept).singleElement().satisfies(file -> {
                assertThat(file).hasContent("rows");
                assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
            });
        }
    }

    @Test
    void linkInItsPlaceIsNeitherKeptNorFollowed() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "hush");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r-----"));
        Path written = Files.createSymbolicLink(folder.resolve("written"), secret);

        assertThatThrownBy(() ->
                        LiveDatabase.files(folder.resolve("backups")).keep(service, backup, written, Optional.empty()))
                .isInstanceOf(DatabaseFailure.class)
                .hasMessageContaining("its file is not there");

        assertThat(Files.getPosixFilePermissions(secret)).isEqualTo(PosixFilePermissions.fromString("rw-r-----"));
        assertThat(secret).hasContent("hush");
        assertThat(Files.exists(written, LinkOption.NOFOLLOW_LINKS)).isFalse();
        try (Stream<Path> kept = Files.list(folder.resolve("backups").resolve(service.toString()))) {
            assertThat(kept).isEmpty();
        }
    }
}
