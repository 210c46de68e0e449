package io.pilothouse.core.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.base.Refused;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What snapshots may be called, and how much may be kept. */
class SnapshotRulesTest {
    @ParameterizedTest
    @ValueSource(strings = {"a", "Before-the-change_2", "1.2.3"})
    void aNameOfSafeLettersIsTaken(String name) {
        assertThat(SnapshotRules.name(name)).isEqualTo(name);
    }

    @Test
    void aNameMayHaveSixtyFourLettersAndNoMore() {
        assertThat(SnapshotRules.name("a".repeat(64))).hasSize(64);
        assertThatThrownBy(() -> SnapshotRules.name("a".repeat(65))).isInstanceOf(Refused.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".hidden", "..", "a/b", "-rf", "with blank", "größe", "a\n"})
    void aNameThatCouldLeadElsewhereIsRefused(String name) {
        assertThatThrownBy(() -> SnapshotRules.name(name))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("letters, digits");
    }

    @Test
    void thereAreAHundredSnapshotsAtMost() {
        SnapshotRules.requireRoom(99, 0);
        assertThatThrownBy(() -> SnapshotRules.requireRoom(100, 0)).hasMessageContaining("at most 100");
    }

    @Test
    void allTogetherTakeAGibibyteAtMost() {
        SnapshotRules.requireRoom(0, (1L << 30) - 1);
        assertThatThrownBy(() -> SnapshotRules.requireRoom(0, 1L << 30)).hasMessageContaining("1024 MiB");
    }

    @Test
    void oneHoldsWhatFitsIntoMemory() {
        SnapshotRules.requireSmall(64L << 20);
        assertThatThrownBy(() -> SnapshotRules.requireSmall((64L << 20) + 1)).hasMessageContaining("64 MiB");
    }
}
