package io.pilothouse.plane.local.user;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The users of the machine that its databases run as. */
public sealed interface DatabaseUsers {
    /** One for all databases; the warning is a sentence for a person. */
    record Shared(RunAs user, Optional<String> warning) implements DatabaseUsers {}

    /** One for each service, by number. */
    record Each(UserNumbers numbers, Path setpriv) implements DatabaseUsers {
        private RunAs numbered(int number) {
            return new RunAs.Other(number, number, numbers.range().first(), setpriv);
        }
    }

    /** What was asked for. */
    sealed interface Wanted {
        record Named(String name) implements Wanted {}

        record Numbered(UserRange range) implements Wanted {}
    }

    /** Chooses them; a user must be able to reach everything that its database needs, or that would never start. */
    static DatabaseUsers choose(Wanted wanted, List<Path> searchPath, List<Path> needed)
            throws IOException, InterruptedException {
        Path self = Path.of("/proc/self");
        boolean superuser = Files.exists(self)
                ? Files.getAttribute(self, "unix:uid").equals(0)
                : "root".equals(System.getProperty("user.name"));
        if (!superuser) {
            return new Shared(new RunAs.Same(), Optional.empty());
        }
        Optional<Path> setpriv = searchPath.stream()
                .map(folder -> folder.resolve("setpriv"))
                .filter(Files::isExecutable)
                .findFirst();
        if (setpriv.isEmpty()) {
            return superuser("this machine has no setpriv");
        }
        return switch (wanted) {
            case Wanted.Named(String name) -> named(List.of(name), setpriv.get(), needed, Optional.empty());
            case Wanted.Numbered(UserRange range) when range.isHere() -> each(range, setpriv.get(), needed);
            case Wanted.Numbered(UserRange range) ->
                named(
                        List.of("clickhouse", "nobody"),
                        setpriv.get(),
                        needed,
                        Optional.of("All databases run as one user, because this system does not have the users "
                                + range.first() + " to " + range.last() + "."));
        };
    }

    private static DatabaseUsers each(UserRange range, Path setpriv, List<Path> needed)
            throws IOException, InterruptedException {
        Each each = new Each(new UserNumbers(range), setpriv);
        Optional<Path> closed = unreached(each.numbered(range.last()), needed);
        return closed.isPresent()
                ? superuser("the users " + range.first() + " to " + range.last() + " cannot reach " + closed.get())
                : each;
    }

    private static DatabaseUsers named(List<String> names, Path setpriv, List<Path> needed, Optional<String> warning)
            throws IOException, InterruptedException {
        Path passwords = Path.of("/etc/passwd");
        List<String> lines =
                Files.exists(passwords) ? Files.readAllLines(passwords, StandardCharsets.ISO_8859_1) : List.of();
        Optional<String[]> found = names.stream()
                .flatMap(name -> lines.stream().filter(line -> line.startsWith(name + ":")))
                .map(line -> line.split(":", -1))
                .filter(fields -> fields.length >= 4 && !fields[2].equals("0"))
                .findFirst();
        if (found.isEmpty()) {
            return superuser("there is no user " + String.join(" or ", names));
        }
        int group = Integer.parseInt(found.get()[3]);
        RunAs.Other user = new RunAs.Other(Integer.parseInt(found.get()[2]), group, group, setpriv);
        Optional<Path> closed = unreached(user, needed);
        return closed.isPresent()
                ? superuser("the user " + found.get()[0] + " cannot reach " + closed.get())
                : new Shared(user, warning);
    }

    private static DatabaseUsers superuser(String reason) {
        return new Shared(
                new RunAs.Superuser(), Optional.of("The databases run as the superuser, because " + reason + "."));
    }

    /** Found out by trying, because rights can come from anywhere: modes, access lists, mounts. */
    private static Optional<Path> unreached(RunAs user, List<Path> needed) throws IOException, InterruptedException {
        for (Path path : needed) {
            String test = Files.isDirectory(path) ? "-x" : "-r";
            Process process = new ProcessBuilder(
                            Stream.concat(user.prefix().stream(), Stream.of("test", test, path.toString()))
                                    .toList())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try {
                if (!process.waitFor(10, TimeUnit.SECONDS) || process.exitValue() != 0) {
                    return Optional.of(path);
                }
            } finally {
                process.destroyForcibly();
            }
        }
        return Optional.empty();
    }

    /** Whether they differ from the owner of the files that they read. */
    default boolean areOthers() {
        return switch (this) {
            case Shared(RunAs user, Optional<String> warning) -> user instanceof RunAs.Other;
            case Each each -> true;
        };
    }

    /** Lets all of them pass through a folder that stays the control plane's. */
    default void letIn(Path folder) throws IOException {
        switch (this) {
            case Shared(RunAs user, Optional<String> warning) -> user.share(folder);
            case Each each ->
                Files.setAttribute(folder, "unix:gid", each.numbers().range().first());
        }
    }

    /** The one of this service; empty if every service has one and none is left. */
    default Optional<RunAs> of(UUID service) {
        return switch (this) {
            case Shared(RunAs user, Optional<String> warning) -> Optional.of(user);
            case Each each -> each.numbers().of(service).map(each::numbered);
        };
    }

    /** Records that a service, to which this folder was shared, has its user already. */
    default void remember(UUID service, Path folder) throws IOException {
        if (this instanceof Each each) {
            each.numbers().remember(service, (int) Files.getAttribute(folder, "unix:gid", LinkOption.NOFOLLOW_LINKS));
        }
    }

    /** Records that nothing is left of a service. */
    default void release(UUID service) {
        if (this instanceof Each each) {
            each.numbers().release(service);
        }
    }

    /** What a person should know about them, if anything, as a sentence. */
    default Optional<String> warning() {
        return this instanceof Shared shared ? shared.warning() : Optional.empty();
    }
}
