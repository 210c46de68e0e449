package io.pilothouse.incoming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.base.IpBlock;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose word is taken for where a client is, and how much of it. */
class TrustedProxiesTest {
    private static final InetAddress PROXY = InetAddress.ofLiteral("10.0.0.1");
    private final TrustedProxies proxies = new TrustedProxies(Stream.of("10.0.0.0/8", "2001:db8:ffff::1")
            .map(text -> IpBlock.parse(text).orElseThrow())
            .toList());

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "192.0.2.7                        | 192.0.2.7",
                "198.51.100.9, 192.0.2.7          | 192.0.2.7",
                "198.51.100.9, 192.0.2.7, 10.1.1.1| 192.0.2.7",
                "192.0.2.7:4711                   | 192.0.2.7",
                "[2001:db8::7]:4711               | 2001:db8::7",
                "2001:db8::7                      | 2001:db8::7",
                "10.2.2.2, 10.1.1.1               | 10.2.2.2",
                "192.0.2.7, unknown               | 10.0.0.1",
                "192.0.2.7,                       | 10.0.0.1",
                "evil.example                     | 10.0.0.1",
                "192.0.2.7/8                      | 10.0.0.1"
            })
    void theNearestAddressThatIsNoProxysIsTheClients(String field, String client) {
        assertThat(proxies.client(PROXY, List.of(), List.of(field))).isEqualTo(InetAddress.ofLiteral(client));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "for=192.0.2.7                                   | 192.0.2.7",
                "by=10.0.0.1;For=\"192.0.2.7:80\";proto=https    | 192.0.2.7",
                "for=198.51.100.9, for=\"[2001:db8::7]:80\"      | 2001:db8::7",
                "for=192.0.2.7, for=\"[2001:db8:ffff::1]\"       | 192.0.2.7",
                "for=192.0.2.7, for=_hidden                      | 10.0.0.1",
                "proto=https                                     | 10.0.0.1"
            })
    void theStandardFieldIsRead(String field, String client) {
        assertThat(proxies.client(PROXY, List.of(field), List.of("203.0.113.1")))
                .isEqualTo(InetAddress.ofLiteral(client));
    }

    @Test
    void whoIsNotTrustedSpeaksForItselfAlone() {
        InetAddress stranger = InetAddress.ofLiteral("192.0.2.1");
        assertThat(proxies.client(stranger, List.of("for=10.0.0.1"), List.of("10.0.0.1")))
                .isEqualTo(stranger);
        assertThat(TrustedProxies.NONE.trusts(PROXY)).isFalse();
        assertThat(proxies.client(PROXY, List.of(), List.of())).isEqualTo(PROXY);
    }

    @Test
    void headerOfTheProxyProtocolNamesTheClient() throws IOException {
        byte[] ipv4 = header(0x21, 0x11, 12, new byte[] {(byte) 192, 0, 2, 7, 10, 0, 0, 1, 1, 2, 3, 4});
        assertThat(read(ipv4).client()).contains(InetAddress.ofLiteral("192.0.2.7"));
        byte[] addresses = Arrays.copyOf(InetAddress.ofLiteral("2001:db8::7").getAddress(), 40);
        assertThat(read(header(0x21, 0x21, 40, addresses)).client()).contains(InetAddress.ofLiteral("2001:db8::7"));
        assertThat(read(header(0x20, 0, 0, new byte[0])).client()).isEmpty();
        assertThat(read(header(0x21, 0x31, 3, new byte[3])).client()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP/1.1\r\n", "\r\n\r\nGET / HTTP/1.1\r\n", "\r", ""})
    void whatIsNoHeaderIsGivenBack(String text) throws IOException {
        ByteArrayInputStream in = new ByteArrayInputStream(text.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        ProxyHeader none = ProxyHeader.read(in);
        assertThat(none.client()).isEmpty();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(none.alreadyRead());
        all.writeBytes(in.readAllBytes());
        assertThat(all).hasToString(text);
    }

    @Test
    void damagedHeaderIsRefused() {
        assertThatThrownBy(() -> read(header(0x11, 0x11, 12, new byte[12]))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> read(header(0x21, 0x11, 11, new byte[11]))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> read(header(0x21, 0x11, 12, new byte[5]))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> read(header(0x21, 0x11, 60_000, new byte[60_000])))
                .isInstanceOf(IOException.class);
    }

    private static ProxyHeader read(byte[] bytes) throws IOException {
        return ProxyHeader.read(new ByteArrayInputStream(bytes));
    }

    private static byte[] header(int command, int family, int length, byte[] addresses) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(new byte[] {13, 10, 13, 10, 0, 13, 10, 'Q', 'U', 'I', 'T', 10});
        out.write(command);
        out.write(family);
        out.write(length >>> 8);
        out.write(length);
        out.writeBytes(addresses);
        return out.toByteArray();
    }
}
