package io.pilothouse.pipes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What the system says about a process. */
class ProcessUseTest {
    @Test
    void memoryIsWhatIsHeldAndNotWhatIsReserved() {
        assertThat(ProcessUse.resident(List.of("Name:\tjava", "VmSize:\t 4000 kB", "VmRSS:\t   61 kB")))
                .hasValue(61 * 1024);
        assertThat(ProcessUse.resident(List.of("Name:\tkthreadd"))).isEmpty();
    }

    @Test
    void twoLooksWithinSecondsAreOne() {
        ProcessUse use = new ProcessUse(ProcessHandle.current());
        assertThat(use.millicores()).isEqualTo(use.millicores());
        assertThat(use.millicores().orElse(0)).isNotNegative();
    }
}
