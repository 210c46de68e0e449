package io.pilothouse.gateway.name;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServiceNamesTest {
    private final ServiceNames<String> names = new ServiceNames<>();

    @Test
    void nameIsItsOwnersUntilThatGivesItBack() {
        assertThat(names.claim("a.b", "one")).isTrue();
        assertThat(names.claim("a.b", "one")).isTrue();
        assertThat(names.claim("a.b", "other")).isFalse();
        names.release("a.b", "other");
        assertThat(names.find("a.b")).contains("one");
        names.release("a.b", "one");
        assertThat(names.find("a.b")).isEmpty();
        assertThat(names.claim("a.b", "other")).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "two.example.org, true",
        "TWO.Example.org:8443, true",
        "two.example.org., true",
        "x.one.example.org, true",
        "one.example.org, false",
        "ONE.example.org.:1, false",
        "example.org, false",
        "two.example.net, false",
        "127.0.0.1:8443, false",
        "[::1]:8443, false"
    })
    void hostIsAnotherIfItIsInTheSameDomain(String host, boolean another) {
        assertThat(SharedPorts.isAnother(host, "one.example.org")).isEqualTo(another);
    }
}
