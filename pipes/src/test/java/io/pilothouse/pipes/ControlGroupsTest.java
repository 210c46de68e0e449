package io.pilothouse.pipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.port.ProcessLimits.Share;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written where control groups can be made; the files stand for the system's. */
class ControlGroupsTest {
    private static final Share SHARE = new Share(512L << 20, 250, 100);

    @TempDir
    private Path root;

    @Test
    void processIsHeldToItsMemoryAndItsShareOfTheProcessors() throws IOException {
        Files.createFile(root.resolve("cgroup.controllers"));
        ControlGroups groups = ControlGroups.below(root, "pilothouse-pipes", Share.GIVES_WAY);
        assertThat(groups.usable()).isTrue();
        groups.hold("worker-0", 4711, SHARE);
        Path kind = root.resolve("pilothouse-pipes");
        assertThat(kind.resolve("cpu.weight"))
                .as("what all of them weigh against the control plane")
                .hasContent("33");
        Path group = kind.resolve("worker-0");
        assertThat(group.resolve("memory.max")).hasContent("536870912");
        assertThat(group.resolve("cpu.max")).hasContent("25000 100000");
        assertThat(group.resolve("cpu.weight")).hasContent("100");
        assertThat(group.resolve("cgroup.procs")).hasContent("4711");

        groups.hold("worker-0", 4711, Share.byMemory(16L << 30));
        assertThat(group.resolve("memory.max")).hasContent("17179869184");
        assertThat(group.resolve("cpu.max")).as("as many as there are").hasContent("max 100000");
        assertThat(group.resolve("cpu.weight")).hasContent("16");
    }

    @Test
    void systemWithoutThemIsLeftAlone() {
        ControlGroups groups = ControlGroups.below(root, "pilothouse-pipes", Share.GIVES_WAY);
        assertThat(groups.usable()).isFalse();
        groups.hold("worker-0", 4711, SHARE);
        groups.forget("worker-0");
        assertThat(root).isEmptyDirectory();
    }
}
