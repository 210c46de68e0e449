package io.pilothouse.plane.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.plane.local.bundled.EnginePackage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineFinderTest {
    private static final EnginePackage PACKAGE = new EnginePackage("@x/y", "1.2", "libchdb.so", Optional.empty());

    @TempDir
    Path folder;

    private Optional<Path> configured = Optional.empty();
    private Optional<EnginePackage> enginePackage = Optional.of(PACKAGE);

    @Test
    void configuredProgramComesFirst() throws IOException {
        Path program = program("opt/ch");
        program("bin/clickhouse");
        configured = Optional.of(program);

        assertThat(find()).isEqualTo(new Engine.Binary(program, Optional.of("25.1")));
    }

    @Test
    void configuredPathThatIsMissingIsNotReplacedByAnother() throws IOException {
        program("bin/clickhouse");
        configured = Optional.of(folder.resolve("opt/ch"));

        assertThat(find())
                .isEqualTo(new Engine.None(
                        "There is no ClickHouse program at " + folder.resolve("opt/ch") + ", which was configured."));
    }

    @Test
    void configuredLibraryIsABundledEngine() throws IOException {
        Path library = file("opt/libchdb.so");
        configured = Optional.of(library);
        assertThat(find()).isEqualTo(new Engine.Bundled(library, "as configured"));

        configured = Optional.of(folder.resolve("none/libchdb.dylib"));
        assertThat(find()).isInstanceOf(Engine.None.class);
    }

    @Test
    void searchPathComesBeforeTheHomeFolder() throws IOException {
        file("first/clickhouse");
        Path program = program("bin/clickhouse");
        program("home/.clickhouse/versions/99.1/clickhouse");

        assertThat(find()).isEqualTo(new Engine.Binary(program, Optional.of("25.1")));
    }

    @Test
    void newestVersionOfTheHomeFolderIsTaken() throws IOException {
        program("home/.clickhouse/versions/25.9.4.1/clickhouse");
        Path newest = program("home/.clickhouse/versions/25.10.1.2/clickhouse");
        Files.createDirectories(folder.resolve("home/.clickhouse/versions/26.1"));
        bundled();

        assertThat(find()).isEqualTo(new Engine.Binary(newest, Optional.of("25.1")));
    }

    @Test
    void versionMayBeThePlainProgramItself() throws IOException {
        Path plain = program("home/.clickhouse/versions/clickhouse-25.3");

        assertThat(find()).isEqualTo(new Engine.Binary(plain, Optional.of("25.1")));
    }

    @Test
    void bundledEngineIsTheLastResort() throws IOException {
        Path library = bundled();

        assertThat(find()).isEqualTo(new Engine.Bundled(library, "1.2"));
    }

    @Test
    void nothingFoundIsSaidInASentence() {
        assertThat(find())
                .isEqualTo(new Engine.None("No ClickHouse was found and the bundled engine is not installed."));
        enginePackage = Optional.empty();
        assertThat(find())
                .isEqualTo(new Engine.None(
                        "No ClickHouse was found, and there is no bundled engine for this kind of machine."));
    }

    @Test
    void versionsAreComparedNumberByNumber() {
        assertThat(EngineFinder.compareVersions(Path.of("25.10"), Path.of("25.9")))
                .isPositive();
        assertThat(EngineFinder.compareVersions(Path.of("25.9"), Path.of("25.9.1")))
                .isNegative();
        assertThat(EngineFinder.compareVersions(Path.of("v25.9"), Path.of("25.9")))
                .isZero();
        assertThat(EngineFinder.compareVersions(Path.of("1"), Path.of("none"))).isPositive();
    }

    @Test
    void majorVersionIsUnknownWhereNothingWasSaid() {
        assertThat(new Engine.Binary(folder, Optional.empty()).majorVersion()).isZero();
        assertThat(new Engine.Binary(folder, Optional.of("26.3.1.1")).majorVersion())
                .isEqualTo(26);
        assertThat(new Engine.Binary(folder, Optional.of("27")).majorVersion()).isEqualTo(27);
    }

    @Test
    void everyPlatformHasItsPackage() {
        assertThat(EnginePackage.forPlatform("Linux", "amd64")
                        .flatMap(EnginePackage::integrity)
                        .orElseThrow())
                .startsWith("sha512-")
                .hasSize(95);
        assertThat(EnginePackage.forPlatform("Linux", "aarch64").orElseThrow().specification())
                .isEqualTo("@chdb/lib-linux-arm64-gnu@" + EnginePackage.VERSION);
        assertThat(EnginePackage.forPlatform("Mac OS X", "x86_64").orElseThrow().name())
                .isEqualTo("@chdb/lib-darwin-x64");
        assertThat(EnginePackage.forPlatform("Mac OS X", "aarch64")
                        .orElseThrow()
                        .name())
                .isEqualTo("@chdb/lib-darwin-arm64");
        assertThat(EnginePackage.forPlatform("Windows 11", "amd64")).isEmpty();
        assertThat(EnginePackage.forPlatform("Linux", "riscv64")).isEmpty();
        assertThat(EnginePackage.forPlatform("Mac OS X", "ppc")).isEmpty();
    }

    private Engine find() {
        return new EngineFinder(
                        new EngineFinder.Places(
                                configured,
                                List.of(folder.resolve("first"), folder.resolve("bin")),
                                folder.resolve("home"),
                                folder.resolve("cache"),
                                enginePackage),
                        program -> Optional.of("25.1"))
                .find();
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
