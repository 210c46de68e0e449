package io.pilothouse.plane.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.base.Refused;
import io.pilothouse.core.snapshot.SnapshotData;
import io.pilothouse.plane.local.kept.LocalSnapshotData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What snapshots keep of databases on the disk, and where a death leaves it; none of the databases runs. */
class LocalSnapshotDataTest {
    private static final UUID ONE = new UUID(0, 1);
    private static final UUID OTHER = new UUID(0, 2);
    private static final UUID LATER = new UUID(0, 3);
    private static final UUID BACKUP = new UUID(0, 11);

    @TempDir
    private Path folder;

    private LocalDatabases databases;
    private final List<UUID> forgotten = new ArrayList<>();

    @BeforeEach
    void open() throws DatabaseFailure {
        databases = new LocalDatabases(LiveDatabase.setup(
                new ClickHouse.Bundled(folder.resolve("none"), Optional.empty()), folder.resolve("services"), false));
    }

    @AfterEach
    void close() throws DatabaseFailure {
        databases.close();
    }

    private LocalSnapshotData data(long reserve) {
        return new LocalSnapshotData(
                databases,
                new LocalSnapshotData.Places(
                        folder.resolve("snapshots"), folder.resolve("services"), folder.resolve("backups")),
                reserve,
                LiveDatabase.THREADS,
                forgotten::add);
    }

    private LocalSnapshotData data() {
        return data(0);
    }

    private Path rows(UUID service) {
        return folder.resolve("services/" + service + "/data/store/rows");
    }

    private void write(UUID service, String text) throws IOException {
        Files.createDirectories(rows(service).getParent());
        Files.writeString(rows(service), text);
    }

    private Path backup(UUID service, UUID backup) throws IOException {
        Path file = folder.resolve("backups/" + service + "/" + backup + ".tar.gz");
        Files.createDirectories(file.getParent());
        return file;
    }

    private SnapshotData.Copies layOut(Set<UUID> services) {
        Map<UUID, UUID> same =
                services.stream().collect(java.util.stream.Collectors.toUnmodifiableMap(id -> id, id -> id));
        return data().layOut("then", same, UnaryOperator.identity());
    }

    /** What is there besides folders of services. */
    private List<String> left() throws IOException {
        List<String> left = new ArrayList<>();
        for (String place : List.of("services", "backups")) {
            try (Stream<Path> files = Files.list(folder.resolve(place))) {
                files.map(file -> String.valueOf(file.getFileName()))
                        .filter(name -> name.startsWith("."))
                        .filter(name -> !name.equals(".lock"))
                        .forEach(left::add);
            }
        }
        return left;
    }

    @Test
    void dataAndBackupsAreWhatTheyWereAndWhatIsNewIsGone() throws IOException {
        write(ONE, "then");
        Files.writeString(backup(ONE, BACKUP), "archive");
        assertThat(data().keep("then", Set.of(ONE, OTHER))).isEqualTo(4);
        write(ONE, "now");
        write(OTHER, "now");
        write(LATER, "now");
        Files.delete(backup(ONE, BACKUP));
        Files.writeString(backup(ONE, LATER), "made since");
        Files.writeString(backup(LATER, BACKUP), "made since");

        SnapshotData.Copies copies = layOut(Set.of(ONE, OTHER));
        copies.alsoEmpty(Set.of(LATER));
        copies.putInPlace();
        assertThat(rows(ONE)).hasContent("then");
        assertThat(backup(ONE, BACKUP)).hasContent("archive");
        assertThat(backup(ONE, LATER)).doesNotExist();
        assertThat(backup(LATER, BACKUP)).doesNotExist();
        assertThat(folder.resolve("services/" + OTHER)).doesNotExist();
        assertThat(folder.resolve("services/" + LATER)).doesNotExist();
        assertThat(forgotten).containsExactlyInAnyOrder(ONE, OTHER, LATER);
        assertThat(left()).isEmpty();

        write(ONE, "again");
        layOut(Set.of(ONE)).putInPlace();
        assertThat(rows(ONE)).as("the second return").hasContent("then");
    }

    @Test
    void aStartGoesOnWithCopiesWhoseRowsAreThereAndDiscardsTheOthers() throws IOException {
        write(ONE, "then");
        write(OTHER, "then");
        data().keep("then", Set.of(ONE, OTHER));
        write(ONE, "now");
        write(OTHER, "now");

        layOut(Set.of(ONE, OTHER));
        data().begin(Optional.empty());
        assertThat(rows(ONE)).hasContent("now");
        assertThat(left()).isEmpty();

        SnapshotData.Copies copies = layOut(Set.of(ONE, OTHER));
        copies.alsoEmpty(Set.of(LATER));
        // It died when one of them had its place.
        Path place = folder.resolve("services/" + ONE);
        Files.move(place, folder.resolve("away"));
        Files.move(folder.resolve("services/.copies-" + copies.id() + "/" + ONE), place);
        data().begin(Optional.of(copies.id()));
        assertThat(rows(ONE)).hasContent("then");
        assertThat(rows(OTHER)).hasContent("then");
        assertThat(left()).isEmpty();
    }

    @Test
    void aCopyForAnotherServiceHasItsIds() throws IOException {
        write(ONE, "then");
        Path service = folder.resolve("services/" + ONE);
        Files.createSymbolicLink(service.resolve("data/table"), service.resolve("data/store"));
        Files.createSymbolicLink(service.resolve("data/near"), Path.of("store"));
        Files.createFile(service.resolve("restore-" + BACKUP + ".done"));
        Files.writeString(backup(ONE, BACKUP), "archive");
        data().keep("then", Set.of(ONE));

        Map<UUID, UUID> ids = Map.of(ONE, OTHER, BACKUP, LATER);
        data().layOut("then", Map.of(OTHER, ONE), id -> ids.getOrDefault(id, id))
                .putInPlace();
        Path copy = folder.resolve("services/" + OTHER);
        assertThat(rows(OTHER)).hasContent("then");
        assertThat(Files.readSymbolicLink(copy.resolve("data/table"))).isEqualTo(copy.resolve("data/store"));
        assertThat(Files.readSymbolicLink(copy.resolve("data/near"))).isEqualTo(Path.of("store"));
        assertThat(copy.resolve("restore-" + LATER + ".done")).exists();
        assertThat(backup(OTHER, LATER)).hasContent("archive");
        write(OTHER, "changed");
        assertThat(rows(ONE)).hasContent("then");
    }

    @Test
    void dataThatTheDiskHasNoRoomForIsRefused() throws IOException {
        write(ONE, "then");
        assertThatThrownBy(() -> data(Long.MAX_VALUE).keep("then", Set.of(ONE)))
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.reason()).isEqualTo(Refused.Reason.CONFLICT))
                .hasMessageContaining("0 MiB may be used");
        assertThat(folder.resolve("snapshots/then.data")).doesNotExist();
    }

    @Test
    void dataOfSnapshotsThatAreGoneIsRemoved() throws IOException {
        write(ONE, "then");
        data().keep("then", Set.of(ONE));
        data().keep("gone", Set.of(ONE));
        data().keepOnly(Set.of("then"));
        assertThat(folder.resolve("snapshots/then.data")).exists();
        assertThat(folder.resolve("snapshots/gone.data")).doesNotExist();
    }
}
