package io.pilothouse.server.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.pilothouse.server.Clone;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The subjects of the house rules: the compiled classes of every room, and the files of the clone. */
final class House {
    static final List<String> ROOMS = List.of(
            "io.pilothouse.core.base",
            "io.pilothouse.core.secret",
            "io.pilothouse.core.right",
            "io.pilothouse.core.port",
            "io.pilothouse.core.engine",
            "io.pilothouse.core.activity",
            "io.pilothouse.core.key",
            "io.pilothouse.core.organization",
            "io.pilothouse.core.scaling",
            "io.pilothouse.core.service",
            "io.pilothouse.core.privateendpoint",
            "io.pilothouse.core.backup",
            "io.pilothouse.core.figure",
            "io.pilothouse.core.timeline",
            "io.pilothouse.core.usage",
            "io.pilothouse.core.part",
            "io.pilothouse.core.upgrade",
            "io.pilothouse.core.pipe",
            "io.pilothouse.core.metric",
            "io.pilothouse.core.webhook",
            "io.pilothouse.core.alert",
            "io.pilothouse.core.delivery",
            "io.pilothouse.core.snapshot",
            "io.pilothouse.core.emulator",
            "io.pilothouse.core.injection",
            "io.pilothouse.outgoing",
            "io.pilothouse.incoming",
            "io.pilothouse.incoming.tls",
            "io.pilothouse.http.helidon",
            "io.pilothouse.http.json",
            "io.pilothouse.http.metrics",
            "io.pilothouse.http.wire",
            "io.pilothouse.http.api",
            "io.pilothouse.http.api.timeline",
            "io.pilothouse.http.emulator",
            "io.pilothouse.console",
            "io.pilothouse.console.plot",
            "io.pilothouse.console.query",
            "io.pilothouse.console.request",
            "io.pilothouse.console.screen",
            "io.pilothouse.store",
            "io.pilothouse.store.rows",
            "io.pilothouse.store.snapshot",
            "io.pilothouse.gateway",
            "io.pilothouse.gateway.door",
            "io.pilothouse.gateway.name",
            "io.pilothouse.plane.local",
            "io.pilothouse.plane.local.bundled",
            "io.pilothouse.plane.local.bucket",
            "io.pilothouse.plane.local.disk",
            "io.pilothouse.plane.local.process",
            "io.pilothouse.plane.local.proof",
            "io.pilothouse.plane.local.share",
            "io.pilothouse.plane.local.turn",
            "io.pilothouse.plane.local.user",
            "io.pilothouse.plane.simulated",
            "io.pilothouse.pipes",
            "io.pilothouse.pipes.wire",
            "io.pilothouse.server",
            "io.pilothouse.server.certify",
            "io.pilothouse.server.client",
            "io.pilothouse.server.config",
            "io.pilothouse.server.connect",
            "io.pilothouse.server.emulator",
            "io.pilothouse.server.log",
            "io.pilothouse.server.metrics",
            "io.pilothouse.server.ready",
            "io.pilothouse.server.secret",
            "io.pilothouse.server.store",
            "io.pilothouse.server.verify",
            "io.pilothouse.server.webhook",
            "io.pilothouse.testkit",
            "io.pilothouse.testkit.api",
            "io.pilothouse.testkit.disk",
            "io.pilothouse.testkit.simulation",
            "io.pilothouse.testkit.soak",
            "io.pilothouse.testkit.store");

    private static final Set<String> NOT_OURS = Set.of(".git", "target", "node_modules", ".pilothouse", ".idea");

    private House() {}

    /** Every class of ours but the tests; fails when a room is empty, so that no rule can hold by default. */
    static JavaClasses classes() {
        JavaClasses classes = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("io.pilothouse");
        for (String room : ROOMS) {
            assertThat(classes)
                    .as("classes of %s", room)
                    .anyMatch(type -> type.getPackageName().equals(room)
                            && !type.getSimpleName().equals("package-info"));
        }
        return classes;
    }

    /** The top of the clone, wherever the tests were started from. */
    static Path root() {
        return Clone.root();
    }

    /** Every file that people wrote, as a path relative to the top; fails when a room shows no source. */
    static List<Path> files() {
        Path root = root();
        List<Path> files = new ArrayList<>();
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    return NOT_OURS.contains(String.valueOf(folder.getFileName()))
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    files.add(root.relativize(file));
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException("cannot walk the clone", e);
        }
        for (String room : ROOMS) {
            String folder = "src/main/java/" + room.replace('.', '/');
            assertThat(files)
                    .as("sources of %s", room)
                    .anyMatch(file -> file.toString().contains(folder));
        }
        return List.copyOf(files);
    }
}
