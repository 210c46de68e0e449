package io.pilothouse.pipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.pipe.PipeScaling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written where control groups can be made; the files stand for the system's. */
class ControlGroupsTest {
    private static final PipeScaling SIZE = new PipeScaling(1, 0, 250, 0.5);

    @TempDir
    private Path root;

    @Test
    void workerIsHeldToItsMemoryAndItsShareOfAProcessor() throws IOException {
        Files.createFile(root.resolve("cgroup.controllers"));
        ControlGroups groups = ControlGroups.below(root);
        assertThat(groups.usable()).isTrue();
        groups.hold("worker-0", 4711, SIZE);
        Path group = root.resolve("pilothouse-pipes").resolve("worker-0");
        assertThat(group.resolve("memory.max")).hasContent("536870912");
        assertThat(group.resolve("cpu.max")).hasContent("25000 100000");
        assertThat(group.resolve("cgroup.procs")).hasContent("4711");
    }

    @Test
    void systemWithoutThemIsLeftAlone() {
        ControlGroups groups = ControlGroups.below(root);
        assertThat(groups.usable()).isFalse();
        groups.hold("worker-0", 4711, SIZE);
        groups.forget("worker-0");
        assertThat(root).isEmptyDirectory();
    }
}
