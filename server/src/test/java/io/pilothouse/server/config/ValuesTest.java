package io.pilothouse.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.UnknownHostException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValuesTest {
    @ParameterizedTest
    @CsvSource({"0s, 0", "1ms, 1", "999999999ms, 999999999", "2s, 2000", "3m, 180000", "4h, 14400000"})
    void durationsAreANumberAndAUnit(String text, long millis) throws BadValue {
        assertThat(Values.duration(text)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "2", "s", "2 s", "-2s", "1.5s", "2d", "1234567890s", "2S", "PT2S"})
    void aMalformedDurationIsRefused(String text) {
        assertThatThrownBy(() -> Values.duration(text)).isInstanceOf(BadValue.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "db.example.com", "a-b.c1", "1.2"})
    void domainsAreLabelsBetweenDots(String text) throws BadValue {
        assertThat(Values.domain(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "a.", ".a", "a..b", "-a", "a-", "A.b", "a_b", "a b", "ä"})
    void aMalformedDomainIsRefused(String text) {
        assertThatThrownBy(() -> Values.domain(text)).isInstanceOf(BadValue.class);
    }

    @Test
    void namesThatNoResolverTakesAreRefused() throws BadValue {
        String longest = String.join(".", "a".repeat(63), "b".repeat(63), "c".repeat(63), "d".repeat(61));
        assertThat(Values.domain(longest)).hasSize(253);
        assertThatThrownBy(() -> Values.domain(longest + "e")).isInstanceOf(BadValue.class);
        assertThatThrownBy(() -> Values.domain("a".repeat(64))).isInstanceOf(BadValue.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "17", "20"})
    void numbersHaveBounds(String text) throws BadValue {
        assertThat(Values.number(1, 20).read(text)).isEqualTo(Integer.parseInt(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "21", "-1", "1e1", "1.0", "9999999999"})
    void numbersOutsideOfThemAreRefused(String text) {
        assertThatThrownBy(() -> Values.number(1, 20).read(text))
                .isInstanceOf(BadValue.class)
                .hasMessage("must be a whole number from 1 to 20");
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:80, 127.0.0.1, 80",
        "localhost:0, localhost, 0",
        "[::1]:65535, ::1, 65535",
        "[fe80::1%eth0]:1, fe80::1%eth0, 1"
    })
    void addressesAreAHostAndAPort(String text, String host, int port) throws BadValue {
        HostPort read = HostPort.read(text);
        assertThat(read).isEqualTo(new HostPort(host, port));
        assertThat(read).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":80",
                "80",
                "host",
                "host:",
                "host:x",
                "host:-1",
                "host:65536",
                "host:123456",
                "::1:80",
                "[host]:80",
                "[::1:80",
                "::1]:80",
                "[]:80",
                "a b:80",
                "http://host:80",
                "host:80/path"
            })
    void aMalformedAddressIsRefused(String text) {
        assertThatThrownBy(() -> HostPort.read(text)).isInstanceOf(BadValue.class);
    }

    @Test
    void clientsOfThisMachineAreSentToWhereTheyGetThrough() throws UnknownHostException {
        assertThat(url("127.0.0.2")).isEqualTo("http://127.0.0.2:81");
        assertThat(url("localhost")).isEqualTo("http://localhost:81");
        assertThat(url("::1")).isEqualTo("http://[::1]:81");
        assertThat(url("0.0.0.0")).isEqualTo("http://127.0.0.1:81");
        assertThat(url("::")).isEqualTo("http://[::1]:81");
    }

    private static String url(String host) throws UnknownHostException {
        HostPort hostPort = new HostPort(host, 0);
        return hostPort.url(false, hostPort.address(), 81);
    }
}
