package io.pilothouse.core.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RowIdsTest {
    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00.123Z");
    private static final int MANY = 10_000;

    @Test
    void laterRowsComeLaterInEveryIndex() {
        String before = RowIds.at(NOW).toString();
        String after = RowIds.at(NOW.plusMillis(1)).toString();
        assertThat(after).isGreaterThan(before);
    }

    @Test
    void idsOfOneMomentDiffer() {
        Set<UUID> ids = new HashSet<>();
        for (int number = 0; number < MANY; number++) {
            ids.add(RowIds.at(NOW));
        }
        assertThat(ids).hasSize(MANY);
    }

    @Test
    void lastDigitsDifferWhereTheTimeDoesNot() {
        Set<String> names = new HashSet<>();
        for (int number = 0; number < MANY; number++) {
            names.add(RowIds.lastDigits(RowIds.at(NOW), 16));
        }
        assertThat(names).hasSize(MANY).allMatch(name -> name.matches("[0-9a-f]{16}"));
        UUID known = UUID.fromString("01234567-89ab-7000-8123-456789abcdef");
        assertThat(RowIds.lastDigits(known, 8)).isEqualTo("89abcdef");
        assertThat(RowIds.lastDigits(known, 17)).isEqualTo("08123456789abcdef");
    }

    @Test
    void anIdIsAUuidOfVersionSeven() {
        UUID id = RowIds.at(NOW);
        assertThat(id.version()).isEqualTo(7);
        assertThat(id.variant()).isEqualTo(2);
        assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(NOW.toEpochMilli());
    }
}
