package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.ToolCache;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** The smallest Debian, without Java, in a folder: what runs in it sees nothing else of this machine's disk. */
final class BareDebian {
    private static final String SUITE = "bookworm";

    /** Its own table of processes, seen by nobody else, ends with the command. */
    private static final String INSIDE =
            "mount --bind \"$0\" \"$0\" && mount -t proc proc \"$0/proc\" && exec chroot \"$0\" \"$@\"";

    private final Path root;

    private BareDebian(Path root) {
        this.root = root;
    }

    /** Makes one in an empty folder; the packages are fetched once for all tests. */
    static BareDebian in(Path root) throws IOException, InterruptedException {
        Assumptions.assumeTrue("root".equals(System.getProperty("user.name")), "Only root can enter another system.");
        Assumptions.assumeTrue(
                Stream.of(System.getenv("PATH").split(":", -1))
                        .anyMatch(place -> Files.isExecutable(Path.of(place, "debootstrap"))),
                "There is no debootstrap here.");
        Path packed = ToolCache.folder("debian", SUITE).resolve("root.tar");
        if (!Files.exists(packed)) {
            Files.createDirectories(packed.getParent());
            Path fresh = Files.createTempDirectory(packed.getParent(), "fresh");
            String words = words("debootstrap", "--variant=minbase", SUITE, fresh.toString());
            Assumptions.assumeTrue(
                    Files.exists(fresh.resolve("usr/bin/dpkg")), "A Debian cannot be fetched here: " + words);
            Path tar = Files.createTempFile(packed.getParent(), "root", ".tar");
            succeeds("tar", "-C", fresh.toString(), "-cf", tar.toString(), ".");
            Files.move(tar, packed, StandardCopyOption.ATOMIC_MOVE);
            succeeds("rm", "-rf", fresh.toString());
        }
        succeeds("tar", "-C", root.toString(), "-xf", packed.toString());
        // A folder for a while is its owner's alone, and some versions of the tool leave it so: not for a root.
        succeeds("chmod", "755", root.toString());
        return new BareDebian(root);
    }

    /** What stands for this path, which begins with a slash, outside. */
    Path at(String path) {
        return root.resolve(path.substring(1));
    }

    /** Runs a command in it to its end, and returns what it printed. */
    String run(String... command) throws IOException, InterruptedException {
        return succeeds(inside(List.of(command)).toArray(String[]::new));
    }

    /** Starts a command in it; its process is the command's own. */
    ChildProgram start(Path folder, List<String> command) throws IOException {
        return ChildProgram.command(folder, inside(command));
    }

    private List<String> inside(List<String> command) {
        List<String> all = new ArrayList<>(List.of("unshare", "--mount", "sh", "-c", INSIDE, root.toString()));
        all.addAll(List.of("/usr/bin/env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root"));
        all.addAll(command);
        return all;
    }

    private static String words(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return words;
    }

    private static String succeeds(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("%s: %s", List.of(command), words).isZero();
        return words;
    }
}
