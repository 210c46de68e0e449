package io.pilothouse.testkit.store;

import static io.pilothouse.testkit.store.StoreContractSamples.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.port.Keeping;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Kept answers: found by the key that asked, for as long as they are young enough. */
interface StoreContractKeepings extends StoreContractHost {
    UUID ASKER = UUID.fromString("7f3e1f6e-0d55-4c0e-9f6a-0d8f7a3b1c11");

    private Keeping kept(String idempotencyKey, Instant keptAt) {
        Keeping keeping = new Keeping(ASKER, idempotencyKey, "print", "answer of " + keptAt, keptAt);
        return store().write(tables -> {
            tables.keep(keeping);
            return keeping;
        });
    }

    @Test
    default void keptAnswerIsFound() {
        Keeping keeping = kept("order 1", NOW);
        store().<Boolean>read(tables -> {
            assertThat(tables.findKeeping(ASKER, "order 1", NOW.minusNanos(1))).contains(keeping);
            assertThat(tables.findKeeping(ASKER, "order 1", NOW)).contains(keeping);
            return true;
        });
    }

    @Test
    default void keptAnswerIsOnlyForItsKeys() {
        kept("order 1", NOW);
        store().<Boolean>read(tables -> {
            assertThat(tables.findKeeping(UUID.randomUUID(), "order 1", Instant.EPOCH))
                    .isEmpty();
            assertThat(tables.findKeeping(ASKER, "order 2", Instant.EPOCH)).isEmpty();
            return true;
        });
    }

    @Test
    default void answerThatIsTooOldIsNotFoundAndIsReplaced() {
        kept("order 1", NOW);
        assertRead(tables -> tables.findKeeping(ASKER, "order 1", NOW.plusNanos(1)))
                .isEqualTo(Optional.empty());
        Keeping next = kept("order 1", NOW.plusSeconds(1));
        assertRead(tables -> tables.findKeeping(ASKER, "order 1", NOW.plusNanos(1)))
                .isEqualTo(Optional.of(next));
    }

    @Test
    default void anAnswerIsForgottenByItself() {
        kept("order 1", NOW);
        Keeping other = kept("order 2", NOW);
        store().change(tables -> tables.forgetKeeping(ASKER, "order 1"));
        store().change(tables -> tables.forgetKeeping(ASKER, "order 3"));
        assertRead(tables -> tables.findKeeping(ASKER, "order 1", NOW)).isEqualTo(Optional.empty());
        assertRead(tables -> tables.findKeeping(ASKER, "order 2", NOW)).isEqualTo(Optional.of(other));
    }

    @Test
    default void oldAnswersAreForgottenTheOldestFirst() {
        for (int i : new int[] {3, 1, 4, 0, 2}) {
            kept("order " + i, NOW.plusSeconds(i));
        }
        assertWrite(tables -> tables.forgetKeepings(NOW.plusSeconds(4), 2)).isEqualTo(2);
        assertRead(tables -> tables.findKeeping(ASKER, "order 1", Instant.EPOCH))
                .isEqualTo(Optional.empty());
        assertRead(tables -> tables.findKeeping(ASKER, "order 2", Instant.EPOCH))
                .isNotEqualTo(Optional.empty());
        assertWrite(tables -> tables.forgetKeepings(NOW.plusSeconds(4), 100)).isEqualTo(2);
        assertRead(tables -> tables.findKeeping(ASKER, "order 4", Instant.EPOCH))
                .isNotEqualTo(Optional.empty());
    }
}
