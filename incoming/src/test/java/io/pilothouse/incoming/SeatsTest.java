package io.pilothouse.incoming;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SeatsTest {
    private final List<String> ended = new ArrayList<>();
    private final Seats seats = new Seats(8);

    @Test
    void partyHasThreeQuartersAtMost() {
        for (int count = 0; count < 6; count++) {
            assertThat(take("a" + count, "a")).hasValueSatisfying(Seats.Seat::busy);
        }
        assertThat(take("a6", "a")).isEmpty();
        assertThat(take("b0", "b")).isPresent();
        assertThat(ended).isEmpty();
    }

    @Test
    void partyPaysForItsOwnNewcomersFirst() {
        take("b0", "b");
        for (int count = 0; count < 10; count++) {
            assertThat(take("a" + count, "a")).isPresent();
        }
        assertThat(ended).containsExactly("a0", "a1", "a2", "a3");
    }

    @Test
    void whenAllIsTakenTheOldestThatNeverSaidAWordGoesFirst() {
        Seats.Seat resting = take("resting", "a").orElseThrow();
        resting.busy();
        resting.rests();
        take("busy", "a").orElseThrow().busy();
        take("silent", "b");
        take("silent too", "b");
        for (String party : List.of("c", "d", "e", "f")) {
            take(party, party).orElseThrow().busy();
        }
        for (String party : List.of("g", "h", "i")) {
            assertThat(take(party, party)).hasValueSatisfying(Seats.Seat::busy);
        }
        assertThat(ended).containsExactly("silent", "silent too", "resting");
        assertThat(resting.busy()).isFalse();
        assertThat(take("j", "j")).isEmpty();
        assertThat(seats.taken()).isEqualTo(8);
    }

    @Test
    void connectionThatTurnsOutToBeOfAFullPartyIsGivenUp() {
        for (int count = 0; count < 6; count++) {
            take("a" + count, "a").orElseThrow().busy();
        }
        Seats.Seat late = take("late", "b").orElseThrow();
        assertThat(late.join(seats.party("a"))).isFalse();
        assertThat(seats.taken()).isEqualTo(6);
        Seats.Seat other = take("other", "b").orElseThrow();
        assertThat(other.join(seats.party("c"))).isTrue();
        other.leave();
        assertThat(other.join(seats.party("d"))).isFalse();
        assertThat(seats.taken()).isEqualTo(6);
    }

    @Test
    void nothingIsLeftBehindWhateverHappens() {
        Random random = new Random(42);
        List<Seats.Seat> open = new ArrayList<>();
        for (int step = 0; step < 20_000; step++) {
            int choice = random.nextInt(6);
            if (choice < 2 || open.isEmpty()) {
                take("", "p" + random.nextInt(5), "q" + random.nextInt(3)).ifPresent(open::add);
            } else {
                Seats.Seat one = open.get(random.nextInt(open.size()));
                switch (choice) {
                    case 2 -> one.busy();
                    case 3 -> one.rests();
                    case 4 -> one.leave();
                    case 5 -> one.join(seats.party("r" + random.nextInt(2)));
                    default -> throw new AssertionError();
                }
            }
            assertThat(seats.taken()).isBetween(0, 8);
        }
        open.forEach(Seats.Seat::leave);
        open.forEach(Seats.Seat::leave);
        assertThat(seats.taken()).isZero();
        for (int count = 0; count < 6; count++) {
            assertThat(take("p", "p0", "q0")).hasValueSatisfying(Seats.Seat::busy);
        }
    }

    private Optional<Seats.Seat> take(String name, String... parties) {
        return seats.take(Arrays.stream(parties).map(seats::party).toList(), () -> ended.add(name));
    }
}
