package io.pilothouse.plane.local.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProcessStatTest {
    private static String line(String name, char state, int threads) {
        return "9901 (" + name + ") " + state + " 9860 9854 3481 0 -1 4227148 222 0 0 0 0 0 0 0 20 0 " + threads
                + " 0 77605 0 0 18446744073709551615 0 0 0 0 0 0 0 16781312 2 1 0 0 17 0 0 0 0 0 0 0 0 0 0 0 0 0 768\n";
    }

    @ParameterizedTest
    @ValueSource(strings = {"java", "", "two words", ") Z (", "a)\n(b", "x) S 1 2", "((("})
    void nameMayHoldAnything(String name) throws IOException {
        assertThat(ProcessStat.parse(line(name, 'S', 3))).isEqualTo(new ProcessStat('S', 3, "77605"));
        assertThat(ProcessStat.parse(line(name, 'Z', 1))).isEqualTo(new ProcessStat('Z', 1, "77605"));
    }

    @ParameterizedTest
    @ValueSource(chars = {'R', 'S', 'D', 'T', 't', 'I'})
    void runningWaitingAndHaltedProcessesAreAlive(char state) throws IOException {
        assertThat(ProcessStat.parse(line("java", state, 1)).isDead()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(chars = {'Z', 'X', 'x'})
    void aProcessWithOnlyItsStatusLeftIsDead(char state) throws IOException {
        assertThat(ProcessStat.parse(line("java", state, 1)).isDead()).isTrue();
    }

    @Test
    void processWhoseFirstThreadEndedBeforeTheOthersIsAlive() throws IOException {
        assertThat(ProcessStat.parse(line("java", 'Z', 2)).isDead()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1 (java) S 2 3", "no brackets at all"})
    void anythingElseIsNoStatus(String text) {
        assertThatThrownBy(() -> ProcessStat.parse(text)).isInstanceOf(IOException.class);
    }
}
