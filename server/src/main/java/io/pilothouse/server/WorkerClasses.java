package io.pilothouse.server;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Where the program of the pipe workers is: a folder beside this program's own jar. */
final class WorkerClasses {
    private static final String MAIN = "io/pilothouse/pipes/worker/WorkerMain.class";

    private WorkerClasses() {}

    /** The class path of a worker; empty where its program is not there. */
    static Optional<String> find() {
        Path beside = own().resolveSibling("worker");
        if (Files.isDirectory(beside)) {
            return Optional.of(beside.toAbsolutePath() + File.separator + "*");
        }
        // In a test the workers may be among the classes that this process runs on.
        boolean here = WorkerClasses.class.getClassLoader().getResource(MAIN) != null;
        return here ? Optional.of(System.getProperty("java.class.path")) : Optional.empty();
    }

    private static Path own() {
        try {
            return Path.of(WorkerClasses.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException("A class has no place", impossible);
        }
    }
}
