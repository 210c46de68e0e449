package io.pilothouse.plane.local.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ProcessMarkTest {
    @Test
    void markIsReadAsItWasWritten() {
        ProcessMark begun = ProcessMark.begun(1234, true, "abc");
        ProcessMark running = begun.of(77, "boot/99").fitting("def");

        assertThat(ProcessMark.parse(begun.text())).contains(begun);
        assertThat(ProcessMark.parse(running.text())).contains(running);
        assertThat(running.pid()).contains(77L);
        assertThat(running.fingerprint()).isEqualTo("def");
    }

    @Test
    void damagedTextIsNoMark() {
        assertThat(ProcessMark.parse("")).isEmpty();
        assertThat(ProcessMark.parse("pid=1\nat=\n")).isEmpty();
        assertThat(ProcessMark.parse("pid=x\nat=3\n")).isEmpty();
        assertThat(ProcessMark.parse("noise\n=\nat=3\nat=4\n")).contains(ProcessMark.begun(4, false, ""));
    }

    @Test
    void processIsKnownByItsStartAndNotByItsNumberAlone() {
        ProcessTable table = new ProcessTable();
        ProcessHandle self = ProcessHandle.current();

        assertThat(table.started(self)).isEqualTo(table.started(self)).isNotEqualTo("unknown");
        assertThat(table.commandLine(self)).contains("java");
        Path config = Path.of("/nowhere/config.xml");
        // The right number and start, and the command line of something else.
        assertThat(table.find(ProcessMark.begun(0, false, "").of(self.pid(), table.started(self)), config))
                .isEmpty();
        assertThat(table.find(ProcessMark.begun(0, false, "").of(self.pid(), "another"), config))
                .isEmpty();
        assertThat(table.find(ProcessMark.begun(0, false, ""), config)).isEmpty();
        assertThat(table.below(Path.of("/nowhere"))).isEmpty();
    }
}
