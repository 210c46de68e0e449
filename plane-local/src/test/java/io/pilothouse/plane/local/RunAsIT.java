package io.pilothouse.plane.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.plane.local.process.ProcessMark;
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
class RunAsIT {
    private static final List<Path> SEARCH_PATH = List.of(Path.of("/usr/bin"), Path.of("/bin"));

    @TempDir
    Path folder;

    @BeforeEach
    void needSuperuser() throws IOException {
        Assumptions.assumeTrue(
                Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0), "Only the superuser can test this.");
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "There is no setpriv.");
    }

    @Test
    void unprivilegedUserIsTakenWhereItCanReachEverything() throws IOException, DatabaseFailure, InterruptedException {
        openFolder();

        RunAs chosen = RunAs.choose(Optional.of("nobody"), SEARCH_PATH, List.of(folder, Path.of("/etc/passwd")));

        assertThat(chosen).isInstanceOf(RunAs.Other.class);
        assertThat(((RunAs.Other) chosen).name()).isEqualTo("nobody");
        assertThat(chosen.prefix()).startsWith("/usr/bin/setpriv").contains("--no-new-privs", "--clear-groups");
    }

    @Test
    void otherwiseTheReasonIsASentence() throws IOException, DatabaseFailure, InterruptedException {
        Path closed = Files.writeString(folder.resolve("closed"), "x");
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rw-------"));
        openFolder();

        assertThat(RunAs.choose(Optional.of("nobody"), SEARCH_PATH, List.of(closed)))
                .isEqualTo(new RunAs.Superuser(
                        "The databases run as the superuser, because the user nobody cannot reach " + closed + "."));
        assertThat(RunAs.choose(Optional.of("nobody"), List.of(), List.of()))
                .isEqualTo(new RunAs.Superuser(
                        "The databases run as the superuser, because this machine has no setpriv."));
        assertThat(RunAs.choose(Optional.of("no-such-user"), SEARCH_PATH, List.of()))
                .isEqualTo(new RunAs.Superuser(
                        "The databases run as the superuser, because there is no user no-such-user."));
        assertThat(RunAs.choose(Optional.of("root"), SEARCH_PATH, List.of())).isInstanceOf(RunAs.Superuser.class);
    }

    @Test
    void folderBecomesTheUsersWithAllInItAndNothingThatItPointsTo()
            throws IOException, DatabaseFailure, InterruptedException {
        RunAs.Other nobody =
                (RunAs.Other) RunAs.choose(Optional.of("nobody"), SEARCH_PATH, List.of(Path.of("/etc/passwd")));
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
    void databaseRunsAsThatUserAndCannotChangeWhatIsTheControlPlanes()
            throws IOException, DatabaseFailure, InterruptedException {
        ClickHouse.Bundled clickhouse = LiveDatabase.require();
        openFolder();
        // The cache may lie in a home that others cannot enter; a second name for the same file does not.
        Path library = Files.createLink(
                Files.createDirectory(folder.resolve("engine")).resolve("libchdb.so"), clickhouse.library());
        Path classes = Files.createDirectory(folder.resolve("classes"));
        DatabaseCommand.ChildJava java =
                new DatabaseCommand.ChildJava(LiveDatabase.java().program(), copied(classes));
        RunAs chosen =
                RunAs.choose(Optional.of("nobody"), SEARCH_PATH, List.of(folder, library, classes, java.program()));
        Assumptions.assumeTrue(chosen instanceof RunAs.Other, chosen.toString());
        DatabaseSetup usual = LiveDatabase.setup(clickhouse, folder.resolve("services"), false);
        UUID id = UUID.randomUUID();

        try (LocalDatabases databases = new LocalDatabases(new DatabaseSetup(
                new ClickHouse.Bundled(library, Optional.empty()),
                usual.root(),
                usual.ports(),
                chosen,
                java,
                usual.egress(),
                usual.fences(),
                usual.budget(),
                false,
                usual.patience(),
                usual.clock(),
                usual.threads()))) {
            DatabaseAddress address = LiveDatabase.started(databases, id, LiveDatabase.settings("secret"));
            LiveDatabase.value(address, "secret", "CREATE TABLE t (x UInt8) ENGINE = MergeTree ORDER BY x");

            ServiceFolder service = databases.folder(id);
            long pid = ProcessMark.parse(service.processMark().orElseThrow())
                    .flatMap(ProcessMark::pid)
                    .orElseThrow();
            RunAs.Other nobody = (RunAs.Other) chosen;
            assertThat(Files.getAttribute(Path.of("/proc/" + pid), "unix:uid")).isEqualTo(nobody.uid());
            assertThat(Files.getAttribute(service.data(), "unix:uid")).isEqualTo(nobody.uid());
            for (String own : new String[] {"", "own-password", "process", "ports", "users.xml", "config.xml"}) {
                assertThat(Files.getAttribute(service.path().resolve(own), "unix:uid"))
                        .as(own)
                        .isEqualTo(0);
            }
            databases.stop(id);
            DatabaseAddress again = LiveDatabase.started(databases, id, LiveDatabase.settings("secret"));
            assertThat(LiveDatabase.value(again, "secret", "SELECT count() FROM t"))
                    .isEqualTo("0");
            databases.erase(id);
        }
    }

    private void openFolder() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** A class path of copies in this folder. */
    private static String copied(Path to) throws IOException {
        List<String> copies = new ArrayList<>();
        for (String entry : LiveDatabase.java().classPath().split(File.pathSeparator, -1)) {
            Path own = Files.createDirectory(to.resolve(Integer.toString(copies.size())));
            copies.add(copy(Path.of(entry), own).toString());
        }
        return String.join(File.pathSeparator, copies);
    }

    /** Copies a jar or a folder of classes, and returns the class path to the copy. */
    private static Path copy(Path from, Path to) throws IOException {
        if (Files.isRegularFile(from)) {
            return Files.copy(from, to.resolve(from.getFileName()));
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
