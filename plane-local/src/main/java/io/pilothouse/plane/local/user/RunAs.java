package io.pilothouse.plane.local.user;

import io.pilothouse.plane.local.disk.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;

/** The user of the machine that one database runs as: the superuser only as a last resort. */
public sealed interface RunAs {
    /** The user that the control plane itself is. */
    record Same() implements RunAs {}

    /**
     * Another user, without any privileges: its number and that of its group. {@code entry} is a group that lets it
     * into folders which it shares with others, and {@code setpriv} the program that switches to it.
     */
    record Other(int uid, int gid, int entry, Path setpriv) implements RunAs {}

    /** The superuser, as a last resort. */
    record Superuser() implements RunAs {}

    /** The beginning of a command line that runs as this user. */
    default List<String> prefix() {
        return switch (this) {
            case Same() -> List.of();
            case Superuser() -> List.of();
            case Other user ->
                List.of(
                        user.setpriv().toString(),
                        "--reuid=" + user.uid(),
                        "--regid=" + user.gid(),
                        "--groups=" + user.entry(),
                        "--no-new-privs",
                        "--");
        };
    }

    /** Gives a folder to that user; cheap after the first time. */
    default void own(Path folder) throws IOException {
        if (this instanceof Other user
                && !Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS)
                        .equals(user.uid())) {
            Folders.give(folder, user.uid(), user.gid());
        }
    }

    /** Lets that user, and no other that databases run as, read or pass through what stays the control plane's. */
    default void share(Path path) throws IOException {
        if (this instanceof Other user) {
            Files.setAttribute(path, "unix:gid", user.gid());
        }
    }
}
