package io.pilothouse.core.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Hashes under peppers that change. */
class SecretHashTest {
    private static final byte[] FIRST = pepper(1);
    private static final byte[] SECOND = pepper(2);
    private static final byte[] THIRD = pepper(3);

    private static byte[] pepper(int content) {
        byte[] pepper = new byte[32];
        Arrays.fill(pepper, (byte) content);
        return pepper;
    }

    @Test
    void withoutAPepperNothingIsHashed() {
        assertThatThrownBy(() -> new SecretHash(List.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new SecretHash(List.of(FIRST, new byte[33])))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aHashStaysGoodThroughEveryChangeOfThePepper() {
        String kept = new SecretHash(FIRST).of("secret");
        assertThat(SecretHash.age(kept)).isZero();
        SecretHash second = new SecretHash(List.of(SECOND, FIRST));
        String renewed = second.renewed(kept);
        assertThat(SecretHash.age(renewed)).isEqualTo(1);
        SecretHash third = new SecretHash(List.of(THIRD, SECOND, FIRST));
        String again = third.renewed(renewed);
        assertThat(SecretHash.age(again)).isEqualTo(2);
        assertThat(second.matches("secret", renewed)).isTrue();
        assertThat(third.matches("secret", again)).isTrue();
        assertThat(third.matches("Secret", again)).isFalse();
        assertThat(third.forms("secret"))
                .containsExactly(third.of("secret"), third.renewed(second.of("secret")), again);
    }

    @Test
    void aHashThatWasRenewedNeedsTheNewPepperAndTheOldOne() {
        String renewed = new SecretHash(List.of(SECOND, FIRST)).renewed(new SecretHash(FIRST).of("secret"));
        assertThat(new SecretHash(FIRST).matches("secret", renewed)).isFalse();
        assertThat(new SecretHash(SECOND).matches("secret", renewed)).isFalse();
        assertThat(new SecretHash(List.of(SECOND, THIRD)).matches("secret", renewed))
                .isFalse();
    }

    @Test
    void aHashUnderAnOlderPepperAloneIsNotGood() {
        SecretHash both = new SecretHash(List.of(SECOND, FIRST));
        assertThat(both.matches("secret", new SecretHash(FIRST).of("secret"))).isFalse();
        assertThat(both.matches("secret", both.of("secret"))).isTrue();
    }
}
