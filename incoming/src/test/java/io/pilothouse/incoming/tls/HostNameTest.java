package io.pilothouse.incoming.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostNameTest {
    @ParameterizedTest
    @CsvSource({"localhost,localhost", "Db.Example.ORG,db.example.org", "192.0.2.1,192.0.2.1", "2001:db8::1,2001:db8::1"
    })
    void namesAndAddressesAreTaken(String written, String canonical) {
        assertThat(HostName.canonical(written)).isEqualTo(canonical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a b",
                "-a",
                "a-",
                "a..b",
                "a.",
                "*.example.org",
                "1.2.3.4.5",
                "256.1.1.1",
                ":::",
                "http://a"
            })
    void everythingElseIsRefused(String written) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HostName.canonical(written))
                .withMessageContaining("\"" + written + "\"");
    }
}
