package io.pilothouse.core.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.pilothouse.core.base.Fault;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.secret.SecretText;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PasswordChangeTest {
    private static final String HASH = "n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=";
    private static final String SHA1 = "94BDCEBE19083CE2A1F959FD02F964C7AF4CFC29";

    @ParameterizedTest
    @CsvSource({
        ", , ''",
        "'', '', ''",
        "n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=, , ''",
        "n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=, 94bdcebe19083ce2a1f959fd02f964c7af4cfc29, ''",
        "n4bQgYhMfWWaL-qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=, , newPasswordHash",
        "short, , newPasswordHash",
        ", 94bdcebe19083ce2a1f959fd02f964c7af4cfc2, newDoubleSha1Hash"
    })
    void aHashHasItsForm(@Nullable String hash, @Nullable String sha1, String fault) {
        Faults faults = new Faults();
        new PasswordChange(hash, sha1).check(faults);
        assertThat(String.join(",", faults.list().stream().map(Fault::path).toList()))
                .isEqualTo(fault);
    }

    @Test
    void theHashesAreThoseOfThePassword() {
        PasswordChange change = new PasswordChange(HASH, SHA1);
        assertThat(change.bringsHash()).isTrue();
        assertThat(change.hashes()).isEqualTo(SecretText.hash("test"));
    }

    @Test
    void withoutItsOwnHashTheMySqlProtocolLetsNoClientIn() {
        assertThat(new PasswordChange(HASH, null).hashes().doubleSha1()).isEqualTo("0".repeat(40));
        assertThat(new PasswordChange(HASH, "").hashes().doubleSha1()).isEqualTo("0".repeat(40));
    }

    @Test
    void aHashForMySqlAloneSaysNothing() {
        PasswordChange change = new PasswordChange(null, SHA1);
        assertThat(change.bringsHash()).isFalse();
        assertThatIllegalStateException().isThrownBy(change::hashes);
        assertThat(new PasswordChange("", SHA1).bringsHash()).isFalse();
    }

    @Test
    void nothingOfAPasswordIsPrinted() {
        assertThat(new PasswordChange(HASH, SHA1)).hasToString("PasswordChange[]");
        assertThat(new NewPassword("secret")).hasToString("NewPassword[]");
    }
}
