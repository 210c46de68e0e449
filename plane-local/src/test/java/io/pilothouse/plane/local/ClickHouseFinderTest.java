package io.pilothouse.plane.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.plane.local.bundled.BundledPackage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClickHouseFinderTest {
    private static final BundledPackage PACKAGE =
            new BundledPackage("@x/y", "1.2", "1.1", "libchdb.so", Optional.empty());

    @TempDir
    Path folder;

    private Optional<Path> configured = Optional.empty();
    private Optional<BundledPackage> bundledPackage = Optional.of(PACKAGE);

    @Test
    void configuredProgramComesFirst() throws IOException {
        Path program = program("opt/ch");
        program("bin/clickhouse");
        configured = Optional.of(program);

        assertThat(find()).isEqualTo(new ClickHouse.Binary(program, Optional.of("25.1")));
    }

    @Test
    void configuredPathThatIsMissingIsNotReplacedByAnother() throws IOException {
        program("bin/clickhouse");
        configured = Optional.of(folder.resolve("opt/ch"));

        assertThat(find())
                .isEqualTo(new ClickHouse.None(
                        "There is no ClickHouse program at " + folder.resolve("opt/ch") + ", which was configured."));
    }

    @Test
    void configuredLibraryIsABundledDatabase() throws IOException {
        Path library = file("opt/libchdb.so");
        configured = Optional.of(library);
        assertThat(find()).isEqualTo(new ClickHouse.Bundled(library, Optional.empty()));

        configured = Optional.of(folder.resolve("none/libchdb.dylib"));
        assertThat(find()).isInstanceOf(ClickHouse.None.class);
    }

    @Test
    void searchPathComesBeforeTheHomeFolder() throws IOException {
        file("first/clickhouse");
        Path program = program("bin/clickhouse");
        program("home/.clickhouse/versions/99.1/clickhouse");

        assertThat(find()).isEqualTo(new ClickHouse.Binary(program, Optional.of("25.1")));
    }

    @Test
    void newestVersionOfTheHomeFolderIsTaken() throws IOException {
        program("home/.clickhouse/versions/25.9.4.1/clickhouse");
        Path newest = program("home/.clickhouse/versions/25.10.1.2/clickhouse");
        Files.createDirectories(folder.resolve("home/.clickhouse/versions/26.1"));
        bundled();

        assertThat(find()).isEqualTo(new ClickHouse.Binary(newest, Optional.of("25.1")));
    }

    @Test
    void versionMayBeThePlainProgramItself() throws IOException {
        Path plain = program("home/.clickhouse/versions/clickhouse-25.3");

        assertThat(find()).isEqualTo(new ClickHouse.Binary(plain, Optional.of("25.1")));
    }

    @Test
    void bundledDatabaseIsTheLastResort() throws IOException {
        Path library = bundled();

        assertThat(find()).isEqualTo(new ClickHouse.Bundled(library, Optional.of("1.1")));
    }

    @Test
    void librariesInTheCacheAreOfferedSideBySideAndTheNewestOfThemIsLast() throws IOException {
        file("cache/engine-1.10/libchdb.so");
        file("cache/engine-1.9/libchdb.so");
        Files.createDirectories(folder.resolve("cache/engine-1.11"));
        file("cache/staging/libchdb.so");
        bundled();

        assertThat(finder().installs(find()).all())
                .extracting(Installs.Installed::version)
                .containsExactly("1.2", "1.9", "1.10");
        assertThat(finder().installs(find()).find("1.2")).contains(find());
        assertThat(finder().installs(find()).find("1.11")).isEmpty();
        assertThat(finder().installs(find()).find(null))
                .isEqualTo(Optional.of(finder().installs(find()).newest()));
    }

    @Test
    void newestOfOlderLibrariesIsThereWhereTheWantedOneIsNot() throws IOException {
        assertThat(finder().newestLibrary()).isEmpty();
        file("cache/engine-1.9/libchdb.so");
        Path newest = file("cache/engine-1.10/libchdb.so");
        assertThat(finder().newestLibrary()).contains(new ClickHouse.Bundled(newest, Optional.empty()));
    }

    @Test
    void programsOfTheHomeFolderAreOfferedBesideTheOneOnTheSearchPath() throws IOException {
        Path program = program("bin/clickhouse");
        program("home/.clickhouse/versions/25.9.4.1/clickhouse");
        bundled();
        assertThat(finder().installs(find()).all())
                .as("both say that they are 25.1")
                .extracting(Installs.Installed::clickhouse)
                .containsExactly(new ClickHouse.Binary(program, Optional.of("25.1")));
    }

    @Test
    void whatWasConfiguredIsOfferedAlone() throws IOException {
        bundled();
        configured = Optional.of(file("opt/engine-1.7/libchdb.so"));
        assertThat(finder().installs(find()).all())
                .extracting(Installs.Installed::version)
                .containsExactly("1.7");
        configured = Optional.of(file("opt/libchdb.so"));
        assertThat(finder().installs(find()).all())
                .extracting(Installs.Installed::version)
                .containsExactly("unknown");
    }

    @Test
    void nothingFoundIsSaidInASentence() {
        assertThat(find())
                .isEqualTo(new ClickHouse.None("No ClickHouse was found and the bundled ClickHouse is not installed."));
        bundledPackage = Optional.empty();
        assertThat(find())
                .isEqualTo(new ClickHouse.None(
                        "No ClickHouse was found, and there is no bundled ClickHouse for this kind of machine."));
    }

    @Test
    void versionsAreComparedNumberByNumber() {
        assertThat(ClickHouseFinder.compareVersions(Path.of("25.10"), Path.of("25.9")))
                .isPositive();
        assertThat(ClickHouseFinder.compareVersions(Path.of("25.9"), Path.of("25.9.1")))
                .isNegative();
        assertThat(ClickHouseFinder.compareVersions(Path.of("v25.9"), Path.of("25.9")))
                .isZero();
        assertThat(ClickHouseFinder.compareVersions(Path.of("1"), Path.of("none")))
                .isPositive();
    }

    @Test
    void majorVersionIsUnknownWhereNothingWasSaid() {
        assertThat(new ClickHouse.Binary(folder, Optional.empty()).majorVersion())
                .isZero();
        assertThat(new ClickHouse.Binary(folder, Optional.of("26.3.1.1")).majorVersion())
                .isEqualTo(26);
        assertThat(new ClickHouse.Binary(folder, Optional.of("27")).majorVersion())
                .isEqualTo(27);
    }

    @Test
    void everyPlatformHasItsPackage() {
        assertThat(BundledPackage.forPlatform("Linux", "amd64")
                        .flatMap(BundledPackage::integrity)
                        .orElseThrow())
                .startsWith("sha512-")
                .hasSize(95);
        assertThat(BundledPackage.forPlatform("Linux", "aarch64").orElseThrow().specification())
                .isEqualTo("@chdb/lib-linux-arm64-gnu@" + BundledPackage.VERSION);
        assertThat(BundledPackage.forPlatform("Mac OS X", "x86_64")
                        .orElseThrow()
                        .name())
                .isEqualTo("@chdb/lib-darwin-x64");
        assertThat(BundledPackage.forPlatform("Mac OS X", "aarch64")
                        .orElseThrow()
                        .name())
                .isEqualTo("@chdb/lib-darwin-arm64");
        assertThat(BundledPackage.forPlatform("Windows 11", "amd64")).isEmpty();
        assertThat(BundledPackage.forPlatform("Linux", "riscv64")).isEmpty();
        assertThat(BundledPackage.forPlatform("Mac OS X", "ppc")).isEmpty();
    }

    private ClickHouse find() {
        return finder().find();
    }

    private ClickHouseFinder finder() {
        return new ClickHouseFinder(
                new ClickHouseFinder.Places(
                        configured,
                        List.of(folder.resolve("first"), folder.resolve("bin")),
                        folder.resolve("home"),
                        folder.resolve("cache"),
                        bundledPackage),
                program -> Optional.of("25.1"));
    }

    private Path bundled() throws IOException {
        return file("cache/" + PACKAGE.folderName() + "/libchdb.so");
    }

    private Path program(String name) throws IOException {
        Path program = file(name);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return program;
    }

    private Path file(String name) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, "");
    }
}
