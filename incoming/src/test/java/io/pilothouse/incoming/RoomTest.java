package io.pilothouse.incoming;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RoomTest {
    private static final int HALF = 10_000;

    private final Room room = new Room(2 * HALF);

    @Test
    void requestsOfTheUsualSizeNeverAsk() {
        for (int count = 0; count < 1_000; count++) {
            assertThat(room.guest(List.of("a")).take(Room.FREE)).isTrue();
        }
        assertThat(room.taken()).isZero();
    }

    @Test
    void partyHasHalfAndAllTogetherNoMoreThanAll() {
        Room.Guest one = room.guest(List.of("a"));
        assertThat(one.take(Room.FREE + HALF)).isTrue();
        assertThat(one.take(1)).isFalse();
        Room.Guest both = room.guest(List.of("b", "a"));
        assertThat(both.take(Room.FREE + 1)).isFalse();
        Room.Guest other = room.guest(List.of("b", "c"));
        assertThat(other.take(Room.FREE + HALF)).isTrue();
        assertThat(room.guest(List.of("d")).take(Room.FREE + 1)).isFalse();
        assertThat(room.taken()).isEqualTo(2 * HALF);
        one.leave();
        one.leave();
        assertThat(room.taken()).isEqualTo(HALF);
        assertThat(room.guest(List.of("a")).take(Room.FREE + HALF)).isTrue();
    }

    @Test
    void guestThatLeftBeginsAgain() {
        Room.Guest guest = room.guest(List.of("a"));
        for (int count = 0; count < 100; count++) {
            assertThat(guest.take(Room.FREE)).isTrue();
            assertThat(guest.take(HALF)).isTrue();
            assertThat(guest.take(1)).isFalse();
            guest.leave();
        }
        assertThat(room.taken()).isZero();
    }
}
