package io.pilothouse.plane.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.plane.local.process.ProcessMark;
import io.pilothouse.plane.local.user.DatabaseUsers;
import io.pilothouse.plane.local.user.DatabaseUsers.Wanted;
import io.pilothouse.plane.local.user.RunAs;
import io.pilothouse.plane.local.user.UserRange;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Giving up the superuser's rights, which only the superuser can test. */
class DatabaseUsersIT {
    private static final List<Path> SEARCH_PATH = List.of(Path.of("/usr/bin"), Path.of("/bin"));
    private static final Path NEEDED = Path.of("/etc/passwd");
    private static final Wanted NOBODY = new Wanted.Named("nobody");
    private static final UserRange RANGE = new UserRange(1_900_000_000, 1_901_000_000);
    private static final Wanted OF_THEIR_OWN = new Wanted.Numbered(RANGE);

    @TempDir
    Path folder;

    @BeforeEach
    void needSuperuser() throws IOException {
        Assumptions.assumeTrue(
                Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0), "Only the superuser can test this.");
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "There is no setpriv.");
    }

    @Test
    void unprivilegedUserIsTakenWhereItCanReachEverything() throws IOException, InterruptedException {
        openFolder();

        DatabaseUsers chosen = DatabaseUsers.choose(NOBODY, SEARCH_PATH, List.of(folder, NEEDED));

        assertThat(chosen.areOthers()).isTrue();
        assertThat(chosen.warning()).isEmpty();
        RunAs.Other nobody = (RunAs.Other) chosen.of(UUID.randomUUID()).orElseThrow();
        assertThat(nobody.uid()).isEqualTo(65_534);
        assertThat(nobody.prefix()).startsWith("/usr/bin/setpriv").contains("--no-new-privs");
    }

    @Test
    void otherwiseTheReasonIsASentence() throws IOException, InterruptedException {
        Path closed = Files.writeString(folder.resolve("closed"), "x");
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rw-------"));
        openFolder();

        assertThat(DatabaseUsers.choose(NOBODY, SEARCH_PATH, List.of(closed)))
                .isEqualTo(superuser("the user nobody cannot reach " + closed));
        assertThat(DatabaseUsers.choose(NOBODY, List.of(), List.of()))
                .isEqualTo(superuser("this machine has no setpriv"));
        assertThat(DatabaseUsers.choose(new Wanted.Named("no-such-user"), SEARCH_PATH, List.of()))
                .isEqualTo(superuser("there is no user no-such-user"));
        assertThat(DatabaseUsers.choose(new Wanted.Named("root"), SEARCH_PATH, List.of()))
                .isEqualTo(superuser("there is no user root"));
        assertThat(DatabaseUsers.choose(OF_THEIR_OWN, SEARCH_PATH, List.of(closed)))
                .isEqualTo(superuser("the users 1900000000 to 1901000000 cannot reach " + closed));
    }

    private static DatabaseUsers superuser(String reason) {
        return new DatabaseUsers.Shared(
                new RunAs.Superuser(), Optional.of("The databases run as the superuser, because " + reason + "."));
    }

    @Test
    void folderBecomesTheUsersWithAllInItAndNothingThatItPointsTo() throws IOException, InterruptedException {
        RunAs.Other nobody = (RunAs.Other) DatabaseUsers.choose(NOBODY, SEARCH_PATH, List.of(NEEDED))
                .of(UUID.randomUUID())
                .orElseThrow();
        Path given = Files.createDirectory(folder.resolve("given"));
        Path file = Files.writeString(given.resolve("file"), "x");
        Path outside = Files.writeString(folder.resolve("outside"), "x");
        Files.createSymbolicLink(given.resolve("link"), outside);
        Path inside = Files.createDirectories(given.resolve("a/b")).resolve("c");
        Files.writeString(inside, "x");
        Path foreign = Files.writeString(given.resolve("foreign"), "x");
        Files.setAttribute(foreign, "unix:uid", 1);

        nobody.own(given);
        nobody.own(given);

        assertThat(Files.getAttribute(given, "unix:uid")).isEqualTo(nobody.uid());
        assertThat(Files.getAttribute(file, "unix:uid")).isEqualTo(nobody.uid());
        assertThat(Files.getAttribute(outside, "unix:uid")).isEqualTo(0);
        assertThat(Files.getAttribute(inside, "unix:uid")).isEqualTo(nobody.uid());
        assertThat(Files.getAttribute(inside, "unix:gid")).isEqualTo(nobody.gid());
        // It may be a second name of somebody else's file.
        assertThat(Files.getAttribute(foreign, "unix:uid")).isEqualTo(1);
        assertThat(Files.getAttribute(given.resolve("link"), "unix:uid", LinkOption.NOFOLLOW_LINKS))
                .isEqualTo(0);
    }

    @Test
    void eachDatabaseRunsAsAUserOfItsOwnWhoReachesNothingOfAnother()
            throws IOException, DatabaseFailure, InterruptedException {
        UUID one = UUID.randomUUID();
        UUID other = UUID.randomUUID();
        DatabaseSetup setup = setup(OF_THEIR_OWN);
        try (LocalDatabases databases = new LocalDatabases(setup)) {
            DatabaseAddress address = LiveDatabase.started(databases, one, LiveDatabase.settings("secret"));
            LiveDatabase.value(address, "secret", "CREATE TABLE t (x UInt8) ENGINE = MergeTree ORDER BY x");
            LiveDatabase.started(databases, other, LiveDatabase.settings("secret"));

            ServiceFolder service = databases.folder(one);
            int user = userOf(Path.of("/proc/" + pid(service)));
            assertThat(user).isBetween(RANGE.first() + 1, RANGE.last());
            assertThat(userOf(Path.of("/proc/" + pid(databases.folder(other))))).isNotEqualTo(user);
            assertThat(userOf(service.data())).isEqualTo(user);
            for (String own : new String[] {"", "own-password", "process", "ports", "config.xml"}) {
                assertThat(userOf(service.path().resolve(own))).as(own).isEqualTo(0);
            }
            RunAs stranger = databases.userOf(other);
            assertThat(reads(stranger, databases.folder(other).config())).isTrue();
            assertThat(reads(stranger, service.config())).isFalse();
            assertThat(reads(stranger, service.errorLog())).isFalse();
        }
        try (LocalDatabases databases = new LocalDatabases(setup(OF_THEIR_OWN))) {
            DatabaseAddress again = LiveDatabase.started(databases, one, LiveDatabase.settings("secret"));
            assertThat(LiveDatabase.value(again, "secret", "SELECT count() FROM t"))
                    .isEqualTo("0");
            assertThat(databases.userOf(UUID.randomUUID()))
                    .as("another's")
                    .isNotIn(databases.userOf(one), databases.userOf(other));
            databases.erase(one);
            databases.erase(other);
        }
    }

    @Test
    void dataOfOneSharedUserBecomesTheServicesOwn() throws IOException, DatabaseFailure, InterruptedException {
        UUID id = UUID.randomUUID();
        try (LocalDatabases databases = new LocalDatabases(setup(NOBODY))) {
            DatabaseAddress address = LiveDatabase.started(databases, id, LiveDatabase.settings("secret"));
            LiveDatabase.value(address, "secret", "CREATE TABLE t (x UInt8) ENGINE = MergeTree ORDER BY x");
            assertThat(userOf(databases.folder(id).data())).isEqualTo(65_534);
        }
        try (LocalDatabases databases = new LocalDatabases(setup(OF_THEIR_OWN))) {
            DatabaseAddress again = LiveDatabase.started(databases, id, LiveDatabase.settings("secret"));

            assertThat(LiveDatabase.value(again, "secret", "SELECT count() FROM t"))
                    .isEqualTo("0");
            assertThat(userOf(databases.folder(id).data())).isGreaterThan(RANGE.first());
            databases.erase(id);
        }
    }

    private DatabaseSetup setup(Wanted wanted) throws IOException, InterruptedException {
        ClickHouse.Bundled clickhouse = LiveDatabase.require();
        openFolder();
        // The cache may lie in a home that others cannot enter; a second name for the same file does not.
        Path library = Files.createDirectories(folder.resolve("engine")).resolve("libchdb.so");
        Path classes = folder.resolve("classes");
        if (Files.notExists(library)) {
            Files.createLink(library, clickhouse.library());
        }
        DatabaseCommand.ChildJava java =
                new DatabaseCommand.ChildJava(LiveDatabase.java().program(), copied(classes));
        DatabaseUsers users =
                DatabaseUsers.choose(wanted, SEARCH_PATH, List.of(folder, library, classes, java.program()));
        Assumptions.assumeTrue(users.areOthers(), users.toString());
        DatabaseSetup usual = LiveDatabase.setup(clickhouse, folder.resolve("services"), false);
        return new DatabaseSetup(
                new ClickHouse.Bundled(library, Optional.empty()),
                usual.root(),
                usual.ports(),
                users,
                java,
                usual.egress(),
                usual.fences(),
                usual.budget(),
                usual.limits(),
                false,
                usual.patience(),
                usual.clock(),
                usual.threads());
    }

    private static long pid(ServiceFolder service) throws IOException {
        return ProcessMark.parse(service.processMark().orElseThrow())
                .flatMap(ProcessMark::pid)
                .orElseThrow();
    }

    private static int userOf(Path path) throws IOException {
        return (int) Files.getAttribute(path, "unix:uid");
    }

    private static boolean reads(RunAs user, Path file) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(user.prefix());
        line.addAll(List.of("test", "-r", file.toString()));
        return new ProcessBuilder(line).start().waitFor() == 0;
    }

    private void openFolder() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** A class path of copies in this folder. */
    private static String copied(Path to) throws IOException {
        List<String> copies = new ArrayList<>();
        for (String entry : LiveDatabase.java().classPath().split(File.pathSeparator, -1)) {
            Path own = to.resolve(Integer.toString(copies.size()));
            copies.add(copy(Path.of(entry), own).toString());
        }
        return String.join(File.pathSeparator, copies);
    }

    /** Copies a jar or a folder of classes, and returns the class path to the copy. */
    private static Path copy(Path from, Path to) throws IOException {
        Path copy = Files.isRegularFile(from) ? to.resolve(from.getFileName()) : to;
        if (Files.exists(copy)) {
            return copy;
        }
        Files.createDirectories(to);
        if (Files.isRegularFile(from)) {
            return Files.copy(from, copy);
        }
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Path target = to.resolve(from.relativize(file).toString());
                Files.createDirectories(target.getParent());
                Files.copy(file, target);
                return FileVisitResult.CONTINUE;
            }
        });
        return to;
    }
}
