package io.pilothouse.store.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Refused;
import io.pilothouse.core.organization.Organization;
import io.pilothouse.core.organization.OrganizationTier;
import io.pilothouse.core.port.KeptRow;
import io.pilothouse.core.snapshot.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots as files: each is there whole or not at all. */
class SnapshotFilesTest {
    private static final int FORM = 7;
    private static final List<KeptRow> ROWS = List.of(
            new KeptRow("pipes", Arrays.asList("a", null, Long.MIN_VALUE, "Größe \" \n 🚢")),
            new KeptRow("tasks", List.of("b", 1L)));

    @TempDir
    private Path data;

    private Path folder;
    private SnapshotFiles files;

    @BeforeEach
    void openTheFolder() {
        folder = data.resolve("snapshots");
        files = new SnapshotFiles(folder, FORM);
    }

    private static Snapshot snapshot(String name, long second) {
        return new Snapshot(
                name,
                second == 0 ? null : new UUID(1, second),
                Instant.ofEpochSecond(second),
                ROWS.size(),
                1,
                100,
                second == 0 ? null : 7L << 32,
                new Snapshot.Marks("sealed", "hashed"));
    }

    @Test
    void whatWasKeptComesBackAsItWas() {
        assertThat(files.list()).isEmpty();
        assertThat(files.bytes()).isZero();
        assertThat(files.keep(snapshot("later", 2), ROWS)).isTrue();
        assertThat(files.keep(snapshot("first", 0), List.of())).isTrue();
        SnapshotFiles again = new SnapshotFiles(folder, FORM);
        assertThat(again.list()).containsExactly(snapshot("first", 0), snapshot("later", 2));
        assertThat(again.find("later")).contains(snapshot("later", 2));
        assertThat(again.rows("later")).contains(ROWS);
        assertThat(again.bytes()).isPositive();
    }

    @Test
    void aNameIsGivenOnce() {
        assertThat(files.keep(snapshot("one", 1), ROWS)).isTrue();
        assertThat(files.keep(snapshot("one", 2), ROWS)).isFalse();
        assertThat(files.find("one")).contains(snapshot("one", 1));
        assertThat(files.delete("one")).isTrue();
        assertThat(files.delete("one")).isFalse();
        assertThat(files.find("one")).isEmpty();
        assertThat(files.rows("one")).isEmpty();
    }

    @Test
    void onlyItsOwnerReadsASnapshot() throws IOException {
        files.keep(snapshot("one", 1), ROWS);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("one.snapshot"))))
                .isEqualTo("rw-------");
    }

    @Test
    void whatAnAttemptThatWasKilledHasLeftIsNoSnapshotAndGoes() throws IOException {
        Files.createDirectory(folder);
        Files.writeString(folder.resolve("half.draft"), "half of it");
        assertThat(files.list()).isEmpty();
        files.keep(snapshot("one", 1), ROWS);
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactly(folder.resolve("one.snapshot"));
        }
    }

    @Test
    void aFileThatIsDamagedIsNotUsedAndCanBeDeleted() throws IOException {
        files.keep(snapshot("whole", 1), ROWS);
        byte[] whole = Files.readAllBytes(folder.resolve("whole.snapshot"));
        Files.write(folder.resolve("cut.snapshot"), Arrays.copyOf(whole, whole.length - 12));
        Files.writeString(folder.resolve("alien.snapshot"), "something else");
        assertThat(files.list()).contains(snapshot("whole", 1));
        assertThatThrownBy(() -> files.rows("cut")).isInstanceOf(Refused.class).hasMessageContaining("is damaged");
        assertThatThrownBy(() -> files.find("alien")).isInstanceOf(Refused.class);
        assertThat(files.delete("cut")).isTrue();
        assertThat(files.delete("alien")).isTrue();
    }

    @Test
    void rowsOfAnotherFormAreNotForThisStore() {
        files.keep(snapshot("one", 1), ROWS);
        SnapshotFiles newer = new SnapshotFiles(folder, FORM + 1);
        assertThat(newer.find("one")).isPresent();
        assertThatThrownBy(() -> newer.rows("one")).hasMessageContaining("another version");
    }

    @Test
    void aThingBecomesARowAndComesBack() {
        Organization organization = new Organization(
                new Head(new UUID(1, 2), new UUID(1, 2), Instant.ofEpochSecond(5, 7), 1),
                "Acme",
                OrganizationTier.BASIC,
                true,
                false,
                List.of(),
                List.of());
        KeptRow row = files.write(Organization.KIND, organization);
        assertThat(files.isThing(row)).isTrue();
        assertThat(files.isThing(ROWS.getLast())).isFalse();
        assertThat(files.read(Organization.KIND, row)).isEqualTo(organization);
    }
}
