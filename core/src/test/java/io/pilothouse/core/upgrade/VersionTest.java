package io.pilothouse.core.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VersionTest {
    @Test
    void versionsAreOrderedNumberByNumber() {
        assertThat(Stream.of("25.10", "25.9.1", "26", "25.9").map(Version::new).sorted())
                .extracting(Version::name)
                .containsExactly("25.9", "25.9.1", "25.10", "26");
        assertThat(new Version("26.1")).isEqualByComparingTo(new Version("26.1.0"));
    }

    @ParameterizedTest
    @CsvSource({
        // one, what wrote the data, whether it opens that
        "26.8, 26.7, true",
        "26.7, 26.8, true",
        "26.7, 25.9, true",
        "25.9, 26.7, false",
        "unknown, 26.7, true",
        "26.7, unknown, true",
    })
    void versionOpensWhatAnOlderOneOrOneOfItsYearWrote(String version, String writer, boolean opens) {
        assertThat(new Version(version).opensDataOf(new Version(writer))).isEqualTo(opens);
    }
}
