package io.pilothouse.plane.local;

import io.pilothouse.plane.local.disk.Folders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The user of the machine that the databases run as: the superuser only as a last resort. */
public sealed interface RunAs {
    /** The user that the control plane itself is. */
    record Same() implements RunAs {}

    /** Another user, without any privileges; {@code setpriv} is the program that switches to it. */
    record Other(int uid, int gid, String name, Path setpriv) implements RunAs {}

    /** The superuser, as a last resort; the reason is a sentence for a person. */
    record Superuser(String reason) implements RunAs {}

    /**
     * Chooses the user. {@code wanted} is a user's name, by default {@code clickhouse} and then {@code nobody}; that
     * user must be able to reach everything that the databases need, or they would never start.
     */
    static RunAs choose(Optional<String> wanted, List<Path> searchPath, List<Path> needed)
            throws IOException, InterruptedException {
        Path self = Path.of("/proc/self");
        boolean superuser = Files.exists(self)
                ? Files.getAttribute(self, "unix:uid").equals(0)
                : "root".equals(System.getProperty("user.name"));
        if (!superuser) {
            return new Same();
        }
        Optional<Path> setpriv = searchPath.stream()
                .map(folder -> folder.resolve("setpriv"))
                .filter(Files::isExecutable)
                .findFirst();
        if (setpriv.isEmpty()) {
            return new Superuser("The databases run as the superuser, because this machine has no setpriv.");
        }
        Optional<Other> user = user(wanted, setpriv.get());
        if (user.isEmpty()) {
            return new Superuser("The databases run as the superuser, because there is no user "
                    + wanted.orElse("clickhouse or nobody") + ".");
        }
        for (Path path : needed) {
            if (!reaches(user.get(), path)) {
                return new Superuser("The databases run as the superuser, because the user "
                        + user.get().name() + " cannot reach " + path + ".");
            }
        }
        return user.get();
    }

    private static Optional<Other> user(Optional<String> wanted, Path setpriv) throws IOException {
        Path passwords = Path.of("/etc/passwd");
        List<String> lines =
                Files.exists(passwords) ? Files.readAllLines(passwords, StandardCharsets.ISO_8859_1) : List.of();
        Stream<String> names = wanted.isPresent() ? wanted.stream() : Stream.of("clickhouse", "nobody");
        return names.flatMap(name -> lines.stream().filter(line -> line.startsWith(name + ":")))
                .map(line -> line.split(":", -1))
                .filter(fields -> fields.length >= 4 && !fields[2].equals("0"))
                .map(fields -> new Other(Integer.parseInt(fields[2]), Integer.parseInt(fields[3]), fields[0], setpriv))
                .findFirst();
    }

    /** Found out by trying, because rights can come from anywhere: modes, access lists, mounts. */
    private static boolean reaches(Other user, Path path) throws IOException, InterruptedException {
        String test = Files.isDirectory(path) ? "-x" : "-r";
        Process process = new ProcessBuilder(
                        Stream.concat(prefix(user).stream(), Stream.of("test", test, path.toString()))
                                .toList())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
        } finally {
            process.destroyForcibly();
        }
    }

    private static List<String> prefix(Other user) {
        return List.of(
                user.setpriv().toString(),
                "--reuid=" + user.uid(),
                "--regid=" + user.gid(),
                "--clear-groups",
                "--no-new-privs",
                "--");
    }

    /** The beginning of a command line that runs as this user. */
    default List<String> prefix() {
        return switch (this) {
            case Same() -> List.of();
            case Superuser(String reason) -> List.of();
            case Other user -> prefix(user);
        };
    }

    /** Gives a folder to that user; cheap after the first time. */
    default void own(Path folder) throws IOException {
        switch (this) {
            case Same() -> {}
            case Superuser(String reason) -> {}
            case Other user -> {
                if (!Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS)
                        .equals(user.uid())) {
                    Folders.give(folder, user.uid(), user.gid());
                }
            }
        }
    }

    /** Whether the databases' user differs from the owner of the files they read. */
    default boolean isOther() {
        return this instanceof Other;
    }

    /** Lets that user read or pass through what stays the control plane's. */
    default void share(Path path) throws IOException {
        switch (this) {
            case Same() -> {}
            case Superuser(String reason) -> {}
            case Other user -> Files.setAttribute(path, "unix:gid", user.gid());
        }
    }
}
