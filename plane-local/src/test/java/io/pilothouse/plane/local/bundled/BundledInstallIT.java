package io.pilothouse.plane.local.bundled;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.plane.local.bundled.BundledInstall.Outcome;
import io.pilothouse.plane.local.disk.Folders;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The install against an npm that is a script; the real one is used by every test that needs a database. */
class BundledInstallIT {
    @TempDir
    Path folder;

    private final List<String> progress = new ArrayList<>();
    private Path cache;
    private Path npm;
    private Path archive;
    private Path calls;

    @BeforeEach
    void packArchive() throws IOException {
        cache = folder.resolve("cache");
        npm = folder.resolve("npm");
        calls = folder.resolve("calls");
        archive = folder.resolve("archive");
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        TarArchiveTest.addFile(tar, "package/package.json", "{}".getBytes(StandardCharsets.UTF_8));
        TarArchiveTest.addFile(tar, "package/libchdb.so", "the library".getBytes(StandardCharsets.UTF_8));
        tar.writeBytes(new byte[1024]);
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(archive))) {
            out.write(tar.toByteArray());
        }
        npmDoes("cp " + archive + " database.tgz");
    }

    @Test
    void fetchedDatabaseIsCheckedUnpackedAndFound() throws IOException, InterruptedException {
        Path library = installed(install(sum()));

        assertThat(library).hasContent("the library");
        assertThat(library).isEqualTo(cache.resolve("engine-1.2.3").resolve("libchdb.so"));
        assertThat(Files.readString(calls)).startsWith("pack @chdb/engine@1.2.3 --ignore-scripts --cache ");
        assertThat(progress).anyMatch(line -> line.startsWith("Fetching @chdb/engine@1.2.3"));
        assertNothingElseIn(cache);
    }

    @Test
    void secondInstallFetchesNothing() throws IOException, InterruptedException {
        installed(install(sum()));
        npmDoes("exit 1");

        assertThat(installed(install(sum()))).hasContent("the library");
    }

    @Test
    void installsAtTheSameTimeFetchOnce() throws IOException, InterruptedException, ExecutionException {
        npmDoes("sleep 0.5; cp " + archive + " database.tgz");
        String sum = sum();
        try (ExecutorService two = Executors.newFixedThreadPool(2)) {
            Future<Outcome> one = two.submit(() -> install(sum));
            Future<Outcome> other = two.submit(() -> install(sum));
            assertThat(installed(one.get())).isEqualTo(installed(other.get()));
        }
        assertThat(Files.readAllLines(calls)).hasSize(1);
    }

    @Test
    void downloadWithAnotherSumIsNotInstalled() throws IOException, InterruptedException {
        assertThat(reason(install("sha512-somethingelse"))).contains("SHA-512 differs");
        assertNothingElseIn(cache);
        assertThat(cache.resolve("engine-1.2.3")).doesNotExist();
    }

    @Test
    void withoutAPinnedSumTheRegistrysOwnCounts() throws IOException, InterruptedException {
        npmDoes("if [ $1 = view ]; then echo " + sum() + "; else cp " + archive + " database.tgz; fi");

        installed(install(null));

        assertThat(progress).anyMatch(line -> line.contains("registry's own"));
        npmDoes("if [ $1 = view ]; then echo; else cp " + archive + " database.tgz; fi");
        Folders.delete(cache);
        assertThat(reason(install(null))).contains("gives no SHA-512");
    }

    @Test
    void theRemainsOfAKilledInstallAreNoHindrance() throws IOException, InterruptedException {
        Files.createDirectories(cache.resolve("staging").resolve("engine-1.2.3"));
        Files.writeString(cache.resolve("staging").resolve("engine-1.2.3").resolve("libchdb.so"), "the lib");
        Files.writeString(cache.resolve("staging").resolve("old.tgz"), "half");

        assertThat(installed(install(sum()))).hasContent("the library");
    }

    @Test
    void everyFailureIsASentence() throws IOException, InterruptedException {
        String sum = sum();
        npmDoes("echo 'npm error code E404' >&2; exit 1");
        assertThat(reason(install(sum))).isEqualTo("The package registry has no @chdb/engine@1.2.3.");
        npmDoes("echo 'npm error code ENOTFOUND' >&2; exit 1");
        assertThat(reason(install(sum))).contains("cannot be reached");
        npmDoes("echo 'npm error nospc ENOSPC: no space left on device' >&2; exit 1");
        assertThat(reason(install(sum))).contains("disk is full");
        npmDoes("exit 3");
        assertThat(reason(install(sum))).contains("ended with status 3");
        npmDoes("true");
        assertThat(reason(install(sum))).contains("left no archive");
        Files.delete(npm);
        assertThat(reason(install(sum))).contains("There is no npm on this machine");
        assertNothingElseIn(cache);
    }

    @Test
    void folderThatCannotBeMadeIsSaid() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("file"), "");
        cache = folder.resolve("file").resolve("below");

        assertThat(reason(install(sum()))).startsWith("ClickHouse cannot be installed in " + cache);
    }

    @Test
    void archiveWithoutTheLibraryIsRefused() throws IOException, InterruptedException {
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        TarArchiveTest.addFile(tar, "package/other", new byte[3]);
        tar.writeBytes(new byte[1024]);
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(archive))) {
            out.write(tar.toByteArray());
        }

        assertThat(reason(install(sum()))).contains("no file named libchdb.so");
        assertNothingElseIn(cache);
    }

    private Outcome install(@Nullable String sum) throws InterruptedException {
        BundledPackage wanted =
                new BundledPackage("@chdb/engine", "1.2.3", "1.2.3", "libchdb.so", Optional.ofNullable(sum));
        return new BundledInstall(wanted, cache, new Npm(List.of(npm.toString())), progress::add).run();
    }

    private String sum() throws IOException {
        return BundledInstall.sumOf(archive);
    }

    private void npmDoes(String script) throws IOException {
        Files.writeString(npm, "#!/bin/sh\necho \"$@\" >> " + calls + "\n" + script + "\n");
        Files.setPosixFilePermissions(npm, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static Path installed(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Installed.class);
        return ((Outcome.Installed) outcome).library();
    }

    private static String reason(Outcome outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Failed.class);
        return ((Outcome.Failed) outcome).reason();
    }

    private static void assertNothingElseIn(Path cache) throws IOException {
        try (Stream<Path> entries = Files.list(cache)) {
            assertThat(entries.map(entry -> entry.getFileName().toString()).toList())
                    .isSubsetOf("install.lock", "engine-1.2.3");
        }
    }
}
