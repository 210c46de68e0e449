package io.pilothouse.plane.local.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Numbers of users, and who has which. */
class UserNumbersTest {
    private static final UserRange THREE = new UserRange(70_000, 70_003);

    private final UUID first = UUID.randomUUID();
    private final UUID second = UUID.randomUUID();
    private final UUID third = UUID.randomUUID();
    private final UUID fourth = UUID.randomUUID();

    @Test
    void eachServiceHasItsOwnAndKeepsIt() {
        UserNumbers numbers = new UserNumbers(THREE);

        assertThat(numbers.of(first)).contains(70_001);
        assertThat(numbers.of(second)).contains(70_002);
        assertThat(numbers.of(first)).contains(70_001);
        assertThat(numbers.of(third)).contains(70_003);
        assertThat(numbers.of(fourth)).as("one that came when all were taken").isEmpty();
    }

    @Test
    void freedOneIsGivenAgainAfterAllOthers() {
        UserNumbers numbers = new UserNumbers(THREE);
        numbers.of(first);
        numbers.release(first);

        assertThat(numbers.of(second)).contains(70_002);
        assertThat(numbers.of(third)).contains(70_003);
        assertThat(numbers.of(fourth)).contains(70_001);
    }

    @Test
    void whatAFolderSaysIsKeptUnlessItIsNoServicesOrAnothers() {
        UserNumbers numbers = new UserNumbers(THREE);
        numbers.remember(first, 70_002);
        numbers.remember(second, 70_002);
        numbers.remember(third, 70_000);
        numbers.remember(fourth, 65_534);

        assertThat(numbers.of(first)).contains(70_002);
        assertThat(numbers.of(second)).contains(70_003);
        assertThat(numbers.of(third)).contains(70_001);
        assertThat(numbers.of(fourth)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "0 0 4294967295, true",
        "0 100000 65536, false",
        "0 1000 1\\n1 100000 80000, true",
        "0 100000 70003, false",
        "0 100000 70004, true",
    })
    void containerMayNotHaveThem(String map, boolean here) {
        assertThat(THREE.isWithin(map.replace("\\n", "\n"))).isEqualTo(here);
    }

    @ParameterizedTest
    @CsvSource({"999,2000", "70000,70000", "70001,70000", "70000,2147483647"})
    void rangeHasRoomAndIsBehindTheUsersOfTheSystem(int first, int last) {
        assertThatThrownBy(() -> new UserRange(first, last)).hasMessageContaining("not a range");
    }
}
