package io.pilothouse.plane.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.plane.local.proof.PartList;
import io.pilothouse.testkit.disk.FaultyDisk;
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
    private static final PartList PARTS = PartList.parse("shop\torders\taa\t10");

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

    private boolean keeps(BackupFiles files, Path written) throws DatabaseFailure {
        try {
            files.keep(service, backup, written, Optional.of(PARTS));
            return true;
        } catch (IOException dead) {
            return false;
        }
    }

    @Test
    void backupIsThereWholeOrNotAtAllWhereverTheProcessDies() throws IOException, DatabaseFailure {
        int change = 0;
        boolean kept = false;
        while (!kept) {
            assertThat(change).isLessThan(100);
            Path store = folder.resolve("backups-" + change);
            Path file = store.resolve(service.toString()).resolve(backup + ".tar.gz");
            LiveDatabase.files(store).noteBefore(service, backup, PARTS);
            Path written = Files.writeString(folder.resolve("written"), "rows");
            FaultyDisk disk = new FaultyDisk().dead(change, true);

            kept = keeps(LiveDatabase.files(disk.at(store)), disk.at(written));
            if (Files.exists(file)) {
                assertThat(file).as("after %s", disk.tried()).hasContent("rows");
            } else {
                assertThat(kept).isFalse();
                // As the engine goes on: what the database wrote is taken, or has it written again.
                LiveDatabase.files(store).noteBefore(service, backup, PARTS);
                assertThat(keeps(LiveDatabase.files(store), Files.writeString(written, "rows")))
                        .isTrue();
            }
            assertThat(file).hasContent("rows");
            assertThat(LiveDatabase.files(store).parts(service, backup)).contains(PARTS);
            change++;
        }
        assertThat(change).as("changes that were tried").isGreaterThan(5);
    }
}
