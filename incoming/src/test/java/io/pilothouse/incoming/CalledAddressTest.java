package io.pilothouse.incoming;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** By which address a client called this server, and that nothing else gets into an answer. */
class CalledAddressTest {
    private static final List<String> OURS = List.of("inside:8080");

    @ParameterizedTest
    @ValueSource(strings = {"a", "127.0.0.1:8080", "api.example.org", "my_host-1:1", "[::1]:8080", "[2001:db8::7]"})
    void theClientsOwnHostIsTaken(String host) {
        assertThat(CalledAddress.of(false, List.of(host))).contains(new CalledAddress("http", host));
        assertThat(CalledAddress.of(true, List.of(host))).contains(new CalledAddress("https", host));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a b",
                "user@host",
                "a/path",
                "a:port",
                "a:1:2",
                "a\"b",
                "a,b",
                "[::1",
                "a:123456",
                "-a",
                ".",
                "a?b",
                "a#b",
                "ä"
            })
    void anythingElseIsNoAddress(String host) {
        assertThat(CalledAddress.of(true, List.of(host))).isEmpty();
    }

    @Test
    void oneHostIsNeeded() {
        assertThat(CalledAddress.of(true, List.of())).isEmpty();
        assertThat(CalledAddress.of(true, List.of("a", "b"))).isEmpty();
        assertThat(CalledAddress.of(true, List.of("a".repeat(256)))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "for=192.0.2.7;proto=https;host=api.example.org | https://api.example.org",
                "for=192.0.2.7; Host=\"api.example.org:8443\"   | http://api.example.org:8443",
                "host=evil.example, proto=HTTPS;host=right.org  | https://right.org",
                "host=evil.example, for=192.0.2.7               | http://inside:8080",
                "host=\"a b\";proto=gopher                      | http://inside:8080",
                "xhost=evil.example                             | http://inside:8080"
            })
    void aProxySaysItInTheStandardField(String field, String called) {
        CalledAddress.ProxyFields fields =
                new CalledAddress.ProxyFields(List.of(field), List.of("https"), List.of("unread.example.org"));
        assertThat(CalledAddress.behindProxy(false, OURS, fields).map(at -> at.scheme() + "://" + at.authority()))
                .contains(called);
    }

    @Test
    void aProxySaysItInTheUsualFields() {
        CalledAddress.ProxyFields fields = new CalledAddress.ProxyFields(
                List.of(), List.of("http", "http, https"), List.of("evil.example, api.example.org"));
        assertThat(CalledAddress.behindProxy(false, OURS, fields))
                .contains(new CalledAddress("https", "api.example.org"));
        assertThat(CalledAddress.behindProxy(
                        true, OURS, new CalledAddress.ProxyFields(List.of(), List.of("http"), List.of("a b"))))
                .contains(new CalledAddress("http", "inside:8080"));
        assertThat(CalledAddress.behindProxy(
                        true, OURS, new CalledAddress.ProxyFields(List.of(), List.of(), List.of())))
                .contains(new CalledAddress("https", "inside:8080"));
    }
}
