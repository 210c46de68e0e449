package io.pilothouse.plane.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.plane.local.PortSets.PortRange;
import io.pilothouse.plane.local.disk.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceFoldersTest {
    private static final PortRange RANGE = new PortRange(21_900, 21_999);

    @TempDir
    Path root;

    private final UUID id = UUID.randomUUID();
    private ServiceFolders folders;

    @BeforeEach
    void open() throws IOException, DatabaseFailure {
        folders = ServiceFolders.open(root, LiveDatabase.SAME_USER, RANGE);
    }

    @AfterEach
    void close() throws IOException {
        folders.close();
    }

    @Test
    void preparedFolderIsPrivateAndKeepsItsPorts() throws IOException, DatabaseFailure {
        ServiceFolder folder = folders.of(id);
        PortSet ports = folders.prepare(folder, 1);

        assertThat(folders.prepare(folder, 1)).isEqualTo(ports);
        assertThat(folders.all()).containsExactly(id);
        for (Path working : folder.working()) {
            assertThat(Files.getPosixFilePermissions(working)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
        }
        folders.close();
        folders = ServiceFolders.open(root, LiveDatabase.SAME_USER, RANGE);
        assertThat(folders.portsOf(id)).contains(ports);
        assertThat(folders.prepare(folders.of(UUID.randomUUID()), 1)).isNotEqualTo(ports);
    }

    @Test
    void folderIsHeldByOneAtATime() {
        assertThatThrownBy(() -> ServiceFolders.open(root, LiveDatabase.SAME_USER, RANGE))
                .isInstanceOf(DatabaseFailure.class)
                .hasMessageContaining("Another control plane works on");
    }

    @Test
    void eraseFollowsNoLinkAndIsRepeatable() throws IOException, DatabaseFailure {
        Path elsewhere = Files.createDirectory(root.resolve("elsewhere"));
        Path precious = Files.writeString(elsewhere.resolve("precious"), "data of another user");
        ServiceFolder folder = folders.of(id);
        folders.prepare(folder, 1);
        Files.createSymbolicLink(folder.data().resolve("link"), elsewhere);

        folders.erase(id);
        folders.erase(id);

        assertThat(folders.exists(id)).isFalse();
        assertThat(folders.portsOf(id)).isEmpty();
        assertThat(precious).exists();
    }

    @Test
    void erasureThatWasKilledIsStillThereAndCanBeEnded() throws IOException, DatabaseFailure {
        Path half = Files.createDirectories(root.resolve(".erasing-" + id).resolve("data"));

        assertThat(folders.exists(id)).isTrue();
        assertThat(folders.all()).isEmpty();
        assertThat(folders.finishErasures()).containsExactly(id);
        assertThat(half).doesNotExist();
        assertThat(folders.exists(id)).isFalse();
    }

    @Test
    void foldersWithOtherNamesAreNoServices() throws IOException, DatabaseFailure {
        Files.createDirectory(root.resolve("notes"));
        Files.createDirectory(root.resolve("1-1-1-1-1"));
        Files.createDirectory(root.resolve(id.toString().toUpperCase(Locale.ROOT)));

        assertThat(folders.all()).isEmpty();
    }

    @Test
    void damagedPortsAreReplaced() throws IOException, DatabaseFailure {
        ServiceFolder folder = folders.of(id);
        folders.prepare(folder, 1);
        Files.writeString(folder.path().resolve("ports"), "?");

        assertThat(folder.ports()).isEmpty();
    }

    @Test
    void secretsAreNeverReadableByOthersNotEvenForAMoment() throws IOException, DatabaseFailure {
        ServiceFolder folder = folders.of(id);
        folders.prepare(folder, 1);
        assertThat(folder.ownPassword()).isEmpty();

        folder.keepOwnPassword("first");
        folder.keepOwnPassword("second");

        assertThat(folder.ownPassword()).contains("second");
        assertThat(Files.getPosixFilePermissions(folder.path().resolve("own-password")))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(Secrets.newPassword()).hasSize(64).isNotEqualTo(Secrets.newPassword());
    }

    @Test
    void deletingAMissingFolderIsNotAnError() throws IOException {
        Folders.delete(root.resolve("never"));
        assertThat(root).exists();
    }
}
